"""What stands before the tables and schemas of a file: version, prefixes, `use`."""

from __future__ import annotations

from uniqgen_ir.grammar.ctable.context import Context
from uniqgen_ir.grammar.ctable.terms import string_text, unescape
from uniqgen_ir.grammar.ctable.tree import Node, Token
from uniqgen_ir.ir.diagnostics import Severity


def read_preamble(context: Context, tree: Node) -> tuple[str, ...]:
    """Take the file's prefixes and settings into the context; returns the files that it uses, in order.

    Prefixes hold for the whole file, wherever they stand in it.
    """
    uses: list[str] = []
    for node in tree.items:
        if not isinstance(node, Node):
            continue
        match node.kind:
            case "prefix":
                _prefix(context, node)
            case "use_schema":
                name = node.items[0]
                assert isinstance(name, Token)
                uses.append(string_text(context, name))
            case "use_unbounded":
                context.allow_unbounded = True
            case "version":
                _version(context, node)
            case _:
                pass
    return tuple(uses)


def _prefix(context: Context, node: Node) -> None:
    name, target = node.items
    assert isinstance(name, Token)
    assert isinstance(target, Token)
    prefix = name.text[:-1]
    namespace = unescape(context, target.text[1:-1], target.start + 1)
    before = context.declared.get(prefix)
    if before is not None and before != namespace:
        message = f"`{prefix}:` already stands for <{before}>"
        context.report("UQ207", message, node.start, node.end, hint="use another prefix")
        return
    builtin = context.prefixes.get(prefix)
    if before is None and builtin is not None and builtin != namespace:
        message = f"`{prefix}:` usually stands for <{builtin}>; here it will stand for <{namespace}>"
        context.report("UQ207", message, node.start, node.end, severity=Severity.WARNING)
    context.declared[prefix] = context.prefixes[prefix] = namespace


def _version(context: Context, node: Node) -> None:
    figure = node.items[1]
    assert isinstance(figure, Token)
    if figure.text != "1":
        message = f"version {figure.text} of the language is not known"
        context.report("UQ108", message, figure.start, figure.end, hint="this reader knows version 1")
