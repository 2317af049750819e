"""What a script of Cypher writes as values: constants, lists, maps, parts of what is bound, and times."""

from __future__ import annotations

import re
from typing import Final

from uniqgen_ir.ir.diagnostics import DiagnosticError, fail
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.terms import Literal
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import XSD, XSD_DATE, XSD_DATE_TIME, XSD_TIME
from uniqgen_ir.kg.property_graph.facts import Value
from uniqgen_ir.kg.property_graph.script_graph import Edge, Node
from uniqgen_ir.kg.property_graph.script_tokens import Token, tokens

_FUNCTIONS: Final = {
    "date": XSD_DATE,
    "datetime": XSD_DATE_TIME,
    "localdatetime": XSD_DATE_TIME,
    "time": XSD_TIME,
    "localtime": XSD_TIME,
    "duration": XSD + "duration",
}

Binding = dict[str, object]
"""What the names of a statement stand for in one row."""


class Cursor:
    """A place in the tokens of a script."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.tokens = tokens(text, source)
        self.place: int = 0
        self.reading_only = False
        """no row is left: what follows is read and done for none"""

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def at(self, text: str) -> bool:
        """Whether this sign or word comes next; nothing: the end."""
        return self.token.is_text(text)

    def take(self, text: str) -> bool:
        if not self.at(text):
            return False
        self.place += 1
        return True

    def need(self, text: str) -> None:
        if not self.take(text):
            raise self.fault("UQ625", f"`{text}` was expected, not {self.token.shown}")

    def name(self) -> str:
        token = self.token
        if token.kind not in ("word", "quoted"):
            raise self.fault("UQ625", f"a name was expected, not {token.shown}")
        self.place += 1
        return token.text

    def fault(self, code: str, message: str, hint: str | None = None) -> DiagnosticError:
        span = Span.at(self.text, self.token.start, max(self.token.end, self.token.start + 1), self.source)
        return fail(code, f"line {span.line} of {self.source}: {message}", span, hint=hint)


class Constants(Cursor):
    """Reads values."""

    def value(self, row: Binding) -> Value:
        return self.storable(self.expression(row))

    def expression(self, row: Binding) -> object:
        value = self.constant(row)
        while self.at(".") or self.at("["):
            value = self.part(value, row)
        return value

    def part(self, value: object, row: Binding) -> object:
        if self.take("."):
            key = self.name()
            if isinstance(value, Node | Edge):
                return value.properties.get(key)
            return value.get(key) if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        self.need("[")
        place = self.expression(row)
        self.need("]")
        if isinstance(value, list) and isinstance(place, int):
            return value[place] if -len(value) <= place < len(value) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return value.get(place) if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]

    def constant(self, row: Binding) -> object:
        token = self.token
        if token.kind in ("text", "number"):
            self.place += 1
            return token.value
        if self.take("-"):
            value = self.constant(row)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return -value
            raise self.fault("UQ625", "only a number has a sign")
        if self.at("["):
            return self.listed(row)
        if self.at("{"):
            return self.map(row)
        if token.kind not in ("word", "quoted"):
            raise self.fault("UQ625", f"a constant was expected, not {token.shown}")
        self.place += 1
        if token.kind == "word" and token.text.lower() in ("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[token.text.lower()]
        if self.at("("):
            return self.call(token, row)
        if token.text in row or self.reading_only:
            return row.get(token.text)
        raise self.fault("UQ625", f"{token.text} is not known here")

    def listed(self, row: Binding) -> list[object]:
        self.need("[")
        items: list[object] = []
        while not self.take("]"):
            items.append(self.expression(row))
            if not self.at("]"):
                self.need(",")
        return items

    def map(self, row: Binding) -> dict[str, object]:
        self.need("{")
        entries: dict[str, object] = {}
        while not self.take("}"):
            key = self.token.value if self.token.kind == "text" else self.name()
            if self.token.kind == "text":
                self.place += 1
            self.need(":")
            entries[str(key)] = self.expression(row)
            if not self.at("}"):
                self.need(",")
        return entries

    def call(self, function: Token, row: Binding) -> Literal:
        datatype = _FUNCTIONS.get(function.text.lower())
        if datatype is None:
            raise self.fault("UQ628", f"the function {function.text} is more than a constant")
        self.need("(")
        text = self.expression(row)
        self.need(")")
        literal = Literal(_seconds_too(str(text)) if datatype in (XSD_DATE_TIME, XSD_TIME) else str(text), datatype)
        if not isinstance(text, str) or value_of(literal) is None:
            raise self.fault("UQ625", f"{function.text}({text!r}) is no {datatype.removeprefix(XSD)}")
        return literal

    def properties(self, value: object) -> dict[str, Value]:
        if value is None:
            return {}
        if isinstance(value, Node | Edge):
            return dict(value.properties)
        if not isinstance(value, dict):
            raise self.fault("UQ625", "properties are a map, `{name: value}`")
        return {str(key): self.storable(one) for key, one in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]

    def storable(self, value: object) -> Value:
        if isinstance(value, list):
            return [self.storable(one) for one in items_of(value)]  # pyright: ignore[reportUnknownArgumentType]
        if value is None or isinstance(value, Literal | str | int | float | bool):
            return value
        raise self.fault("UQ625", "a property holds constants or a list of them")


def items_of(value: object) -> list[object]:
    """The items of a list; of null none, of anything else itself."""
    if isinstance(value, list):
        return list[object](value)  # pyright: ignore[reportUnknownArgumentType]
    return [] if value is None else [value]


def _seconds_too(text: str) -> str:
    """`10:15` as `10:15:00`: seconds may be left out in Cypher."""
    return re.sub(r"(^|T)(\d\d:\d\d)(?!:?\d)", r"\1\2:00", text, count=1)
