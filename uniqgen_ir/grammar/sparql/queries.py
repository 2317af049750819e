"""Whole queries: heads, solution modifiers, and the table that they make."""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from uniqgen_ir.grammar.numbers import LARGEST_SLICE, whole_number
from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.grammar.sparql.groups import TRIPLES, Group
from uniqgen_ir.grammar.sparql.modifiers import Clauses, Item, Modifiers, arrange
from uniqgen_ir.grammar.sparql.patterns import PatternActions, Unbounded
from uniqgen_ir.grammar.sparql.tabling import Head, make_table
from uniqgen_ir.grammar.sparql.terms import Parts, names
from uniqgen_ir.ir.expressions import Aggregate, Call, Expression
from uniqgen_ir.ir.rows import PathAtom, SubTable, Values
from uniqgen_ir.ir.table import Column, Form, OrderKey, Table
from uniqgen_ir.ir.terms import IRI, Variable


@frozen
class QueryParts:
    """One SELECT, ASK, CONSTRUCT or DESCRIBE as it was written, before it became a table."""

    form: Form
    head: Head
    where: Group
    clauses: Clauses
    values: Values | None
    start: int
    end: int


class QueryActions(PatternActions):
    """The builder's methods for queries. The last one, `unit`, gives the table."""

    def __init__(self, context: SparqlContext, base: str | None, unbounded: Unbounded) -> None:
        super().__init__(context, base, unbounded)
        self.queries: list[QueryParts] = []
        """every SELECT, ASK, … as written, the inner ones first"""

    def unit(self, parts: Parts, _start: int, _end: int) -> Table:
        return parts[1]  # type: ignore[no-any-return]

    # ------------------------------------------------------------ heads

    def mode_all(self, _parts: Parts, _start: int, _end: int) -> bool:
        return False

    def mode_distinct(self, _parts: Parts, _start: int, _end: int) -> bool:
        return True

    def mode_reduced(self, _parts: Parts, start: int, end: int) -> bool:
        self.context.note("UQ159", "REDUCED was read as all: no copy of a solution is left out", start, end)
        return False

    def select_all(self, parts: Parts, start: int, end: int) -> Head:
        return Head(parts[1], None, start, end)

    def select_some(self, parts: Parts, start: int, end: int) -> Head:
        return Head(parts[1], parts[2], start, end)

    def idiom_comma(self, parts: Parts, _start: int, _end: int) -> Parts:
        items: Parts = parts[0]
        items.append(parts[2])
        comma = self.context.text.find(",", items[-2].end)
        fix = self.context.fix("remove the comma", (comma, comma + 1, ""))
        self.context.idiom("UQ156", "columns are separated by spaces, not by commas", comma, comma + 1, fix)
        return items

    def item_variable(self, parts: Parts, start: int, end: int) -> Item:
        return Item(Column(parts[0]), start, end)

    def item_named(self, parts: Parts, start: int, end: int) -> Item:
        return Item(Column(parts[1], parts[3]), start, end)

    def idiom_item_bare_named(self, parts: Parts, start: int, end: int) -> Item:
        fix = self.context.fix("put it in brackets", (start, start, "("), (end, end, ")"))
        self.context.idiom("UQ155", "a computed column stands in brackets", start, end, fix)
        return Item(Column(parts[0], parts[2]), start, end)

    def idiom_item_bare(self, parts: Parts, start: int, end: int) -> Item:
        name = self.fresh_name(parts[0])
        fix = self.context.fix("name it", (start, start, "("), (end, end, f" AS ?{name.name})"))
        message = f"a computed column needs brackets and a name; it is called ?{name.name}"
        self.context.idiom("UQ155", message, start, end, fix, _distinct_hint(parts[0], self.context.text[:start]))
        return Item(Column(parts[0], name), start, end)

    def idiom_item_unnamed(self, parts: Parts, start: int, end: int) -> Item:
        expression: Expression = parts[1]
        name = self.fresh_name(expression)
        fix = self.context.fix("name it", (end - 1, end - 1, f" AS ?{name.name}"))
        if isinstance(expression, Aggregate):
            message = f"an aggregate in the head needs a name; its column is called ?{name.name}"
            self.context.idiom("UQ155", message, start, end, fix)
        elif isinstance(expression, Variable):
            fix = self.context.fix("remove the brackets", (start, end, f"?{expression.name}"))
            self.context.report("UQ168", "a variable in the head stands without brackets", start, end, fix=fix)
        else:
            self.context.report("UQ168", "a computed column needs a name, as in `(… AS ?name)`", start, end, fix=fix)
        return Item(Column(expression, name), start, end)

    def fresh_name(self, expression: Expression) -> Variable:
        """A name for a column that has none: `?count`."""
        stem = expression.function if isinstance(expression, Aggregate | Call) else "value"
        if f"?{stem}" not in self.context.text and f"${stem}" not in self.context.text:
            return Variable(stem)
        return self.fresh(stem)

    # ------------------------------------------------------------ solution modifiers

    def group_by(self, parts: Parts, start: int, end: int) -> Modifiers:
        return Modifiers("group", parts[2], start, end)

    def having(self, parts: Parts, start: int, end: int) -> Modifiers:
        return Modifiers("having", parts[1], start, end)

    def idiom_having(self, parts: Parts, start: int, end: int) -> Modifiers:
        begin = start + len("HAVING")
        while self.context.text[begin].isspace():
            begin += 1
        condition = self.chain([parts[1]], begin, end)
        fix = self.context.fix("put it in brackets", (begin, begin, "("), (end, end, ")"))
        self.context.idiom("UQ153", "a condition after HAVING stands in brackets", begin, end, fix)
        return Modifiers("having", [condition], start, end)

    def order_by(self, parts: Parts, start: int, end: int) -> Modifiers:
        return Modifiers("order", parts[2], start, end)

    def limit(self, parts: Parts, start: int, end: int) -> Modifiers:
        return Modifiers("limit", self._whole(parts[1], "LIMIT", start, end), start, end)

    def offset(self, parts: Parts, start: int, end: int) -> Modifiers:
        return Modifiers("offset", self._whole(parts[1], "OFFSET", start, end), start, end)

    def _whole(self, digits: str, word: str, start: int, end: int) -> int:
        number = whole_number(digits, LARGEST_SLICE)
        if number is None:
            self.context.report("UQ131", f"{word} takes a whole number up to {LARGEST_SLICE}", start, end)
        return number or 0

    def key_expression(self, parts: Parts, start: int, end: int) -> Column:
        return self._key(parts[0], None, start, end)

    def key_bracketed(self, parts: Parts, start: int, end: int) -> Column:
        return self._key(parts[1], None, start, end)

    def key_named(self, parts: Parts, start: int, end: int) -> Column:
        return self._key(parts[1], parts[3], start, end)

    def _key(self, expression: Expression, name: Variable | None, start: int, end: int) -> Column:
        self.refuse_aggregate(expression, "GROUP BY", start, end)
        if name is None and not isinstance(expression, Variable):
            name = self.fresh("group")
        return Column(expression, name)

    def order_ascending(self, parts: Parts, _start: int, _end: int) -> OrderKey:
        return OrderKey(parts[0])

    def order_bracketed(self, parts: Parts, _start: int, _end: int) -> OrderKey:
        return OrderKey(parts[2], parts[0].upper() == "DESC")

    def idiom_order_bare(self, parts: Parts, start: int, end: int) -> OrderKey:
        word = parts[0].upper()
        fix = self.context.fix("put it in brackets", (start, end, f"{word}(?{parts[1].name})"))
        self.context.idiom("UQ157", f"{word} takes its key in brackets", start, end, fix)
        return OrderKey(parts[1], word == "DESC")

    # ------------------------------------------------------------ queries

    def from_graph(self, parts: Parts, _start: int, end: int) -> None:
        start = self.context.text.upper().rfind("FROM", 0, end)
        self.context.report(
            "UQ148", f"FROM {parts[-1]} is not supported: the graph is given when the query runs", start, end
        )

    from_named = from_graph

    def select_query(self, parts: Parts, start: int, end: int) -> Table:
        head, _, where, modifiers, values = parts
        return self._table(Form.SELECT, head, where, modifiers, values, start, end)

    def subselect(self, parts: Parts, start: int, end: int) -> tuple[Table, int, int]:
        head, where, modifiers, values = parts
        return self._table(Form.SELECT, head, where, modifiers, values, start, end), start, end

    def ask_query(self, parts: Parts, start: int, end: int) -> Table:
        _, _, where, modifiers, values = parts
        return self._table(Form.ASK, Head(True, [], start, start + 3), where, modifiers, values, start, end)

    def construct_query(self, parts: Parts, start: int, end: int) -> Table:
        _, template, _, where, modifiers, values = parts
        self.check_labels(template)
        self.blank_segments.clear()
        return self._construct(template, where, modifiers, values, start, end)

    def construct_short(self, parts: Parts, start: int, end: int) -> Table:
        _, _, _, where, modifiers, values = parts
        return self._construct(where, where, modifiers, values, start, end)

    def _construct(self, template: Group, where: Group, modifiers: Parts, values: Any, start: int, end: int) -> Table:
        for payload, part_start, part_end in template.elements:
            if not isinstance(payload, TRIPLES) or isinstance(payload, PathAtom):
                message = "a template of CONSTRUCT holds plain triples only"
                self.context.report("UQ169", message, part_start, part_end)
        wanted, bound = template.visible(), where.visible()
        items = [Item(Column(one), start, start) for one in wanted if one in bound and one not in self.blank_variables]
        shown = f"the columns are {names([one.column.variable for one in items])}" if items else "there are no columns"
        message = f"CONSTRUCT was read as its pattern; {shown}"
        self.context.note("UQ174", message, start, start + len("CONSTRUCT"))
        return self._table(Form.SELECT, Head(False, items, start, start), where, modifiers, values, start, end)

    def described_all(self, _parts: Parts, _start: int, _end: int) -> None:
        """`DESCRIBE *`."""

    def describe_query(self, parts: Parts, start: int, end: int) -> Table:
        _, described, _, where, modifiers, values = parts
        group: Group = where if where is not None else Group([], start, end)
        message = "DESCRIBE was read as its pattern; the columns are the resources to be described"
        self.context.note("UQ174", message, start, start + len("DESCRIBE"))
        if described is None:
            return self._table(Form.SELECT, Head(False, None, start, end), group, modifiers, values, start, end)
        items = [Item(Column(one), start, start) for one in described if isinstance(one, Variable)]
        resources = [one for one in described if isinstance(one, IRI)]
        if resources:
            resource = self.fresh_name(described[0]) if not items else self.fresh("resource")
            group.elements.append((Values((resource,), tuple((one,) for one in resources)), start, start))
            items.append(Item(Column(resource), start, start))
        return self._table(Form.SELECT, Head(False, items, start, start), group, modifiers, values, start, end)

    def _table(
        self, form: Form, head: Head, where: Group, modifiers: Parts, values: Any, start: int, end: int
    ) -> Table:
        clauses = arrange(self.context, modifiers)
        self.queries.append(QueryParts(form, head, where, evolve(clauses), values, start, end))
        if values is not None and (clauses.group or clauses.having or head.has_aggregates()):
            # VALUES after a grouped query joins with its groups
            return self._values_after_groups(form, head, where, modifiers, values, start, end)
        return make_table(self, form, head, where, clauses, values, start, end)

    def _values_after_groups(
        self, form: Form, head: Head, where: Group, modifiers: Parts, values: Values, start: int, end: int
    ) -> Table:
        shaping = [one for one in modifiers if one.kind in ("group", "having")]
        keys = [key for one in modifiers if one.kind == "group" for key in one.value]
        items = list(head.items or ())
        given = {one.column.variable for one in items}
        extra = [Item(Column(key.variable), start, start) for key in keys if key.variable not in given]
        inner_head = Head(False, [*items, *extra], head.start, head.end)
        inner = make_table(self, Form.SELECT, inner_head, where, arrange(self.context, shaping), None, start, end)
        self.has_inner_rows = True
        outer = Group([(SubTable(inner), start, end), (values, start, end)], start, end)
        outer_items = [Item(Column(one.column.variable), one.start, one.end) for one in items]
        rest = arrange(self.context, [one for one in modifiers if one.kind not in ("group", "having")])
        return make_table(
            self, form, Head(head.distinct, outer_items, head.start, head.end), outer, rest, None, start, end
        )


def _distinct_hint(expression: Expression, before: str) -> str | None:
    if isinstance(expression, Aggregate) and not expression.distinct and before.upper().rstrip().endswith("DISTINCT"):
        return "this counts every value, equal ones too; to count different values write COUNT(DISTINCT …)"
    return None
