"""`uniqgen explain CODE`."""

from __future__ import annotations

from argparse import Namespace
from difflib import get_close_matches

from attrs import asdict

from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.output import print_json
from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.diagnostics import fail


def run(options: Namespace) -> int:
    """Print one page, or the list of codes."""
    if options.code is None:
        return _list(options.format)
    wanted = options.code.upper()
    code = CODES.get(wanted) or next((one for one in CODES.values() if one.kind == options.code.lower()), None)
    if code is None:
        near = get_close_matches(wanted, [*CODES, *(one.kind.upper() for one in CODES.values())], n=1)
        raise fail("UQ652", f"there is no diagnostic {options.code}", hint=f"did you mean {near[0]}?" if near else None)
    print_json(asdict(code)) if options.format == "json" else print(code.page())
    return EXIT_OK


def _list(form: str) -> int:
    if form == "json":
        print_json([{"code": one.code, "kind": one.kind, "title": one.title} for one in CODES.values()])
    else:
        for one in CODES.values():
            print(f"{one.code}  {one.kind:<28} {one.title}")
    return EXIT_OK
