"""Names, strings and parameters in Cypher text."""

from __future__ import annotations

import re
from typing import Final

from attrs import define, field

from uniqgen_ir.backends.base import ParameterValue
from uniqgen_ir.ir.diagnostics import fail

_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_ESCAPES: Final = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}

_WORDS: Final = """
acyclic add all alter analyze and any as asc ascending attach begin by call case cast checkpoint column
comment commit constraint contains copy count create cycle database date datetime default delete desc
descending detach distinct do drop else end ends exists explain export extension false filter finish for
foreach from glob graph group headers hint if import in increment index insert install is join key kind let
limit load macro mandatory match maxvalue merge minvalue multi_join next no node_table nodetach none not null
of offset on only optional or order primary profile project read rel rel_table remove rename require return
rollback scalar semi set shortest single skip sort start starts structured sum table then to trail transaction
true type undirected union unique unwind update use using when where with write wshortest xor yield
"""
_RESERVED: Final = frozenset(_WORDS.split())
"""Words that some dialect reserves: quoted wherever they are names."""


def quote_name(name: str) -> str:
    """A variable, label, type or property name; in backticks unless it is plain and reserved nowhere.

    Raises DiagnosticError UQ503 for names that no query can carry.
    """
    if not name or _SURROGATE.search(name) or "\0" in name:
        raise fail("UQ503", f"{name!a} cannot be a name in Cypher")
    if "\\u" in name:
        # read as an escape by some engines before anything else, so that it could end the name; by others never
        raise fail("UQ503", f"{name!a} cannot be a name in Cypher: \\u begins an escape in some of its dialects")
    if _PLAIN.fullmatch(name) and name.lower() not in _RESERVED:
        return name
    return "`" + name.replace("`", "``") + "`"


def quote_string(text: str) -> str:
    """The text between single quotes, everything escaped that needs it. Raises DiagnosticError UQ503."""
    if _SURROGATE.search(text):
        raise fail("UQ503", f"the text {text!a} holds half of a surrogate pair and cannot be sent")
    return "'" + "".join(_escape(character) for character in text) + "'"


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    # a backslash-u in a name or string is read by some engines before anything else, so only plain text stays as it is
    return character if character >= " " and character != "\x7f" else f"\\u{ord(character):04x}"


@define
class ParameterBag:
    """Values that travel beside the text as `$p0`, `$p1`, …, or stand in it where `inline` is asked for."""

    inline: bool
    taken: frozenset[str] = frozenset()
    values: dict[str, ParameterValue] = field(factory=dict[str, ParameterValue])
    unbound: dict[str, str] = field(factory=dict[str, str])
    _known: dict[str, str] = field(factory=dict[str, str])

    def add(self, value: ParameterValue) -> str:
        """The text that stands for the value. Equal values of one type share a parameter."""
        if self.inline:
            return literal_text(value)
        key = f"{type(value).__name__}:{value!r}"
        if key not in self._known:
            _check(value)
            name = self._fresh()
            self.values[name] = value
            self._known[key] = f"${name}"
        return self._known[key]

    def user(self, name: str) -> str:
        """The text of a parameter of the table, whose value the caller has yet to give."""
        self.unbound[name] = name
        return f"${quote_name(name)}"

    def _fresh(self) -> str:
        number = len(self.values)
        while f"p{number}" in self.taken or f"p{number}" in self.values:
            number += 1
        return f"p{number}"


def _check(value: ParameterValue) -> None:
    if isinstance(value, str):
        quote_string(value)
    elif isinstance(value, list):
        for one in value:
            _check(one)


def literal_text(value: ParameterValue) -> str:
    """The value as Cypher text."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _float_text(value)
        case str():
            if "\\u" in value:
                # escaped or not, some engines read it as an escape before they look at quotes
                hint = "send it as a parameter"
                raise fail("UQ503", f"the text {value!a} cannot be written into Cypher text", hint=hint)
            return quote_string(value)
        case _:
            return "[" + ", ".join(literal_text(one) for one in value) + "]"


def _float_text(value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        raise fail("UQ503", f"the number {value} cannot be written in Cypher text", hint="send it as a parameter")
    text = repr(value)
    return text if "." in text or "e" in text else f"{text}.0"
