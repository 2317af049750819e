"""The parse table beside the grammar."""

from __future__ import annotations

from pathlib import Path

import uniqgen_ir.grammar
from uniqgen_ir.grammar.cypher import driver as cypher_driver
from uniqgen_ir.grammar.cypher import table as cypher_table


def test_the_table_is_the_grammars() -> None:
    # Lark raises on any conflict: `strict` is set
    path = Path(uniqgen_ir.grammar.__file__).with_name(cypher_table.FILE)
    assert path.read_text(encoding="utf-8") == cypher_table.dump(), "run python -m uniqgen_ir.grammar.cypher.table"


def test_every_alternative_has_a_builder() -> None:
    known = {*cypher_driver._ACTIONS, *cypher_driver._MODES}  # pyright: ignore[reportPrivateUsage]
    missing = {one.action for one in cypher_table.load().productions} - known
    assert not missing
