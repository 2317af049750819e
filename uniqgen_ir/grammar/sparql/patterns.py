"""Triples, paths and groups of SPARQL."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from uniqgen_ir.grammar.sparql.context import SparqlContext
from uniqgen_ir.grammar.sparql.expressions import ExpressionActions
from uniqgen_ir.grammar.sparql.groups import TRIPLES, Element, Group, GroupConverter, Part, visible
from uniqgen_ir.grammar.sparql.scope import NONE
from uniqgen_ir.grammar.sparql.terms import NIL, RDF_TYPE_IRI, Parts
from uniqgen_ir.ir.analysis import has_aggregate
from uniqgen_ir.ir.expressions import Exists, Expression
from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.rows import Bind, Filter, NotBlock, PathAtom, SubTable, Triple, TypeAtom, Values
from uniqgen_ir.ir.terms import IRI, Literal, Term, Variable
from uniqgen_ir.ir.vocabulary import RDF, RDFS

_FIRST = IRI(RDF + "first")
_REST = IRI(RDF + "rest")
_ANYTHING = IRI(RDFS + "Resource")


@frozen
class Unbounded:
    """What to do with `*` and `+`: allow them, refuse them, or give them the bound `most`."""

    allowed: bool = True
    most: int | None = None


class PatternActions(ExpressionActions):
    """The builder's methods for patterns."""

    def __init__(self, context: SparqlContext, base: str | None, unbounded: Unbounded) -> None:
        super().__init__(context, base)
        self.unbounded = unbounded
        self.converter = GroupConverter(context.span, self.blank_variables)
        self.has_inner_rows = False
        self.blank_segments: list[tuple[str, tuple[int, int], int, int]] = []
        self.exists_groups: list[Group] = []
        """the groups behind EXISTS, in the order in which they were read"""

    # ------------------------------------------------------------ triples

    def triples_of_term(self, parts: Parts, start: int, _end: int) -> list[Element]:
        return triples(parts[0], start, parts[1])

    def triples_of_node(self, parts: Parts, start: int, _end: int) -> list[Element]:
        subject, _, _, inner = parts[0]
        return [*inner, *triples(subject, start, parts[1])]

    def triples_of_node_alone(self, parts: Parts, _start: int, _end: int) -> list[Element]:
        return parts[0][3]  # type: ignore[no-any-return]

    def triples_more(self, parts: Parts, _start: int, _end: int) -> list[Element]:
        parts[0] += parts[1]
        return parts[0]  # type: ignore[no-any-return]

    def property_more(self, parts: Parts, _start: int, _end: int) -> Parts:
        parts[0].append(parts[2])
        return parts[0]  # type: ignore[no-any-return]

    def property(self, parts: Parts, start: int, _end: int) -> tuple[Any, Parts, int]:
        return parts[0], parts[1], start

    def object_more(self, parts: Parts, _start: int, _end: int) -> Parts:
        parts[0].append(parts[2])
        return parts[0]  # type: ignore[no-any-return]

    def object_term(self, parts: Parts, start: int, end: int) -> tuple[Term, int, int, list[Element]]:
        return parts[0], start, end, []

    def object_node(self, parts: Parts, _start: int, _end: int) -> Any:
        return parts[0]

    def blank_with_properties(self, parts: Parts, start: int, end: int) -> tuple[Term, int, int, list[Element]]:
        node = self._fresh_blank()
        return node, start, end, triples(node, start, parts[1])

    def collection(self, parts: Parts, start: int, end: int) -> tuple[Term, int, int, list[Element]]:
        members = parts[1]
        nodes = [self._fresh_blank() for _ in members]
        elements: list[Element] = []
        for place, (member, member_start, member_end, inner) in enumerate(members):
            rest = nodes[place + 1] if place + 1 < len(nodes) else NIL
            elements.append((Triple(nodes[place], _FIRST, member), member_start, member_end))
            elements += inner
            elements.append((Triple(nodes[place], _REST, rest), member_start, member_end))
        return nodes[0], start, end, elements

    # ------------------------------------------------------------ paths

    def path_name(self, parts: Parts, _start: int, _end: int) -> Path:
        return Step(parts[0])

    def path_inverse(self, parts: Parts, _start: int, _end: int) -> Path:
        return Inverse(parts[1])

    def path_sequence(self, parts: Parts, _start: int, _end: int) -> Path:
        left, _, right = parts
        return Sequence((*(left.paths if isinstance(left, Sequence) else (left,)), right))

    def path_alternative(self, parts: Parts, _start: int, _end: int) -> Path:
        left, _, right = parts
        return Alternative((*(left.paths if isinstance(left, Alternative) else (left,)), right))

    def path_optional(self, parts: Parts, _start: int, _end: int) -> Path:
        return Repeat(parts[0], 0, 1)

    def path_star(self, parts: Parts, start: int, end: int) -> Path:
        return self._repeat(parts[0], 0, start, end)

    def path_plus(self, parts: Parts, start: int, end: int) -> Path:
        return self._repeat(parts[0], 1, start, end)

    def _repeat(self, path: Path, minimum: int, start: int, end: int) -> Path:
        if not self.unbounded.allowed:
            hint = "write the steps that are meant, as in `p/p?`, or allow paths without a bound"
            written = self.context.text[start:end]
            self.context.report("UQ172", f"the path `{written}` has no bound", start, end, hint=hint)
        most = self.unbounded.most
        if most is not None:
            self.context.warn("UQ173", f"this path is followed for at most {most} steps", start, end)
        return Repeat(path, minimum, most)

    def excluded_forward(self, parts: Parts, _start: int, _end: int) -> tuple[IRI, bool]:
        return parts[0], False

    def excluded_backward(self, parts: Parts, _start: int, _end: int) -> tuple[IRI, bool]:
        return parts[1], True

    def excluded_more(self, parts: Parts, _start: int, _end: int) -> Parts:
        parts[0].append(parts[2])
        return parts[0]  # type: ignore[no-any-return]

    def path_negated_one(self, parts: Parts, _start: int, _end: int) -> Path:
        return _negated([parts[1]])

    def path_negated_none(self, _parts: Parts, _start: int, _end: int) -> Path:
        return NegatedSet(())

    def path_negated_many(self, parts: Parts, _start: int, _end: int) -> Path:
        return _negated(parts[2])

    # ------------------------------------------------------------ groups

    def group(self, parts: Parts, start: int, end: int) -> Group:
        group = Group(parts[1], start, end)
        if self.blank_uses:
            self._place_labels(group)
        if any(isinstance(element[0], Bind) for element in group.elements):
            self._check_names(group)
        return group

    def group_subselect(self, parts: Parts, start: int, end: int) -> Group:
        table, table_start, table_end = parts[2]
        if parts[1]:
            fix = self.context.fix("give it braces", (table_start, table_start, "{ "), (table_end, table_end, " }"))
            self.context.idiom("UQ154", "a nested SELECT needs braces of its own", table_start, table_end, fix)
        self.has_inner_rows = True
        parts[1].append((SubTable(table), table_start, table_end))
        return self.group(parts, start, end)

    def _place_labels(self, group: Group) -> None:
        """Note in which run of triples each blank node label stands; inner groups have taken theirs already."""
        breaks = [end for payload, _, end in group.elements if not isinstance(payload, (*TRIPLES, Filter, NotBlock))]
        kept: list[tuple[str, int, int]] = []
        for label, start, end in self.blank_uses:
            if start < group.start:
                kept.append((label, start, end))
            else:
                segment = group.start, sum(1 for one in breaks if one <= start)
                self.blank_segments.append((label, segment, start, end))
        self.blank_uses = kept

    def check_labels(self, ignored: Group | None = None) -> None:
        """Report labels that stand in two runs of triples."""
        first: dict[str, tuple[int, int]] = {}
        for label, segment, start, end in self.blank_segments:
            if ignored is not None and ignored.start <= start < ignored.end:
                continue
            if first.setdefault(label, segment) != segment:
                hint = "a variable may stand in several groups"
                self.context.report("UQ164", f"{label} stands in another group already", start, end, hint=hint)

    def _check_names(self, group: Group) -> None:
        """Report each BIND whose name has a value already."""
        seen: set[Variable] = set()
        for payload, start, end in group.elements:
            if isinstance(payload, Bind) and payload.variable in seen:
                message = f"?{payload.variable.name} has a value already, so BIND cannot give it one"
                self.context.report("UQ161", message, start, end)
            seen.update(visible(payload))

    def group_or_union(self, parts: Parts, start: int, end: int) -> Element:
        self.has_inner_rows = True
        return Part("alternatives", parts[0]), start, end

    def union(self, parts: Parts, _start: int, _end: int) -> list[Group]:
        parts[0].append(parts[2])
        return parts[0]  # type: ignore[no-any-return]

    def optional(self, parts: Parts, start: int, end: int) -> Element:
        self.has_inner_rows = True
        return Part("optional", [parts[1]]), start, end

    def minus(self, parts: Parts, start: int, end: int) -> Element:
        self.has_inner_rows = True
        return Part("minus", [parts[1]]), start, end

    def graph(self, parts: Parts, start: int, end: int) -> Element:
        self.context.report("UQ148", "GRAPH is not supported: a table speaks of one graph", start, end)
        return self._elsewhere(parts[1], parts[2]), start, end

    def _elsewhere(self, name: Variable | IRI, group: Group) -> Part:
        """A group that is matched in another graph; its name, too, is bound there."""
        if isinstance(name, Variable):
            group = Group(
                [(TypeAtom(name, _ANYTHING), group.start, group.start), *group.elements], group.start, group.end
            )
        return Part("alternatives", [group])

    def service(self, parts: Parts, start: int, end: int) -> Element:
        self.context.report("UQ147", f"SERVICE {parts[-2]} calls another endpoint", start, end)
        return self._elsewhere(parts[-2], parts[-1]), start, end

    service_silent = service

    def filter(self, parts: Parts, start: int, end: int) -> Element:
        condition: Expression = parts[1]
        self.refuse_aggregate(condition, "FILTER", start, end)
        if isinstance(condition, Exists) and condition.negated:
            return NotBlock(condition.rows), start, end
        return Filter(condition), start, end

    def bind(self, parts: Parts, start: int, end: int) -> Element:
        self.refuse_aggregate(parts[2], "BIND", start, end)
        return Bind(parts[2], parts[4]), start, end

    def refuse_aggregate(self, expression: Expression, where: str, start: int, end: int) -> None:
        """Report an aggregate where none can stand."""
        if has_aggregate(expression):
            hint = "conditions on groups stand in HAVING" if where == "FILTER" else None
            self.context.report("UQ165", f"an aggregate cannot stand in {where}", start, end, hint=hint)

    def exists(self, parts: Parts, _start: int, _end: int) -> Expression:
        return self._exists(parts[-1], negated=False)

    def not_exists(self, parts: Parts, _start: int, _end: int) -> Expression:
        return self._exists(parts[-1], negated=True)

    def _exists(self, group: Group, *, negated: bool) -> Expression:
        self.has_inner_rows = True
        self.exists_groups.append(group)
        return Exists(self.converter.rows(self.converter.convert(group, NONE)), negated)

    # ------------------------------------------------------------ inline data

    def values(self, parts: Parts, start: int, end: int) -> Element:
        return parts[1], start, end

    def data_column(self, parts: Parts, _start: int, _end: int) -> Values:
        return Values((parts[0],), tuple((one,) for one in parts[2]))

    def data_empty(self, parts: Parts, start: int, end: int) -> Values:
        return self._values((), parts[3], start, end)

    def data_table(self, parts: Parts, start: int, end: int) -> Values:
        return self._values(tuple(parts[1]), parts[4], start, end)

    def data_line(self, parts: Parts, start: int, end: int) -> Parts:
        parts[0].append((parts[2], start, end))
        return parts[0]  # type: ignore[no-any-return]

    def _values(self, variables: tuple[Variable, ...], lines: Parts, start: int, end: int) -> Values:
        if len(set(variables)) < len(variables):
            self.context.report("UQ163", "VALUES names a variable twice", start, end)
        kept: list[tuple[IRI | Literal | None, ...]] = []
        for line, line_start, line_end in lines:
            if len(line) == len(variables):
                kept.append(tuple(line))
            else:
                message = f"this line has {len(line)} values for {len(variables)} variables"
                self.context.report("UQ163", message, line_start, line_end)
        return Values(variables, tuple(kept))


def triples(subject: Term, start: int, properties: Parts) -> list[Element]:
    """One element for each object, with the elements inside it after it."""
    elements: list[Element] = []
    for verb, objects, verb_start in properties:
        for place, (node, node_start, node_end, inner) in enumerate(objects):
            begin = node_start if place else verb_start if elements else start
            elements.append((_atom(subject, verb, node), begin, node_end))
            if inner:
                elements += inner
    return elements


def _atom(subject: Term, verb: Variable | Path, node: Term) -> Triple | TypeAtom | PathAtom:
    if isinstance(verb, Step):
        if verb.predicate == RDF_TYPE_IRI and isinstance(node, IRI | Variable):
            return TypeAtom(subject, node)
        return Triple(subject, verb.predicate, node)
    if isinstance(verb, Variable):
        return Triple(subject, verb, node)
    if isinstance(verb, Inverse) and isinstance(verb.path, Step):
        return _atom(node, verb.path, subject)
    return PathAtom(subject, verb, node)


def _negated(excluded: list[tuple[IRI, bool]]) -> Path:
    forward = tuple(iri for iri, backwards in excluded if not backwards)
    backward = tuple(iri for iri, backwards in excluded if backwards)
    return NegatedSet(forward, backward)
