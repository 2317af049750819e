"""Builders for predicates and paths."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.grammar.ctable.context import Context, replace
from uniqgen_ir.grammar.ctable.terms import iri
from uniqgen_ir.grammar.ctable.tree import Item, Node, Token
from uniqgen_ir.grammar.numbers import whole_number
from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.terms import IRI

_LARGEST_BOUND: Final = 1_000_000


def build_path(context: Context, item: Item) -> Path:
    """The path of a tree."""
    if isinstance(item, Token):
        return Step(iri(context, item))
    match item.kind:
        case "path_group":
            return build_path(context, item.items[0])
        case "path_alternative":
            return Alternative(tuple(build_path(context, one) for one in item.items))
        case "path_sequence":
            return Sequence(tuple(build_path(context, one) for one in item.items if one.kind != "SLASH"))
        case "path_inverse":
            return Inverse(build_path(context, item.items[0]))
        case "path_repeat":
            return _repeat(context, item)
        case _:
            return _negated(context, item)


def _negated(context: Context, node: Node) -> NegatedSet:
    forward: list[IRI] = []
    backward: list[IRI] = []
    for item in node.items[1:]:
        if isinstance(item, Token):
            forward.append(iri(context, item))
        else:
            one = item.items[0]
            assert isinstance(one, Token)
            backward.append(iri(context, one))
    return NegatedSet(tuple(forward), tuple(backward))


def _repeat(context: Context, node: Node) -> Repeat:
    inner = build_path(context, node.items[0])
    sign = node.items[1]
    assert isinstance(sign, Token)
    if sign.kind == "QMARK":
        return Repeat(inner, 0, 1)
    if sign.kind == "QUANT":
        low, comma, high = sign.text[1:-1].partition(",")
        bounds = [_bound(context, sign, one) for one in (low, high) if one.strip()]
        minimum, maximum = bounds[0], bounds[-1] if high.strip() or not comma else None
    else:
        minimum, maximum = (0 if sign.kind == "STAR" else 1), None
    if maximum is None and not context.allow_unbounded:
        _unbounded(context, sign, minimum)
    if maximum is not None and maximum < minimum:
        fix = replace(sign.start, sign.end, f"{{{maximum},{minimum}}}", "swap the bounds")
        context.report("UQ123", f"at least {minimum} and at most {maximum} cannot be", sign.start, sign.end, fix=fix)
        minimum, maximum = maximum, minimum
    return Repeat(inner, minimum, maximum)


def _bound(context: Context, sign: Token, figure: str) -> int:
    bound = whole_number(figure.strip(), _LARGEST_BOUND)
    if bound is not None:
        return bound
    hint = "leave the upper bound out: `{1,}`"
    message = f"a path has bounds up to {_LARGEST_BOUND:,} steps"
    context.report("UQ123", message, sign.start, sign.end, hint=hint)
    return _LARGEST_BOUND


def _unbounded(context: Context, sign: Token, minimum: int) -> None:
    bounded = f"{{{minimum},{max(5, minimum)}}}"
    fix = replace(sign.start, sign.end, bounded, f"write `{bounded}`", safe=False)
    hint = f"say how many steps at most, as in `{bounded}`, or write `use unbounded paths` at the top of the file"
    context.report("UQ119", f"`{sign.text}` walks any number of steps", sign.start, sign.end, hint=hint, fix=fix)
