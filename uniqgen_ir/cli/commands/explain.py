"""`uniqgen explain CODE`."""

from __future__ import annotations

from argparse import Namespace

from attrs import asdict

from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.output import print_json
from uniqgen_ir.ir.code_lookup import code_named
from uniqgen_ir.ir.codes import CODES


def run(options: Namespace) -> int:
    """Print one page, or the list of codes."""
    if options.code is None:
        return _list(options.format)
    code = code_named(options.code)
    print_json(asdict(code)) if options.format == "json" else print(code.page())
    return EXIT_OK


def _list(form: str) -> int:
    if form == "json":
        print_json([{"code": one.code, "kind": one.kind, "title": one.title} for one in CODES.values()])
    else:
        for one in CODES.values():
            print(f"{one.code}  {one.kind:<28} {one.title}")
    return EXIT_OK
