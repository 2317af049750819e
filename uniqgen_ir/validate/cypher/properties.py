"""Properties that do not exist, and what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Final

from uniqgen_ir.grammar.cypher import ast
from uniqgen_ir.grammar.cypher import ast_expressions as expressions
from uniqgen_ir.grammar.cypher.context import Context, replace
from uniqgen_ir.ir.diagnostics import Edit, Fix
from uniqgen_ir.validate.cypher.kinds import KindIndex
from uniqgen_ir.validate.cypher.names import NameChecker, listed, near, written
from uniqgen_ir.validate.cypher.network import Edge
from uniqgen_ir.validate.cypher.state import State
from uniqgen_ir.validate.cypher.types import UNKNOWN, EdgeType, NodeType, Scalar, Type, family, of_declaration

_ROLES: Final = (
    frozenset({"name", "title", "label", "caption", "fullname", "displayname", "text", "heading", "username"}),
    frozenset({"born", "birthyear", "birthdate", "dateofbirth", "yearofbirth", "birth", "birthday", "dob"}),
    frozenset({"released", "year", "releaseyear", "yearreleased", "releasedate", "published", "publicationyear"}),
    frozenset({"id", "identifier", "key", "code", "uuid", "uid"}),
    frozenset({"rating", "score", "stars", "grade", "rank"}),
    frozenset({"amount", "value", "total", "sum", "price", "cost"}),
    frozenset({"date", "time", "timestamp", "datetime", "createdat", "created", "when"}),
    frozenset({"since", "from", "start", "startdate", "begin"}),
    frozenset({"until", "to", "end", "enddate"}),
    frozenset({"description", "summary", "plot", "tagline", "abstract", "overview", "comment"}),
)
"""Names that do the same for things of different kinds."""
_NO_ROLE: Final[frozenset[str]] = frozenset()
_PARTS: Final = {
    "date": {
        "year",
        "month",
        "day",
        "quarter",
        "week",
        "weekyear",
        "dayofweek",
        "weekday",
        "dayofquarter",
        "quarterday",
    },
    "time": {"hour", "minute", "second", "millisecond", "microsecond", "nanosecond", "timezone", "offset"},
}
_DATE_PARTS: Final = frozenset(_PARTS["date"] | {"ordinalday"})
_TIME_PARTS: Final = frozenset(_PARTS["time"] | {"offsetminutes", "offsetseconds"})


def role(key: str) -> frozenset[str]:
    """The names that do what this one does."""
    bare = key.lower().replace("_", "")
    return next((names for names in _ROLES if bare in names), _NO_ROLE)


class PropertyChecker:
    """Checks property keys against what their holders have."""

    def __init__(self, context: Context, index: KindIndex | None) -> None:
        self.context = context
        self.index = index
        self.shown: dict[int, set[str]] = {}

    @property
    def names(self) -> NameChecker:
        """Checks of labels; there must be a schema."""
        assert self.index is not None
        return NameChecker(self.context, self.index)

    # ---- holders -----------------------------------------------------------------------------------------------------

    def of_node(
        self, operand: expressions.Expression, holder: NodeType, key: expressions.Name, state: State, *, shown: bool
    ) -> Type:
        """The type of a node's property."""
        index = self.index
        if index is None:
            return UNKNOWN
        kinds = holder.mask & index.with_property(key.text)
        if kinds:
            properties = index.properties(kinds & ~index.open) if kinds & ~index.open else {}
            return of_declaration(properties.get(key.text, "ANY"))
        properties = index.properties(index.usual(holder.mask))
        message = f"{index.names(holder.mask)} has no property `{key.text}`"
        if holder.mask == index.everything:
            message = f"nothing in the schema has a property `{key.text}`"
            if key.text in index.graph.property_names:
                message = f"no node has a property `{key.text}`, only relationships"
        fix = self._fix_of_node(operand, holder, key, state, properties, shown=shown)
        self._report(message, key, properties, fix)
        return UNKNOWN

    def of_edge(self, operand: expressions.Expression, holder: EdgeType, key: expressions.Name, state: State) -> Type:
        """The type of a relationship's property."""
        index = self.index
        if index is None or holder.types is None:
            return UNKNOWN
        properties = index.edge_properties(holder.types)
        if properties is None or not holder.types:
            return UNKNOWN
        if key.text in properties:
            return of_declaration(properties[key.text])
        named = " or ".join(sorted(holder.types)[:3]) if len(holder.types) <= 3 else "a relationship of these types"
        fix = self._certain(key, properties) or self._end_of_edge(operand, key, state) or self._likely(key, properties)
        self._report(f"{named} has no property `{key.text}`", key, properties, fix)
        return UNKNOWN

    def of_value(self, holder: Scalar, key: expressions.Name) -> Type:
        """The part of a date or a point; other values have none."""
        kind, part = family(holder), key.text.lower()
        if kind in ("string", "number", "boolean"):
            message = f"a {kind} has no properties, so no `{key.text}`"
            self.context.report("UQ194", message, key.start, key.end)
            return UNKNOWN
        if (kind == "date" and part in _TIME_PARTS) or (kind == "time" and part in _DATE_PARTS):
            self.context.report("UQ194", f"a {kind} has no {key.text}", key.start, key.end)
        return Scalar("INTEGER") if part in _DATE_PARTS or part in _TIME_PARTS - {"timezone", "offset"} else UNKNOWN

    def quoted(self, holder: NodeType | EdgeType, key: expressions.Name) -> Type:
        """`n['key']`: the key may come from outside, so only its type is looked up."""
        index = self.index
        if index is None:
            return UNKNOWN
        known = (
            index.properties(holder.mask) if isinstance(holder, NodeType) else index.edge_properties(holder.types or ())
        )
        return of_declaration((known or {}).get(key.text, "ANY"))

    def in_pattern(self, holder: Type, key: expressions.Name) -> Type:
        """A key in the map of a pattern: `(p:Person {name: …})`."""
        index = self.index
        if index is None:
            return UNKNOWN
        if isinstance(holder, NodeType):
            known: Mapping[str, str] | None = index.properties(holder.mask)
            if holder.mask & index.with_property(key.text):
                return of_declaration((known or {}).get(key.text, "ANY"))
            named = index.names(holder.mask) if holder.mask != index.everything else "nothing in the schema"
        elif isinstance(holder, EdgeType) and holder.types:
            known = index.edge_properties(holder.types)
            if known is None or key.text in known:
                return of_declaration((known or {}).get(key.text, "ANY"))
            named = " or ".join(sorted(holder.types)[:3])
        else:
            return UNKNOWN
        message = f"{named} has no property `{key.text}`"
        self._report(message, key, known, self._certain(key, known) or self._likely(key, known))
        return UNKNOWN

    def _report(self, message: str, key: expressions.Name, known: Mapping[str, str] | None, fix: Fix | None) -> None:
        hint = fix.title if fix is not None else listed(known or (), "it has no properties")
        self.context.report("UQ442", message, key.start, key.end, hint=hint, fix=fix)

    # ---- repairs -----------------------------------------------------------------------------------------------------

    def _fix_of_node(
        self,
        operand: expressions.Expression,
        holder: NodeType,
        key: expressions.Name,
        state: State,
        known: Mapping[str, str],
        *,
        shown: bool,
    ) -> Fix | None:
        if shown:
            # what the projection shows already was not meant
            before = self.context.text[operand.end : key.start]
            known = {name: type_ for name, type_ in known.items() if f".{name}" not in before}
        certain = self._certain(key, known)
        if certain is not None or not isinstance(operand, expressions.Variable):
            return certain or self._likely(key, known)
        edge = None if shown else self._edge_beside(operand, key, state)
        if edge is not None:
            return edge
        # who wrote the label knew what the variable is, so it is the variable that is wrong
        other = self._other_variable(operand, key, state) if holder.declared and not shown else None
        return other or self._likely(key, known) or (self._left_over(key, known) if shown else None)

    def _certain(self, key: expressions.Name, known: Iterable[str] | None) -> Fix | None:
        found = near(key.text, known or ())
        return self._rename(key, found[0]) if found is not None and found[1] else None

    def _likely(self, key: expressions.Name, known: Iterable[str] | None) -> Fix | None:
        names = list(known or ())
        found = near(key.text, names)
        if found is not None:
            return self._rename(key, found[0], safe=found[1])
        alike = [one for one in names if one.lower().replace("_", "") in role(key.text)]
        return self._rename(key, alike[0], safe=False) if len(alike) == 1 else None

    def _rename(self, key: expressions.Name, name: str, *, safe: bool = True) -> Fix:
        return replace(key.start, key.end, written(name), f"write `{name}`", safe=safe)

    def _edge_beside(self, operand: expressions.Variable, key: expressions.Name, state: State) -> Fix | None:
        """The property belongs to a relationship of this node: read it there, naming the relationship if need be."""
        index = self.index
        assert index is not None
        found: list[Edge] = []
        for edge, places in state.edges:
            ends = (places[edge.left], places[edge.right])
            beside = any(_is_named(element, operand.name) for place in ends for element in place.elements)
            properties = index.edge_properties(edge.types or ())
            if beside and edge.bounds is None and properties and key.text in properties:
                found.append(edge)
        if len(found) != 1:
            return None
        element = found[0].element
        if element.variable is not None:
            name = element.variable.text
            if name not in state.types:
                return None
            edits: tuple[Edit, ...] = (Edit(operand.start, operand.end, written(name)),)
        else:
            name = fresh_name("r", self.context.text)
            opening = self.context.text.find("[", element.start, element.end)
            if opening < 0:
                return None
            edits = (Edit(opening + 1, opening + 1, name), Edit(operand.start, operand.end, name))
        return Fix(f"`{key.text}` is a property of the relationship: write {name}.{key.text}", edits, safe=False)

    def _end_of_edge(self, operand: expressions.Expression, key: expressions.Name, state: State) -> Fix | None:
        """The property belongs to a node at an end of this relationship."""
        if not isinstance(operand, expressions.Variable):
            return None
        index = self.index
        assert index is not None
        names: set[str] = set()
        for edge, places in state.edges:
            if edge.element.variable is not None and edge.element.variable.text == operand.name:
                names |= {
                    element.variable.text
                    for place in (places[edge.left], places[edge.right])
                    if place.mask & index.with_property(key.text) & ~index.open
                    for element in place.elements
                    if element.variable is not None
                }
        return self._switch(operand, key, names & set(state.types))

    def _other_variable(self, operand: expressions.Variable, key: expressions.Name, state: State) -> Fix | None:
        """Another variable has this property, and only one."""
        index = self.index
        assert index is not None
        names: set[str] = set()
        for name, type_ in state.types.items():
            if name == operand.name:
                continue
            if isinstance(type_, NodeType) and type_.mask != index.everything:
                if type_.mask & index.with_property(key.text) & ~index.open:
                    names.add(name)
            elif isinstance(type_, EdgeType) and type_.types and key.text in (index.edge_properties(type_.types) or {}):
                names.add(name)
        return self._switch(operand, key, names)

    def _switch(self, operand: expressions.Variable, key: expressions.Name, names: set[str]) -> Fix | None:
        if len(names) != 1:
            return None
        name = names.pop()
        title = f"`{name}` has a property `{key.text}`: write {written(name)}.{key.text}"
        return replace(operand.start, operand.end, written(name), title, safe=False)

    def _left_over(self, key: expressions.Name, known: Mapping[str, str]) -> Fix | None:
        """In a map projection: the one property that is not shown yet."""
        return self._rename(key, next(iter(known)), safe=False) if len(known) == 1 else None


def fresh_name(wish: str, text: str) -> str:
    """A variable that the query does not have."""
    words = _words(text)
    return next(name for name in chain((wish,), _numbered(wish, len(words))) if name not in words)


def _numbered(wish: str, count: int) -> Iterator[str]:
    return (f"{wish}{number}" for number in range(1, count + 2))


@lru_cache(maxsize=4)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


def _is_named(element: ast.NodePattern, name: str) -> bool:
    return element.variable is not None and element.variable.text == name
