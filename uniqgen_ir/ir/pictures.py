"""Pictures of a table: Mermaid and DOT for the graph that it describes, HTML for notebooks.

Rows are edges, comparisons are notes, blocks are boxes; IRIs are shortened by the table's prefixes. With `states`, what
was dropped or redundant is grey. Every label is escaped: no name or value can change the picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from uniqgen_ir.ir.expressions import Exists
from uniqgen_ir.ir.pictures_model import Box, Line, Picture, Shape, State, States
from uniqgen_ir.ir.printer import print_expression, print_row
from uniqgen_ir.ir.rows import Either, Filter, MinusBlock, NotBlock, OptionalBlock, Row, SubTable
from uniqgen_ir.ir.table import Form, Table

_NO_STATES: States = {}

# --- Mermaid ----------------------------------------------------------------------------------------------------------

_MERMAID_SHAPES = {
    Shape.ANSWER: ('(["', '"])'),
    Shape.VARIABLE: ('("', '")'),
    Shape.CONSTANT: ('["', '"]'),
    Shape.VALUE: ('[/"', '"/]'),
    Shape.NOTE: ('>"', '"]'),
}
_GREY = {"dropped": "stroke:#bbb,color:#bbb,stroke-dasharray:2 4", "redundant": "stroke:#bbb,color:#888"}


def to_mermaid(table: Table, states: States = _NO_STATES) -> str:
    """The table as a Mermaid flowchart, ending in a line end."""
    picture = Picture(table, states)
    outer = picture.draw()
    lines = ["flowchart LR", *_mermaid_box(outer, "  ")]
    lines += [f"  {_mermaid_line(line)}" for line in picture.lines]
    for state, style in _GREY.items():
        places = [str(place) for place, line in enumerate(picture.lines) if line.state == state]
        if places:
            lines.append(f"  linkStyle {','.join(places)} {style}")
    lines.append("  classDef answer stroke-width:3px")
    lines += [f"  classDef {state} {style}" for state, style in _GREY.items()]
    for name, class_ in _mermaid_classes(outer):
        lines.append(f"  class {name} {class_}")
    return "\n".join(lines) + "\n"


def _mermaid_box(box: Box, indent: str) -> Iterator[str]:
    for dot in box.dots:
        before, after = _MERMAID_SHAPES[dot.shape]
        yield f"{indent}{dot.name}{before}{_mermaid_text(dot.label)}{after}"
    for inner in box.boxes:
        yield f'{indent}subgraph {inner.name}["{_mermaid_text(inner.label)}"]'
        yield from _mermaid_box(inner, indent + "  ")
        yield f"{indent}end"


def _mermaid_line(line: Line) -> str:
    link = ("-.->" if line.arrow else "-.-") if line.dashed else "-->"
    label = f'|"{_mermaid_text(line.label)}"|' if line.label else ""
    return f"{line.start} {link}{label} {line.end}"


def _mermaid_classes(box: Box) -> Iterator[tuple[str, str]]:
    for dot in box.dots:
        if dot.shape is Shape.ANSWER:
            yield dot.name, "answer"
        if dot.state != "kept":
            yield dot.name, dot.state
    for inner in box.boxes:
        if inner.state != "kept":
            yield inner.name, inner.state
        yield from _mermaid_classes(inner)


def _mermaid_text(text: str) -> str:
    # everything but letters, digits and harmless marks goes as a character code, which Mermaid reads inside quotes
    return re.sub(r"[^\w ?:.,/+*=-]", lambda found: f"#{ord(found[0])};", _one_line(text))


# --- DOT --------------------------------------------------------------------------------------------------------------

_DOT_SHAPES = {
    Shape.ANSWER: "shape=ellipse, penwidth=3",
    Shape.VARIABLE: "shape=ellipse",
    Shape.CONSTANT: "shape=box",
    Shape.VALUE: "shape=box, style=rounded",
    Shape.NOTE: "shape=note",
}
_DOT_GREY = {
    "kept": "",
    "dropped": ", color=grey70, fontcolor=grey70, style=dotted",
    "redundant": ", color=grey70, fontcolor=grey50",
}


def to_dot(table: Table, states: States = _NO_STATES) -> str:
    """The table as a Graphviz digraph, ending in a line end."""
    picture = Picture(table, states)
    outer = picture.draw()
    lines = [f"digraph {_dot_text(table.name)} {{", "  rankdir=LR;", *_dot_box(outer, "  ")]
    lines += [f"  {_dot_line(line)}" for line in picture.lines]
    return "\n".join([*lines, "}"]) + "\n"


def _dot_box(box: Box, indent: str) -> Iterator[str]:
    for dot in box.dots:
        yield f"{indent}{dot.name} [label={_dot_text(dot.label)}, {_DOT_SHAPES[dot.shape]}{_DOT_GREY[dot.state]}];"
    for inner in box.boxes:
        yield f"{indent}subgraph cluster_{inner.name} {{"
        yield f"{indent}  label={_dot_text(inner.label)}{_DOT_GREY[inner.state].replace(', ', '; ')};"
        yield from _dot_box(inner, indent + "  ")
        yield f"{indent}}}"


def _dot_line(line: Line) -> str:
    style = "style=dashed" if line.dashed and line.state != "dropped" else ""
    options = [f"label={_dot_text(line.label)}", style, "" if line.arrow else "arrowhead=none"]
    return f"{line.start} -> {line.end} [{', '.join(one for one in options if one)}{_DOT_GREY[line.state]}];"


def _dot_text(text: str) -> str:
    # a backslash starts an escape in labels, so it is doubled; only a quote could end the string
    return '"' + _one_line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _one_line(text: str) -> str:
    return re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]+\s*", " ", text)


# --- HTML -------------------------------------------------------------------------------------------------------------

_ROW_STYLE: dict[State, str] = {
    "kept": "",
    "dropped": "color:#999;text-decoration:line-through",
    "redundant": "color:#999",
}
_BOX_STYLE = "border-left:3px solid #ccc;margin:2px 0 2px 8px;padding-left:8px"


def to_html(table: Table, states: States = _NO_STATES) -> str:
    """The table as one HTML element with its own styles, without scripts or images."""
    title = f"<b>{escape(table.name)}</b>" + (f" <i>{escape(table.question)}</i>" if table.question else "")
    body = "".join(_html_row(row, table, states, None) for row in table.rows)
    head = f"<div>{escape(_head_text(table))}</div>"
    return f'<div style="font-family:monospace">{title}{head}{body}{_html_shell(table)}</div>'


def _head_text(table: Table) -> str:
    if table.shell.form is Form.ASK:
        return "ask"
    columns: list[str] = []
    for column in table.head:
        text = print_expression(column.expression, table.prefixes)
        columns.append(f"{text} as {column.alias}" if column.alias is not None else text)
    return f"select {'distinct ' if table.shell.distinct else ''}{' '.join(columns) or '*'}"


def _html_row(row: Row, table: Table, states: States, outer: State | None) -> str:
    state = outer or states.get(row.id, "kept")
    branches = _branches(row)
    if branches is None:
        text = escape(print_row(row, table.prefixes))
        mark = "" if state == "kept" else f" <small>({state})</small>"
        return f'<div style="{_ROW_STYLE[state]}">{text}{mark}</div>'
    parts: list[str] = []
    for word, rows in branches:
        inner = "".join(_html_row(one, table, states, state) for one in rows)
        parts.append(f'<div style="{_ROW_STYLE[state]}">{escape(word)}</div><div style="{_BOX_STYLE}">{inner}</div>')
    return "".join(parts)


def _branches(row: Row) -> tuple[tuple[str, Iterable[Row]], ...] | None:
    """The words and rows of a block; None for a row that holds none."""
    match row.atom:
        case OptionalBlock(rows):
            return ((f"{row.id}: optional", rows),)
        case NotBlock(rows):
            return ((f"{row.id}: not", rows),)
        case MinusBlock(rows):
            return ((f"{row.id}: minus", rows),)
        case Filter(Exists(rows, negated)):
            return ((f"{row.id}: {'not ' if negated else ''}exists", rows),)
        case Either(branches):
            return tuple((f"{row.id}: either" if place == 0 else "or", rows) for place, rows in enumerate(branches))
        case SubTable(table):
            return ((f"{row.id}: table {table.name}", table.rows),)
        case _:
            return None


def _html_shell(table: Table) -> str:
    shell, lines = table.shell, list[str]()
    if shell.group:
        columns = (print_expression(column.expression, table.prefixes) for column in shell.group)
        lines.append(f"group by {' '.join(columns)}")
    if shell.extreme is not None:
        word = "argmax" if shell.extreme.largest else "argmin"
        names = " ".join(str(one) for one in shell.extreme.variables)
        lines.append(f"{word} {names} by {print_expression(shell.extreme.by, table.prefixes)}")
    for key in shell.order:
        text = print_expression(key.expression, table.prefixes)
        lines.append(f"order by {f'desc({text})' if key.descending else text}")
    lines += [f"having {print_expression(one, table.prefixes)}" for one in shell.having]
    lines += [f"limit {shell.limit}"] if shell.limit is not None else []
    lines += [f"offset {shell.offset}"] if shell.offset is not None else []
    return "".join(f"<div>{escape(line)}</div>" for line in lines)
