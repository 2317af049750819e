"""The head and shell of a table as the last clauses of a Cypher query."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, evolve, field

from uniqgen_ir.backends.cypher.clauses import Clause, Context
from uniqgen_ir.backends.cypher.conjunction import ConjunctionWriter
from uniqgen_ir.backends.cypher.operands import NOTHING, NUMBER, TEXT, TIME, Operand
from uniqgen_ir.backends.cypher.quoting import quote_name
from uniqgen_ir.backends.cypher.replace import Figure, averaged, figure_of, figures, replace_figures
from uniqgen_ir.backends.cypher.values import encode, term_key
from uniqgen_ir.ir.analysis import has_aggregate, visible_variables
from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.evaluation.shell import group_columns
from uniqgen_ir.ir.expressions import Aggregate, Call, Expression, Not
from uniqgen_ir.ir.table import Column, Form, OrderKey, Table
from uniqgen_ir.ir.terms import Variable
from uniqgen_ir.ir.vocabulary import INTEGER_DATATYPES, XSD_BOOLEAN, XSD_DATE, XSD_DOUBLE, XSD_INTEGER, XSD_STRING

TERM = "term"
"""The kind of a column that encodes any term; other kinds are a datatype, `plain` or `average`."""


@define
class Returned:
    """The end of one branch: clauses, and per column the expression, its kind, and what it stands for."""

    clauses: list[Clause]
    texts: list[str]
    kinds: list[str]
    operands: list[Operand | None]
    order: list[tuple[str, str]] = field(factory=list[tuple[str, str]])
    """sort keys: an expression, and ` DESC` or nothing"""


@define
class ShellWriter:
    """Writes what follows the rows of one branch."""

    context: Context
    table: Table
    body: ConjunctionWriter
    empty: bool = False
    """whether the rows are known to have no solution"""
    _aggregates: dict[Figure, Operand] = field(factory=dict["Figure", Operand])
    _staged_items: list[str] = field(factory=list[str])

    def finish(self) -> Returned:
        """The end of the branch. The RETURN itself is put together by the renderer."""
        shell = self.table.shell
        if shell.form is Form.ASK:
            return self._ask()
        groups = group_columns(self.table)
        if groups is None:
            if shell.extreme is not None:
                self._best(
                    shell.extreme.largest, self.body.expressions.value(shell.extreme.by), list(self.body.clauses)
                )
            return self._plain()
        return self._grouped(groups)

    def _ask(self) -> Returned:
        shell = self.table.shell
        if group_columns(self.table) is not None or shell.extreme is not None or shell.offset or shell.limit == 0:
            raise fail("UQ500", "a yes/no question over groups cannot be written in Cypher")
        once = Clause("WITH", ("1 AS found",))
        limit = Clause("LIMIT", ("1",))
        return Returned([*self.body.clauses, once, limit], ["count(*) > 0"], [XSD_BOOLEAN], [None])

    # --- without groups -------------------------------------------------------------------------------------------

    def _plain(self) -> Returned:
        variables = self.table.columns or visible_variables(self.table.rows)
        columns = self.table.head or tuple(Column(one) for one in variables)
        result = Returned(self.body.clauses, [], [], [])
        for column in columns:
            operand = self._value(column.expression)
            if column.alias is not None:
                self.body.bound[column.alias] = operand
            self._add(result, operand)
        result.order = [
            text for key, own in self._order_keys() for text in self._order(key, self._value(key.expression), own)
        ]
        return result

    def _value(self, expression: Expression) -> Operand:
        return self.body.expressions.value(expression)

    def _add(self, result: Returned, operand: Operand) -> None:
        text, kind = self.column(operand)
        result.texts.append(text)
        result.kinds.append(kind)
        result.operands.append(operand)

    def column(self, operand: Operand) -> tuple[str, str]:
        """What a column returns, and its kind."""
        layout = self.context.layout
        match operand.kind:
            case "null":
                return ("cast(NULL AS STRING)" if self.context.dialect.typed_null else "NULL"), TERM
            case "node" | "edge" if layout.key is None:
                return operand.text, operand.kind
            case "node" | "edge" | "type":
                return self.body.comparer.identity(operand), TERM
            case "literal":
                return f"{operand.text}.id", TERM
            case "constant":
                assert operand.constant is not None
                if layout.lossless:
                    return self.context.bag.add(encode(operand.constant)), TERM
                return self.body.expressions.comparer.plain(operand), "plain"
            case "value":
                if layout.lossless and (operand.datatype not in _RETURNED or not operand.exact):
                    raise fail("UQ500", "this engine cannot return the calculated value exactly")
                return operand.text, operand.datatype or "plain"
            case "moment" | "place":
                raise fail("UQ500", "this engine cannot return the calculated value exactly")
            case _:
                return operand.text, TERM

    def _order_keys(self) -> list[tuple[OrderKey, bool]]:
        """The sort keys, and whether what is unbound comes last there: `not bound(?x), ?x` is Cypher's own order."""
        found: list[tuple[OrderKey, bool]] = []
        last: OrderKey | None = None
        for key in self.table.shell.order:
            match last.expression if last is not None else None:
                case Not(Call("bound", (variable,))) if variable == key.expression and self._orders_nulls_last:
                    own = last is not None and last.descending == key.descending
                case _:
                    own = False
            if own:
                found.pop()
            found.append((key, own))
            last = key
        return found

    @property
    def _orders_nulls_last(self) -> bool:
        return not self.context.layout.lossless

    def _order(self, key: OrderKey, operand: Operand, own: bool) -> list[tuple[str, str]]:
        """The texts to sort by. `own`: nulls as Cypher has them."""
        direction = " DESC" if key.descending else ""
        text, nullable = self._order_text(operand), operand.nullable and not own
        if text in ("(true)", "(false)"):
            return []
        # SPARQL puts what is unbound before everything, Cypher after
        keys = [(f"{text} IS NOT NULL", direction)] if nullable and not self.table.shell.distinct else []
        return [*keys, (text, direction)]

    def _order_text(self, operand: Operand) -> str:
        if operand.kind in ("moment", "place"):
            return operand.text
        if operand.kind == "literal":
            return f"{operand.text}.place"
        if operand.kind == "constant":
            return self.body.expressions.comparer.plain(operand)
        return self.column(operand)[0]

    # --- superlatives ---------------------------------------------------------------------------------------------

    def _best(self, largest: bool, measure: Operand, again: Sequence[Clause]) -> None:
        """Find the best value first, then match again and keep the solutions that have it."""
        measure = self._measure(measure)
        if measure.kind not in ("value", "moment", "place") or measure.category not in (NUMBER, TEXT, TIME, None):
            raise fail("UQ500", "only numbers, texts and dates of one kind can be compared for the largest here")
        best = self.context.fresh("best")
        function = "max" if largest else "min"
        found = Clause("WITH", (f"{function}({measure.text}) AS {best}",))
        self.body.clauses[:] = [*self.body.clauses, found, *(_carrying(one, best) for one in again)]
        self.body.where(None, f"{measure.text} = {best}")

    # --- groups ---------------------------------------------------------------------------------------------------

    def _grouped(self, groups: tuple[Column, ...]) -> Returned:
        shell = self.table.shell
        dialect = self.context.dialect
        named = dialect.groups_by_names and bool(groups)
        simple = not shell.having and shell.extreme is None and self._head_is_enough(groups)
        if simple and not groups and len(self.table.head) == 1:
            found = self._extreme_term(self.table.head[0].expression)
            if found is not None:
                return found
        direct = simple and dialect.nested_aggregates and not named
        return self._directly(groups) if direct else self._staged(groups)

    def _head_is_enough(self, groups: tuple[Column, ...]) -> bool:
        shown = {column.variable for column in self.table.head}
        expressions = [column.expression for column in self.table.head]
        expressions += [key.expression for key in self.table.shell.order]
        direct = all(isinstance(one, Variable) or figure_of(one) is not None for one in expressions)
        return direct and all(column.variable in shown for column in groups)

    def _directly(self, groups: tuple[Column, ...]) -> Returned:
        for column in groups:
            if column.alias is not None:
                self.body.bound[column.alias] = self._value(column.expression)
        result = Returned(self.body.clauses, [], [], [])
        for column in self.table.head:
            expression = column.expression
            operand = self._figure_or_value(expression)
            if column.alias is not None:
                self.body.bound[column.alias] = operand
            self._add(result, operand)
        for key, own in self._order_keys():
            operand = self._figure_or_value(key.expression)
            result.order += self._order(key, operand, own)
        return result

    def _extreme_term(self, expression: Expression) -> Returned | None:
        """`max(?x)` of everything, over values that have nodes: the largest place first, then what stands there."""
        if not isinstance(expression, Aggregate) or expression.function not in ("min", "max"):
            return None
        operand = self._value(expression.operand) if expression.operand is not None else NOTHING
        if operand.kind != "literal" or operand.nullable:
            return None
        place = Operand("place", f"{operand.text}.place")
        self._best(expression.function == "max", place, list(self.body.clauses))
        result = Returned(self.body.clauses, [], [], [])
        self._add(result, Operand("term", f"min({operand.text}.id)", nullable=True))
        return result

    def _staged(self, groups: tuple[Column, ...]) -> Returned:
        """Group in a WITH, so that conditions, orders and calculations can follow."""
        before = list(self.body.clauses)
        stage, bound = self._stage(groups)
        self.body.clauses.append(stage)
        self.body.bound = bound
        extreme = self.table.shell.extreme
        for column in self.table.head:
            if column.alias is not None:
                self.body.bound[column.alias] = self._over_groups(column.expression)
        for condition in self.table.shell.having:
            self.body.where(None, self.body.expressions.condition(self._replaced(condition)))
        if extreme is not None:
            self._best(extreme.largest, self._over_groups(extreme.by), [*before, *self.body.clauses[len(before) :]])
        result = Returned(self.body.clauses, [], [], [])
        for column in self.table.head:
            self._add(
                result, self.body.bound[column.variable] if column.alias else self._over_groups(column.expression)
            )
        for key, own in self._order_keys():
            result.order += self._order(key, self._over_groups(key.expression), own)
        return result

    def _stage(self, groups: tuple[Column, ...]) -> tuple[Clause, dict[Variable, Operand]]:
        items = self._staged_items
        bound: dict[Variable, Operand] = {}
        for column in groups:
            operand = self._value(column.expression)
            if operand.kind in ("node", "edge", "literal"):
                items.append(operand.text)
                bound[column.variable] = operand
            else:
                name = quote_name(self.context.fresh("group"))
                items.append(self._group_item(self.column(operand)[0], name))
                kind = operand.kind if operand.kind in ("value", "iri") else "term"
                bound[column.variable] = evolve(operand, text=name, kind=kind)
        for aggregate in self._all_aggregates():
            before = len(items)
            operand = self._aggregate(aggregate)
            # where its parts have names, what is made of them comes later
            text = operand.text if len(items) > before else self._staged_item(operand.text, "total")
            self._aggregates[aggregate] = evolve(operand, text=text)
        return Clause("WITH", tuple(items), groups=tuple(one.text for one in bound.values())), bound

    def _group_item(self, text: str, name: str) -> str:
        """What a group is formed by; some dialects group by names only, so the value gets one before."""
        if not self.context.dialect.groups_by_names:
            return f"{text} AS {name}"
        self.body.clauses.append(Clause("LET", (f"{name} = {text}",)))
        return name

    def _figure_or_value(self, expression: Expression) -> Operand:
        figure = figure_of(expression)
        return self._value(expression) if figure is None else self._aggregate(figure)

    def _all_aggregates(self) -> list[Figure]:
        shell = self.table.shell
        expressions = [column.expression for column in self.table.head] + list(shell.having)
        expressions += [key.expression for key in shell.order] + ([shell.extreme.by] if shell.extreme else [])
        return list({one: None for top in expressions for one in figures(top)})

    def _over_groups(self, expression: Expression) -> Operand:
        figure = figure_of(expression)
        return self._value(self._replaced(expression)) if figure is None else self._aggregates[figure]

    def _replaced(self, expression: Expression) -> Expression:
        """The expression with aggregates replaced by variables that stand for their columns."""

        def stand_in(aggregate: Figure) -> Variable:
            variable = Variable(f" aggregate {list(self._aggregates).index(aggregate)}")
            self.body.bound[variable] = self._aggregates[aggregate]
            return variable

        return replace_figures(expression, stand_in) if has_aggregate(expression) else expression

    def _aggregate(self, aggregate: Figure) -> Operand:
        if isinstance(aggregate, Call):
            return self._mean(averaged(aggregate))
        distinct = "DISTINCT " if aggregate.distinct else ""
        if aggregate.operand is None:
            if aggregate.distinct:
                raise fail("UQ500", "count(distinct) without a variable cannot be written in Cypher")
            return Operand("value", "count(*)", XSD_INTEGER)
        operand = self._value(aggregate.operand)
        if aggregate.function == "count":
            return Operand("value", f"count({distinct}{self._counted(operand)})", XSD_INTEGER)
        return self._figure(aggregate, operand, distinct)

    def _counted(self, operand: Operand) -> str:
        return operand.text if operand.kind in ("node", "edge", "literal") else self.column(operand)[0]

    def _figure_of_nothing(self, name: str) -> Operand:
        """Over no solution a sum and an average are 0 in SPARQL; over solutions without a value there is no figure."""
        if self.empty and name in ("sum", "avg"):
            return Operand("value", f"CASE WHEN {self._part('count(*)')} = 0 THEN 0 END", XSD_INTEGER, nullable=True)
        typed = self.context.dialect.typed_null
        return Operand("value", "min(cast(NULL AS STRING))" if typed else "min(NULL)", XSD_STRING, nullable=True)

    def _measure(self, operand: Operand) -> Operand:
        """What orders values that have nodes of their own: their value where that can be compared, else their place."""
        if operand.kind != "literal":
            return operand
        if operand.categories == frozenset({NUMBER}) and operand.exact:
            return Operand("value", f"{operand.text}.number", XSD_DOUBLE, operand.nullable, exact=False)
        if operand.categories == frozenset({TEXT}):
            return Operand("value", f"{operand.text}.text", XSD_STRING, operand.nullable)
        if operand.categories == frozenset({TIME}) and operand.exact and len(operand.clocks) == 1:
            return Operand("moment", f"{operand.text}.moment", None, operand.nullable, clocks=operand.clocks)
        return Operand("place", f"{operand.text}.place", None, operand.nullable)

    def _figure(self, aggregate: Aggregate, operand: Operand, distinct: str) -> Operand:
        name = aggregate.function
        if operand.kind == "null":
            return self._figure_of_nothing(name)
        if name in ("sample", "min") and operand.is_entity and name == "sample":
            return Operand("term", f"min({self.column(operand)[0]})", nullable=True)
        if name in ("min", "max"):
            operand = self._measure(operand)
        if operand.kind in ("moment", "place") and name in ("min", "max"):
            text = f"{name}({operand.text})"
            if operand.kind == "place" and not operand.nullable:
                return evolve(operand, text=text, nullable=True)
            return evolve(operand, text=self._unless_missing(operand, text), nullable=True)
        if operand.kind != "value" or name in ("sample", "group_concat"):
            raise fail("UQ500", f"{name} of these values cannot be written in this dialect of Cypher")
        lossless = self.context.layout.lossless
        whole = operand.datatype in INTEGER_DATATYPES
        if name in ("sum", "avg") and lossless and not (whole and name == "sum"):
            raise fail("UQ500", f"{name} cannot be calculated exactly in this engine", hint="run it on another engine")
        text = f"{name}({distinct}{operand.text})"
        if name == "sum" and lossless:
            text = self.context.dialect.casts["integer"][0].format(f"coalesce({text}, 0)")
        if operand.nullable:
            text = self._unless_missing(operand, text)
        return Operand("value", text, operand.datatype, nullable=True)

    def _mean(self, expression: Expression | None) -> Operand:
        """The mean of what is there, as Cypher has it."""
        operand = NOTHING if expression is None else self._value(expression)
        if operand.kind == "null":
            return self._figure_of_nothing("min")
        whole = operand.datatype in INTEGER_DATATYPES
        if operand.kind != "value" or (self.context.layout.lossless and not whole):
            raise fail("UQ500", "avg cannot be calculated exactly in this engine", hint="run it on another engine")
        return Operand("value", f"avg({operand.text})", XSD_DOUBLE if whole else None, nullable=True)

    def _unless_missing(self, operand: Operand, text: str) -> str:
        """One value that is missing spoils a figure in SPARQL; over no solution at all a sum is 0."""
        every, given, figure = (self._part(one) for one in ("count(*)", f"count({operand.text})", text))
        return f"CASE WHEN {every} = {given} THEN {figure} END"

    def _part(self, aggregate: str) -> str:
        """An aggregate inside an expression; where there is no such thing it gets a name in the WITH before."""
        return aggregate if self.context.dialect.nested_aggregates else self._staged_item(aggregate, "part")

    def _staged_item(self, text: str, stem: str) -> str:
        name = quote_name(self.context.fresh(stem))
        self._staged_items.append(f"{text} AS {name}")
        return name


_RETURNED = frozenset({XSD_STRING, XSD_INTEGER, XSD_BOOLEAN, XSD_DATE, XSD_DOUBLE})


def _carrying(clause: Clause, name: str) -> Clause:
    """A clause that is written a second time, with one more name in scope."""
    if clause.keyword.startswith("WITH") and clause.items[:1] != ("*",):
        return evolve(clause, items=(name, *clause.items))
    return clause


def unified(branches: list[Returned], writers: list[ShellWriter]) -> tuple[str, ...]:
    """Make the columns of all branches of one kind, and return the kinds."""
    kinds: list[str] = []
    for place in range(len(branches[0].kinds)):
        found = {branch.kinds[place] for branch in branches}
        if len(found) == 1:
            kinds.append(found.pop())
            continue
        kinds.append(TERM)
        for branch, writer in zip(branches, writers, strict=True):
            operand = branch.operands[place]
            if branch.kinds[place] != TERM and operand is not None and writer.context.layout.lossless:
                branch.texts[place] = term_key(operand, writer.context.bag.add, writer.context.dialect)
    return tuple(kinds)


__all__ = ["NOTHING", "TERM", "Returned", "ShellWriter", "unified"]
