"""Property graphs from CSV files: headers of `neo4j-admin`, or plain ones with `id`, or `from` and `to`.

A node file has a column `:ID` (`key:ID(Space)`), labels in `:LABEL`; a relationship file `:START_ID`, `:END_ID` and
`:TYPE`. Columns may say their type, `born:int` or `tags:string[]`. Plain files have a column `id` and may have `label`,
or columns `from` and `to` (`source`, `target`) and may have `type`; what they do not say, their file name says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.values import value_of
from uniqgen_ir.ir.vocabulary import XSD, XSD_BOOLEAN, XSD_DATE, XSD_DATE_TIME, XSD_DOUBLE, XSD_INTEGER, XSD_TIME
from uniqgen_ir.kg.formats import SourceFile, line_span, open_source
from uniqgen_ir.kg.property_graph.csv_records import EMPTY_TEXT, csv_lines
from uniqgen_ir.kg.property_graph.facts import Value, node_facts, node_iri, relationship_facts

_FIELD: Final = re.compile(r"(?P<name>[^:]*):(?P<kind>[A-Za-z_]+)(?:\((?P<space>[^)]*)\))?(?P<many>\[\])?(?:\{.*\})?")
_DATATYPES: Final = {
    **dict.fromkeys(("int", "long", "short", "byte", "integer"), XSD_INTEGER),
    **dict.fromkeys(("float", "double"), XSD_DOUBLE),
    "boolean": XSD_BOOLEAN,
    "date": XSD_DATE,
    **dict.fromkeys(("datetime", "localdatetime"), XSD_DATE_TIME),
    **dict.fromkeys(("time", "localtime"), XSD_TIME),
    "duration": XSD + "duration",
    **dict.fromkeys(("string", "char"), None),
}
_PLAIN: Final = {
    "id": "ID",
    "label": "LABEL",
    "labels": "LABEL",
    "from": "START_ID",
    "source": "START_ID",
    "to": "END_ID",
    "target": "END_ID",
    "type": "TYPE",
}
_ROLES: Final = frozenset({"ID", "LABEL", "START_ID", "END_ID", "TYPE", "IGNORE"})
_KEY_NAME: Final = re.compile(r"(?P<stem>.*[^\W_])_?(?:ID|Id|id)")
_STEM: Final = r"\g<stem>"
_PARTS: Final = ";"
"""Between labels, and between the items of a list, but for files that hold U+001F: there it is that."""
_UNIT: Final = "\x1f"
"""What `uniqgen export` writes between items, because texts have no use for it."""


@frozen
class _Column:
    role: str
    """`ID`, `LABEL`, `START_ID`, `END_ID`, `TYPE`, `IGNORE`, or `property`"""
    name: str
    datatype: str | None = None
    many: bool = False
    space: str = ""
    may_be_empty: bool = False
    """of texts, where `""` is a text and nothing is none, as for `neo4j-admin`; elsewhere both are no value"""


@frozen
class _Sheet:
    """One file: its columns, and whether it is of nodes."""

    file: SourceFile
    columns: tuple[_Column, ...]
    parts: str
    """stands between labels, and between the items of a list"""

    @property
    def of_nodes(self) -> bool:
        return any(one.role == "ID" for one in self.columns)

    @property
    def stem(self) -> str:
        """The file's name without endings: what a plain file's nodes or relationships are called."""
        return self.file.path.name.removesuffix(".gz").removesuffix(".csv")


def csv_facts(files: Sequence[SourceFile]) -> Iterator[Fact]:
    """The facts of the node and relationship files of one graph.

    Raises DiagnosticError UQ629 for a header that is neither, a cell that is not of its column's type, a line with
    other columns, or a relationship to a node that no file has.
    """
    sheets = [_Sheet(file, _header(file), _parts(file)) for file in files]
    known: set[IRI] = set()
    for sheet in sorted(sheets, key=lambda one: not one.of_nodes):
        yield from _nodes(sheet, known) if sheet.of_nodes else _relationships(sheet, known)


def _parts(file: SourceFile) -> str:
    with open_source(file) as stream:
        chunks = iter(lambda: stream.read(1 << 20), b"")
        return _UNIT if any(_UNIT.encode() in chunk for chunk in chunks if chunk) else _PARTS


# ---- headers -------------------------------------------------------------------------------------------------------


def _header(file: SourceFile) -> tuple[_Column, ...]:
    with open_source(file) as stream:
        cells = next(
            ([one.replace(EMPTY_TEXT, "") for one in cells] for _, cells in csv_lines(file, stream)), list[str]()
        )
    admin = any(":" in cell for cell in cells)
    columns = tuple(_typed(file, cell) if admin else _plain(cell, cells) for cell in cells)
    roles = [one.role for one in columns]
    node, ends = roles.count("ID") == 1, roles.count("START_ID") == roles.count("END_ID") == 1
    if node == ends:
        message = f"the header of {file.path} is neither of nodes nor of relationships: {', '.join(cells) or '(empty)'}"
        raise fail("UQ629", message, line_span(file, 1), hint=_instead(cells))
    names = [one.name for one in columns if one.role == "property"]
    repeated = next((one for one in names if names.count(one) > 1), None)
    if repeated is not None:
        raise fail("UQ629", f"the header of {file.path} has the column {repeated} twice", line_span(file, 1))
    return columns


def _instead(cells: Sequence[str]) -> str:
    """The header to write in place of one that says neither which node a line is nor what it joins."""
    keys = [one.strip() for one in cells if _KEY_NAME.fullmatch(one.strip())]
    if not keys or any(":" in one for one in cells):
        return "nodes have :ID and :LABEL (or id); relationships :START_ID, :END_ID and :TYPE (or from and to)"
    node = _with_roles(cells, {keys[0]: f"{keys[0]}:ID({_KEY_NAME.sub(_STEM, keys[0])})"})
    hint = f"if a line is a node, write the header `{node}`, beside which a column `:LABEL` may name its labels"
    if len(keys) == 1:
        return hint
    ends = {
        key: f":{role}({_KEY_NAME.sub(_STEM, key)})" for key, role in zip(keys, ("START_ID", "END_ID"), strict=False)
    }
    return f"{hint}; if it joins two nodes, `{_with_roles(cells, ends)}`, beside which `:TYPE` may name its type"


def _with_roles(cells: Sequence[str], roles: Mapping[str, str]) -> str:
    return ",".join(roles.get(one.strip(), one.strip()) for one in cells)


def _typed(file: SourceFile, cell: str) -> _Column:
    found = _FIELD.fullmatch(cell.strip())
    if found is None:
        return _Column("property", cell.strip(), may_be_empty=True)
    name, kind, space = found["name"], found["kind"], found["space"] or ""
    if kind.upper() in _ROLES:
        return _Column(kind.upper(), name, space=space)
    if kind.lower() not in _DATATYPES:
        raise fail("UQ629", f"{file.path} has a column of the type {kind}, which is not known", line_span(file, 1))
    datatype = _DATATYPES[kind.lower()]
    return _Column("property", name, datatype, found["many"] is not None, may_be_empty=datatype is None)


def _plain(cell: str, cells: Sequence[str]) -> _Column:
    """Names like `id` and `from` say what a column is; `label` and `type` only beside them."""
    role = _PLAIN.get(cell.strip().lower(), "property")
    names = {one.strip().lower() for one in cells}
    ends = bool(names & {"from", "source"}) and bool(names & {"to", "target"})
    if (role == "LABEL" and ends) or (role == "TYPE" and not ends) or (role == "ID" and ends):
        role = "property"
    return _Column(role, cell.strip() if role in ("property", "ID") else "")


# ---- lines ---------------------------------------------------------------------------------------------------------


def _records(sheet: _Sheet) -> Iterator[tuple[int, list[str]]]:
    with open_source(sheet.file) as stream:
        lines = csv_lines(sheet.file, stream)
        next(lines, None)
        for number, cells in lines:
            if len(cells) != len(sheet.columns):
                message = (
                    f"line {number} of {sheet.file.path} has {len(cells)} columns, its header {len(sheet.columns)}"
                )
                raise fail("UQ629", message, line_span(sheet.file, number))
            yield number, [_present(*one) for one in zip(sheet.columns, cells, strict=True)]


def _present(column: _Column, cell: str) -> str:
    return "" if cell == EMPTY_TEXT and not column.may_be_empty else cell


def _nodes(sheet: _Sheet, known: set[IRI]) -> Iterator[Fact]:
    labelled = any(one.role == "LABEL" for one in sheet.columns)
    for number, cells in _records(sheet):
        key, properties, labels = "", dict[str, Value](), list[str]()
        for column, cell in zip(sheet.columns, cells, strict=True):
            match column.role:
                case "ID":
                    key = _key(column, cell)
                    if column.name and cell:
                        properties[column.name] = cell
                case "LABEL":
                    labels += [one for one in cell.split(sheet.parts) if one]
                case "property" if cell:
                    properties[column.name] = _value(sheet, number, column, cell)
                case _:
                    pass
        if not key:
            raise fail("UQ629", f"line {number} of {sheet.file.path} has no ID", line_span(sheet.file, number))
        node = node_iri(key)
        known.add(node)
        yield from node_facts(node, labels if labelled else [sheet.stem], properties)


def _relationships(sheet: _Sheet, known: set[IRI]) -> Iterator[Fact]:
    for number, cells in _records(sheet):
        ends, properties, kind = dict[str, IRI](), dict[str, Value](), ""
        for column, cell in zip(sheet.columns, cells, strict=True):
            match column.role:
                case "START_ID" | "END_ID":
                    ends[column.role] = node_iri(_key(column, cell))
                    if ends[column.role] not in known:
                        message = f"line {number} of {sheet.file.path} leads to the node {cell}, which no file has"
                        raise fail("UQ629", message, line_span(sheet.file, number))
                case "TYPE":
                    kind = cell
                case "property" if cell:
                    properties[column.name] = _value(sheet, number, column, cell)
                case _:
                    pass
        key = f"{sheet.stem}:{number}"
        yield from relationship_facts(key, kind or sheet.stem, ends["START_ID"], ends["END_ID"], properties)


def _key(column: _Column, cell: str) -> str:
    return f"{column.space}:{cell}" if column.space and cell else cell


def _value(sheet: _Sheet, number: int, column: _Column, cell: str) -> Value:
    read: Callable[[str], Literal] = lambda text: _literal(sheet.file, number, column, text)  # noqa: E731
    return [read(one) for one in cell.split(sheet.parts)] if column.many else read(cell)


def _literal(file: SourceFile, number: int, column: _Column, text: str) -> Literal:
    if column.datatype is None:
        return Literal("" if text == EMPTY_TEXT else text)
    written = text.strip().lower() if column.datatype == XSD_BOOLEAN else text.strip()
    literal = Literal(written, column.datatype)
    if value_of(literal) is None:
        kind = column.datatype.removeprefix(XSD)
        message = f"line {number} of {file.path} has {text!r} in the column {column.name}, which is no {kind}"
        raise fail("UQ629", message, line_span(file, number))
    return literal
