"""Common slips and what to say about them: each has its code and, where it can be mended, a fix.

Slips that the grammar lets through are reported from here by the builders; those that it does not are recognised in
`recovery.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from uniqgen_ir.grammar.ctable.context import Context, replace
from uniqgen_ir.grammar.ctable.keywords import HABITS
from uniqgen_ir.grammar.ctable.lexer import Lexed
from uniqgen_ir.grammar.ctable.tree import Item, Node, Token
from uniqgen_ir.ir.diagnostics import Diagnostic, Edit, Fix, Related
from uniqgen_ir.ir.expressions import Call, Expression, Not
from uniqgen_ir.ir.terms import Literal

FOREIGN_WORDS: Final = {
    "is": "for a missing value write `not bound(?x)`",
    "if": "a condition follows its triple with `where`, or is a row of its own",
    "return": "what is asked for stands first: `select ?x`",
    "with": "what is asked for stands first: `select ?x`",
    "graph": "a table speaks of one graph",
    "service": "a table speaks of one graph",
    "null": "a missing value is tested with `bound(?x)`",
    "exclude": "write `not { … }`",
    "distinct": "write `select distinct` or `count(distinct ?x)`",
}
"""Words of other languages that have no place of their own, and what to write."""

CLAUSE_NAMES: Final = {
    "select": "select",
    "ask": "ask",
    "order": "order by",
    "limit": "limit",
    "offset": "offset",
    "group": "group by",
    "having": "having",
    "argument": "argmax",
    "match": "match",
}


def report_habits(context: Context, lexed: Lexed) -> None:
    """Signs of other languages, and dates without quotes."""
    for token in lexed.habits:
        if token.kind == "BARE_DATE":
            name = "datetime" if "T" in token.text else "date"
            fix = replace(token.start, token.end, f'{name}("{token.text}")', f'write `{name}("{token.text}")`')
            message = f"a date needs quotes: `{token.text}` alone would be a subtraction"
            context.report("UQ112", message, token.start, token.end, fix=fix)
        elif token.kind == "_PREFIX":
            fix = replace(token.start, token.start + 1, "", "write `prefix`")
            context.report("UQ117", "`@prefix` is written `prefix` here", token.start, token.end, fix=fix)
        else:
            foreign_sign(context, token, HABITS[token.text])


def foreign_sign(context: Context, token: Item, ours: str) -> None:
    """`&&` for `and` and the like."""
    written = context.text[token.start : token.end]
    before, after = context.text[token.start - 1 : token.start], context.text[token.end : token.end + 1]
    padded = ours
    if ours.isalpha():
        padded = (" " if before.strip() and before != "(" else "") + ours + (" " if after.strip() else "")
    fix = replace(token.start, token.end, padded, f"write `{ours}`")
    context.report("UQ110", f"`{written}` is written `{ours}` here", token.start, token.end, fix=fix)


def foreign_not(context: Context, token: Item) -> None:
    """`!` for `not`."""
    foreign_sign(context, token, "not")


def misplaced_not(context: Context, token: Item, operand: Callable[[], Expression]) -> Expression:
    """`1 + not ?x`: a truth value where a number is wanted."""
    message = "`not` gives true or false; here a value is expected"
    context.report("UQ100", message, token.start, token.end, hint="put brackets around what `not` speaks of")
    return Not(operand())


def too_deep(context: Context, item: Item) -> None:
    """Brackets or operators in too many layers."""
    message = "this nests too deeply to be read"
    context.report("UQ109", message, item.start, item.end, hint="split it with `let ?y = …`")


def chained(context: Context, sign: Item) -> None:
    """`a < b < c`."""
    hint = "join two comparisons with `and`, or use `between … and …`"
    context.report("UQ120", "comparisons do not chain", sign.start, sign.end, hint=hint)


def between_without_and(context: Context, sign: Item) -> None:
    """`?x between 3`."""
    message = "`between` needs its second bound"
    context.report("UQ100", message, sign.start, sign.end, hint="write `?x between 3 and 5`")


def like(context: Context, sign: Item, pattern_item: Item, left: Expression, right: Expression) -> Expression:
    """`?x LIKE "%a%"`: the word that says the same, where the pattern is a plain one."""
    if not isinstance(right, Literal):
        context.report("UQ111", "`like` is no operator here", sign.start, sign.end, hint="use `matches`")
        return Call("matches", (left, right))
    pattern = right.lexical
    inner = pattern.strip("%")
    starts, ends = pattern.startswith("%"), pattern.endswith("%")
    if "%" in inner or "_" in inner or not inner:
        hint = "use `matches` with a regular expression"
        context.report("UQ111", "`like` is not an operator here", sign.start, pattern_item.end, hint=hint)
        return Call("matches", (left, right))
    word = "contains" if starts and ends else "ends with" if starts else "starts with" if ends else "="
    # the quotes stay as written; only the wildcards go
    written = context.text[pattern_item.start : pattern_item.end].replace("%", "")
    fix = replace(sign.start, pattern_item.end, f"{word} {written}", f"write `{word} {written}`")
    context.report("UQ111", f"`like` is written `{word}` here", sign.start, pattern_item.end, fix=fix)
    return Call("contains", (left, right))


def repeated(context: Context, node: Node, first: Node) -> None:
    """A second `limit`, `select`, …"""
    name = CLAUSE_NAMES[node.kind]
    related = (Related("the first one", context.span(first.start, first.end)),)
    context.report("UQ107", f"`{name}` stands here for the second time", node.start, node.end, related=related)


def clause_in_block(context: Context, node: Node) -> None:
    """`limit 3` inside `optional { … }`."""
    name = CLAUSE_NAMES.get(node.kind, node.kind)
    message = f"`{name}` belongs to a table, not to a block of rows"
    context.report(
        "UQ100", message, node.start, node.end, hint="a table inside a table is written `table { select … }`"
    )


def missing_head(context: Context, node: Node, block: Node) -> None:
    """Neither `select` nor `ask`."""
    fix = replace(block.start + 1, block.start + 1, "\n  select *", "ask for every variable: `select *`", safe=False)
    message = "the table does not say what it asks for"
    end = min(block.start + 1, node.end)
    context.report("UQ106", message, node.start, end, hint="begin it with `select ?x` or `ask`", fix=fix)


def no_table(context: Context) -> Diagnostic:
    """A file without a table."""
    span = context.span(0, 0)
    hint = "a table is written `ctable NAME { select ?x … }`"
    return Diagnostic("UQ128", "there is no table in this file", span, hint=hint)


def where_block(context: Context, node: Node) -> None:
    """`select ?x where { … }`."""
    block = node.child("block")
    assert block is not None
    word = "`where {`" if block.start > node.start else "`{`"
    edits = [Edit(node.start, block.start + 1, "\n")]
    if context.text[block.end - 1 : block.end] == "}":
        edits.append(Edit(block.end - 1, block.end, ""))
    fix = Fix("take the rows out of the braces", tuple(edits))
    message = f"the rows of a table stand directly in it, without {word}"
    context.report("UQ117", message, node.start, block.start + 1, fix=fix)


def filter_word(context: Context, node: Node) -> None:
    """`FILTER (…)`."""
    inner = node.items[0]
    fix = replace(node.start, inner.start, "", "write the condition alone")
    context.report("UQ117", "a condition is a row of its own, without `filter`", node.start, node.start + 6, fix=fix)


def bind_word(context: Context, node: Node) -> None:
    """`BIND (… AS ?x)`."""
    expression, variable = node.items
    text = f"let {context.text[variable.start : variable.end]} = {context.text[expression.start : expression.end]}"
    fix = replace(node.start, node.end, text, f"write `{text}`")
    context.report("UQ117", "`bind` is written `let ?x = …` here", node.start, node.start + 4, fix=fix)


def union_word(context: Context, node: Node) -> None:
    """`{ … } UNION { … }`, or a bare group."""
    blocks = node.nodes("block")
    if len(blocks) == 1:
        message = "rows are grouped only inside `optional`, `not`, `either` and the like"
        edits = [Edit(node.start, node.start + 1, "")]
        # the closing brace may be one that recovery put there
        if node.end - 1 > node.start and context.text[node.end - 1] == "}":
            edits.append(Edit(node.end - 1, node.end, ""))
        context.report("UQ117", message, node.start, node.start + 1, fix=Fix("take the braces away", tuple(edits)))
        return
    joined = [Edit(node.start, node.start, "either ")]
    joined += [Edit(before.end, after.start, " or ") for before, after in pairwise(blocks)]
    fix = Fix("write `either { … } or { … }`", tuple(joined))
    context.report("UQ117", "`union` is written `either { … } or { … }` here", node.start, node.start + 1, fix=fix)


def postfix_direction(context: Context, node: Node) -> None:
    """`order by ?x desc`."""
    expression, word = node.items
    key = context.text[expression.start : expression.end]
    direction = context.text[word.start : word.end].lower()
    fix = replace(node.start, node.end, f"{direction}({key})", f"write `{direction}({key})`")
    context.report("UQ117", f"`{direction}` goes around its key", word.start, word.end, fix=fix)


def literal_class(context: Context, item: Item) -> None:
    """`?x a "City"`."""
    hint = "a class is a name, as in `?x a ex:City`"
    context.report("UQ100", "a value cannot be a class", item.start, item.end, hint=hint)


def token_name(token: Token) -> str:
    """How a message speaks of a token."""
    if token.kind == "$END":
        return "the end of the text"
    if token.kind == "_NL":
        return "the end of the line"
    text = token.text if len(token.text) <= 40 else token.text[:37] + "…"
    return f"`{text}`" if "`" not in text else text
