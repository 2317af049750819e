"""What is known of a block's variables before any search: declared types, constants that matter, values by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from uniqgen_ir.ir.terms import GroundTerm, Variable
from uniqgen_ir.ir.types import ANY, LiteralType
from uniqgen_ir.ir.visitor import walk as parts_of
from uniqgen_ir.ir.vocabulary import XSD_STRING
from uniqgen_ir.passes.containment.blocks import Block, is_parameter
from uniqgen_ir.passes.containment.candidates import Setting, fresh_literal
from uniqgen_ir.passes.saturate.dependencies import Dependencies


def constants_of(block: Block, others: Sequence[Block]) -> tuple[object, ...]:
    found: dict[object, None] = {}
    for one in (block, *others):
        terms = [term for edge in one.edges for term in edge.pattern] + list(one.head)
        found.update((term, None) for term in terms if term is not None and not isinstance(term, Variable))
        found.update(
            (condition, None)
            for stated in one.conditions
            for condition in parts_of(stated.expression)
            if not isinstance(condition, Variable)
        )
    return tuple(found)


def settings_of(block: Block, others: Sequence[Block], dependencies: Dependencies | None) -> Mapping[Variable, Setting]:
    """What is known of each variable of the block, and of the parameters of all blocks."""
    subjects = {edge.pattern[0] for edge in block.edges}
    predicates = {edge.pattern[1] for edge in block.edges}
    types = {} if dependencies is None else _declared(block, dependencies)
    found = {
        one: Setting(types.get(one, ANY), one in subjects or one in predicates, one in predicates)
        for one in (*block.variables, *block.rigid, *block.looked_at)
        if one in block.variables or one in block.rigid or is_parameter(one)
    }
    for other in others:
        for one in (*other.variables, *other.looked_at):
            if is_parameter(one):
                found.setdefault(one, Setting(ANY))
    return found


def _declared(block: Block, dependencies: Dependencies) -> dict[Variable, LiteralType]:
    """The datatypes of variables that a property leads to."""
    found: dict[Variable, LiteralType] = {}
    for edge in block.edges:
        _, predicate, object_ = edge.pattern
        type_ = dependencies.object_type(predicate)
        if isinstance(object_, Variable) and isinstance(type_, LiteralType):
            found.setdefault(object_, type_)
    return found


def defaults_of(settings: Mapping[Variable, Setting]) -> dict[Variable, GroundTerm]:
    """Literals for variables that are declared to be such."""
    found: dict[Variable, GroundTerm] = {}
    for place, (variable, setting) in enumerate(settings.items()):
        if isinstance(setting.type, LiteralType) and not setting.node_only:
            datatype = next(iter(sorted(setting.type.datatypes)), XSD_STRING)
            found[variable] = fresh_literal(Variable(f"{variable.name}{place}"), datatype)
    return found
