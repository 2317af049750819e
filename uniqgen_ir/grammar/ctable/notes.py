"""Builders for annotations."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from uniqgen_ir.grammar.ctable.context import Context, replace
from uniqgen_ir.grammar.ctable.terms import ANNOTATIONS, name_text, string_text
from uniqgen_ir.grammar.ctable.tree import Item, Node, Token
from uniqgen_ir.ir.rows import Origin, RowNote

PLAIN = RowNote()


@define
class _Draft:
    origin: Origin | None = None
    required: bool = False
    values: dict[str, float | int | str] = field(factory=dict[str, "float | int | str"])
    sources: list[str] = field(factory=list[str])


def build_note(context: Context, nodes: Iterable[Item]) -> RowNote:
    """What the annotations of one row say together."""
    draft: _Draft | None = None
    for node in nodes:
        if isinstance(node, Node):
            draft = draft or _Draft()
            _annotation(context, node, draft)
    if draft is None:
        return PLAIN
    uncertainty, support, reason = (draft.values.get(name) for name in ("u", "support", "reason"))
    return RowNote(
        draft.origin or Origin.EXPLICIT,
        draft.required,
        uncertainty if isinstance(uncertainty, float) else None,
        reason if isinstance(reason, str) else None,
        support if isinstance(support, int) else None,
        tuple(draft.sources),
    )


def _annotation(context: Context, node: Node, draft: _Draft) -> None:
    sign = node.items[0]
    assert isinstance(sign, Token)
    name = sign.text[1:]
    if name not in ANNOTATIONS:
        _unknown(context, sign, name)
        return
    if name == "required":
        draft.required = True
    elif name != "from":
        if draft.origin is not None and draft.origin != name:
            message = f"a row has one origin, and this one is `@{draft.origin.value}` already"
            context.report("UQ116", message, sign.start, sign.end)
        draft.origin = Origin(name)
    for item in node.items[1:]:
        _argument(context, name, item, draft)


def _argument(context: Context, name: str, item: Item, draft: _Draft) -> None:
    if isinstance(item, Node):
        _setting(context, item, draft)
    elif item.kind == "STRING":
        _keep(context, item, draft, "reason", string_text(context, item))
    elif name == "from":
        draft.sources.append(name_text(context, item))
    else:
        message = f"`{item.text}` says nothing in `@{name}`"
        context.report("UQ116", message, item.start, item.end, hint='`u = 0.4`, `support = 12` or a reason, "…"')


def _setting(context: Context, node: Node, draft: _Draft) -> None:
    key, _, figure = node.items
    assert isinstance(key, Token)
    assert isinstance(figure, Token)
    if key.text == "u":
        value = float(figure.text)
        if value <= 1.0:
            _keep(context, node, draft, "u", value)
            return
        context.report("UQ116", f"`u` lies between 0 and 1, not at {figure.text}", figure.start, figure.end)
    elif key.text == "support":
        if figure.text.isdigit() and len(figure.text) < 19:
            _keep(context, node, draft, "support", int(figure.text))
            return
        context.report("UQ116", "`support` is a whole number", figure.start, figure.end)
    else:
        message = f"there is no setting `{key.text}`"
        context.report("UQ116", message, key.start, key.end, hint="the settings are `u` and `support`")


def _keep(context: Context, item: Item, draft: _Draft, key: str, value: float | int | str) -> None:
    if key in draft.values:
        message = "the reason is given twice" if key == "reason" else f"`{key}` is given twice"
        context.report("UQ116", message, item.start, item.end)
    draft.values[key] = value


def _unknown(context: Context, sign: Token, name: str) -> None:
    before = context.text[: sign.start].rstrip(" \t")
    if before.endswith(('"', "'")) and 2 <= len(name) <= 3:
        fix = replace(len(before), sign.start, "", "remove the space")
        message = f"the language tag `@{name}` must touch its string"
        context.report("UQ113", message, sign.start, sign.end, fix=fix)
        return
    close = context.suggest(name, ANNOTATIONS)
    maybe = replace(sign.start + 1, sign.end, close, f"write `@{close}`") if close else None
    hint = f"did you mean `@{close}`?" if close else f"annotations are {', '.join('@' + one for one in ANNOTATIONS)}"
    context.report("UQ115", f"there is no annotation `@{name}`", sign.start, sign.end, hint=hint, fix=maybe)
