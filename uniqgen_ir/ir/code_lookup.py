"""Finding the page of a diagnostic by what a person typed."""

from __future__ import annotations

from difflib import get_close_matches

from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.ir.codes.base import Code
from uniqgen_ir.ir.diagnostics import fail


def code_named(wanted: str) -> Code:
    """The code with this number or kind, in any case. Raises DiagnosticError (UQ652)."""
    code = CODES.get(wanted.upper()) or next((one for one in CODES.values() if one.kind == wanted.lower()), None)
    if code is None:
        names = (*CODES, *(one.kind.upper() for one in CODES.values()))
        near = get_close_matches(wanted.upper(), names, n=1)
        raise fail("UQ652", f"there is no diagnostic {wanted}", hint=f"did you mean {near[0]}?" if near else None)
    return code
