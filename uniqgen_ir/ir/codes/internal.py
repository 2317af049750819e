"""UQ9xx: faults of our own."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ900",
        "internal",
        "internal error",
        "The compiler met a state that it should never be in. This is a fault of the compiler, not of your input.",
        "A result after such a fault could be wrong, so none is given.",
        "uniqgen compile table.ctable",
        "Report it with the input and the reproducer that the message names.",
    ),
    Code(
        "UQ901",
        "invalid_pass_result",
        "a pass returned an invalid table",
        "A rewrite pass returned a table that does not pass `verify`. The reproducer holds the table, the pipeline and "
        "the seed.",
        "Later passes rely on valid tables.",
        "uniqgen opt table.ctable --passes normalize",
        "Report it with the reproducer.",
    ),
)
