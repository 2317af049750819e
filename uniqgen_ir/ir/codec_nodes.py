"""The JSON shape of every node of a table."""

from __future__ import annotations

from typing import Any, Final

from uniqgen_ir.ir.codec_shapes import (
    BOOLEAN,
    NUMBER,
    TEXT,
    Json,
    Shape,
    array,
    at_least,
    enumeration,
    key_of,
    nullable,
    one_of,
    read_object,
    record,
    reference,
    tagged,
    wrong,
)
from uniqgen_ir.ir.expressions import (
    AGGREGATE_FUNCTIONS,
    Aggregate,
    And,
    Arithmetic,
    ArithmeticOperator,
    Call,
    Comparison,
    ComparisonOperator,
    Exists,
    Membership,
    Negative,
    Not,
    Or,
)
from uniqgen_ir.ir.functions import FUNCTIONS
from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Repeat, Sequence, Step
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    Origin,
    PathAtom,
    Row,
    RowNote,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.ir.table import Column, Extreme, Form, MatchMode, OrderKey, Shell, Table
from uniqgen_ir.ir.terms import IRI, BlankNode, GroundTerm, Literal, Parameter, Variable
from uniqgen_ir.ir.vocabulary import RDF_LANG_STRING, XSD_STRING

SHAPES: Final[dict[str, Shape]] = {}
"""Every shape by its name in the JSON Schema."""

TERM, GROUND, VARIABLE, IRI_ONLY, PREDICATE = (
    reference(name, SHAPES) for name in ("term", "groundTerm", "variable", "iri", "predicate")
)
EXPRESSION, PATH, ATOM, ROW, TABLE = (
    reference(name, SHAPES) for name in ("expression", "path", "atom", "row", "table")
)
ROWS = array(ROW, 1)


def cell(term: GroundTerm) -> dict[str, str]:
    """A term as a cell of SPARQL results: `{"type": "uri"|"literal"|"bnode", "value", "datatype"?, "xml:lang"?}`."""
    match term:
        case IRI(value):
            return {"type": "uri", "value": value}
        case BlankNode(label):
            return {"type": "bnode", "value": label}
        case Literal(lexical, datatype, language):
            extra = {"xml:lang": language} if language else {"datatype": datatype} if datatype != XSD_STRING else {}
            return {"type": "literal", "value": lexical} | extra


def _write_term(term: Any) -> Json:
    match term:
        case Variable(name):
            return {"type": "variable", "value": name}
        case Parameter(name):
            return {"type": "parameter", "value": name}
        case _:
            return cell(term)


_KEYS_OF: Final = {
    "variable": (),
    "parameter": (),
    "uri": (),
    "bnode": (),
    "literal": ("datatype", "xml:lang"),
}


def _term(*types: str) -> Shape:
    """A term of one of these types."""

    def read(value: Json, place: str) -> Any:
        kind = key_of(value, "type")
        if not isinstance(kind, str) or kind not in types:
            raise wrong(place, f"expected a term of type {' or '.join(types)}, found {kind or value!r}")
        extra = _KEYS_OF[kind]
        found = read_object(value, place, ("type", "value", *extra), ("type", "value"))
        texts = {key: TEXT.read(one, f"{place}.{key}") for key, one in found.items()}
        return _read_term(kind, texts, place)

    def schema() -> dict[str, Any]:
        cases: list[dict[str, Any]] = []
        for kind in types:
            keys = {"value": TEXT.schema()} | {key: TEXT.schema() for key in _KEYS_OF[kind]}
            properties = {"type": {"const": kind}} | keys
            closed = {"type": "object", "properties": properties, "required": ["type", "value"]}
            cases.append(closed | {"additionalProperties": False})
        return cases[0] if len(cases) == 1 else {"anyOf": cases}

    return Shape(_write_term, read, schema)


def _read_term(kind: str, texts: dict[str, str], place: str) -> Variable | Parameter | GroundTerm:
    value, language = texts["value"], texts.get("xml:lang")
    match kind:
        case "variable" | "parameter" if not value.isidentifier():
            raise wrong(place, f"{value!r} is not a name")
        case "variable":
            return Variable(value)
        case "parameter":
            return Parameter(value)
        case "uri":
            return IRI(value)
        case "bnode":
            return BlankNode(value)
        case _:
            datatype = texts.get("datatype", XSD_STRING if language is None else RDF_LANG_STRING)
            if (language is None) == (datatype == RDF_LANG_STRING):
                raise wrong(place, "a language tag goes with text only, and rdf:langString needs one")
            return Literal(value, datatype, None if language is None else language.lower())


def _read_values(value: Json, place: str) -> Values:
    values: Values = _PLAIN_VALUES.read(value, place)
    for number, line in enumerate(values.lines):
        if len(line) != len(values.variables):
            raise wrong(f"{place}.lines[{number}]", f"{len(line)} values for {len(values.variables)} variables")
    return values


_PLAIN_VALUES: Final = record(
    Values,
    {"variables": ("variables", array(VARIABLE, 1)), "lines": ("lines", array(array(nullable(GROUND))))},
    "values",
)


def _case(node: type, kind: str, **keys: Shape) -> tuple[type, Shape]:
    """A record whose JSON keys are its fields; `class_` and `type` are kept apart from the keys of terms."""
    renamed = {"class_": ("class", "type"), "columns": ("columns", "variables")}
    pairs = {renamed.get(key, (key, key))[0]: (renamed.get(key, (key, key))[1], shape) for key, shape in keys.items()}
    return node, record(node, pairs, kind)


_OPERANDS: Final = array(EXPRESSION, 2)

ATOMS: Final[dict[str, tuple[type, Shape]]] = {
    "triple": _case(Triple, "triple", subject=TERM, predicate=PREDICATE, object=TERM),
    "type": _case(TypeAtom, "type", subject=TERM, class_=PREDICATE),
    "path": _case(PathAtom, "path", subject=TERM, path=PATH, object=TERM),
    "filter": _case(Filter, "filter", condition=EXPRESSION),
    "bind": _case(Bind, "bind", expression=EXPRESSION, variable=VARIABLE),
    "values": (Values, Shape(_PLAIN_VALUES.write, _read_values, _PLAIN_VALUES.schema)),
    "optional": _case(OptionalBlock, "optional", rows=ROWS),
    "not": _case(NotBlock, "not", rows=ROWS),
    "minus": _case(MinusBlock, "minus", rows=ROWS),
    "either": _case(Either, "either", branches=array(ROWS, 2)),
    "table": _case(SubTable, "table", table=TABLE),
}

EXPRESSIONS: Final[dict[str, tuple[type, Shape]]] = {
    "comparison": _case(
        Comparison, "comparison", operator=enumeration(ComparisonOperator), left=EXPRESSION, right=EXPRESSION
    ),
    "arithmetic": _case(
        Arithmetic, "arithmetic", operator=enumeration(ArithmeticOperator), left=EXPRESSION, right=EXPRESSION
    ),
    "negative": _case(Negative, "negative", operand=EXPRESSION),
    "and": _case(And, "and", operands=_OPERANDS),
    "or": _case(Or, "or", operands=_OPERANDS),
    "not": _case(Not, "not", operand=EXPRESSION),
    "in": _case(Membership, "in", operand=EXPRESSION, options=array(EXPRESSION), negated=BOOLEAN),
    "call": _case(Call, "call", function=one_of(tuple(FUNCTIONS)), arguments=array(EXPRESSION)),
    "exists": _case(Exists, "exists", rows=ROWS, negated=BOOLEAN),
    "aggregate": _case(
        Aggregate,
        "aggregate",
        function=one_of(tuple(sorted(AGGREGATE_FUNCTIONS))),
        operand=nullable(EXPRESSION),
        distinct=BOOLEAN,
        separator=nullable(TEXT),
    ),
}

PATHS: Final[dict[str, tuple[type, Shape]]] = {
    "step": _case(Step, "step", predicate=IRI_ONLY),
    "inverse": _case(Inverse, "inverse", path=PATH),
    "sequence": _case(Sequence, "sequence", paths=array(PATH, 2)),
    "alternative": _case(Alternative, "alternative", paths=array(PATH, 2)),
    "repeat": _case(Repeat, "repeat", path=PATH, minimum=at_least(0), maximum=nullable(at_least(0))),
    "except": _case(NegatedSet, "except", forward=array(IRI_ONLY), backward=array(IRI_ONLY)),
}


def _expression_shape() -> Shape:
    term, compound = _term("variable", "parameter", "uri", "literal"), tagged("kind", EXPRESSIONS)

    def read(value: Json, place: str) -> Any:
        return (term if key_of(value, "type") is not None else compound).read(value, place)

    def write(value: Any) -> Json:
        return (term if isinstance(value, Variable | Parameter | IRI | Literal) else compound).write(value)

    return Shape(write, read, lambda: {"anyOf": [TERM.schema(), *compound.schema()["anyOf"]]})


def _plain(node: type, **shapes: Shape) -> Shape:
    return record(node, {name: (name, shape) for name, shape in shapes.items()})


_SPAN: Final = _plain(
    Span,
    start=at_least(0),
    end=at_least(0),
    line=at_least(1),
    column=at_least(1),
    end_line=at_least(1),
    end_column=at_least(1),
    source=TEXT,
)
_NOTE: Final = _plain(
    RowNote,
    origin=enumeration(Origin),
    required=BOOLEAN,
    uncertainty=nullable(NUMBER),
    reason=nullable(TEXT),
    support=nullable(at_least(0)),
    sources=array(TEXT),
)
_COLUMN: Final = reference("column", SHAPES)
_SHELL: Final = _plain(
    Shell,
    form=enumeration(Form),
    distinct=BOOLEAN,
    group=array(_COLUMN),
    having=array(EXPRESSION),
    extreme=nullable(_plain(Extreme, largest=BOOLEAN, variables=array(VARIABLE), by=EXPRESSION)),
    order=array(_plain(OrderKey, expression=EXPRESSION, descending=BOOLEAN)),
    limit=nullable(at_least(0)),
    offset=nullable(at_least(0)),
)
_PREFIX: Final = array(TEXT, 2)


def _read_prefix(value: Json, place: str) -> tuple[str, ...]:
    pair: tuple[str, ...] = _PREFIX.read(value, place)
    if len(pair) != 2:
        raise wrong(place, "expected a prefix and its IRI")
    return pair


SHAPES.update(
    {
        "term": _term("variable", "parameter", "uri", "literal"),
        "groundTerm": _term("uri", "literal", "bnode"),
        "variable": _term("variable"),
        "iri": _term("uri"),
        "predicate": _term("uri", "variable", "parameter"),
        "expression": _expression_shape(),
        "path": tagged("kind", PATHS),
        "atom": tagged("kind", ATOMS),
        "column": _plain(Column, expression=EXPRESSION, alias=nullable(VARIABLE)),
        "row": _plain(Row, id=TEXT, atom=ATOM, where=nullable(EXPRESSION), note=_NOTE, span=nullable(_SPAN)),
        "table": _plain(
            Table,
            name=TEXT,
            question=nullable(TEXT),
            head=array(_COLUMN),
            rows=array(ROW),
            shell=_SHELL,
            match_mode=enumeration(MatchMode),
            schemas=array(TEXT),
            prefixes=array(Shape(_PREFIX.write, _read_prefix, lambda: _PREFIX.schema() | {"maxItems": 2})),
            span=nullable(_SPAN),
        ),
    }
)
