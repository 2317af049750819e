"""Each code of the SPARQL gate: its example gives it, and what its page proposes instead does not."""

from __future__ import annotations

import pytest

from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.validate.gate import check

SCHEMA = {
    "prefixes": {"ex": "http://example.org/", "xsd": "http://www.w3.org/2001/XMLSchema#"},
    "classes": {
        "ex:Person": {
            "ex:name": ["xsd:string"],
            "ex:age": ["xsd:integer"],
            "ex:email": ["xsd:string"],
            "ex:knows": ["ex:Person"],
            "ex:worksFor": ["ex:Company"],
        },
        "ex:Company": {"ex:name": ["xsd:string"]},
        "ex:City": {},
    },
}
EXAMPLES = ("UQ750", "UQ751", "UQ752", "UQ753", "UQ754", "UQ755", "UQ756", "UQ757", "UQ758", "UQ759", "UQ760")


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_page_shows_the_fault_and_its_repair(code: str) -> None:
    page = CODES[code]
    assert code in {one.code for one in check(page.example, language="sparql", schema=SCHEMA).diagnostics}
    assert check(page.instead, language="sparql", schema=SCHEMA).diagnostics == ()
