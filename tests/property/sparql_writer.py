"""A table as SPARQL 1.1, one clause a row and nothing clever: only for comparing the reference evaluator with referees.

What it cannot say it refuses with NotImplementedError: parameters, superlatives, other match modes.
"""

from __future__ import annotations

from collections.abc import Iterable

from uniqgen_ir.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    Call,
    Comparison,
    Exists,
    Expression,
    Membership,
    Negative,
    Not,
    Or,
)
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.paths import Alternative, Inverse, NegatedSet, Path, Repeat, Sequence, Step
from uniqgen_ir.ir.rows import (
    Bind,
    Either,
    Filter,
    MinusBlock,
    NotBlock,
    OptionalBlock,
    PathAtom,
    Row,
    SubTable,
    Triple,
    TypeAtom,
    Values,
)
from uniqgen_ir.ir.table import Column, Form, Table
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE, XSD, XSD_STRING

NAMES = {
    "lang_matches": "LANGMATCHES",
    "same_term": "SAMETERM",
    "is_iri": "ISIRI",
    "is_blank": "ISBLANK",
    "is_literal": "ISLITERAL",
    "is_numeric": "ISNUMERIC",
    "length": "STRLEN",
    "substring": "SUBSTR",
    "upper": "UCASE",
    "lower": "LCASE",
    "starts_with": "STRSTARTS",
    "ends_with": "STRENDS",
    "before": "STRBEFORE",
    "after": "STRAFTER",
    "matches": "REGEX",
    **{name: f"<{XSD}{name}>" for name in ("integer", "decimal", "double", "float", "boolean", "date", "time")},
    "datetime": f"<{XSD}dateTime>",
    "duration": f"<{XSD}duration>",
    "string": f"<{XSD}string>",
    "str_dt": "STRDT",
    "str_lang": "STRLANG",
    "str_uuid": "STRUUID",
}


def term(one: object) -> str:
    """A term; None is UNDEF."""
    match one:
        case Variable(name):
            return f"?{name}"
        case IRI(value):
            return f"<{value}>"
        case Literal(lexical, datatype, language):
            escaped = "".join(f"\\u{ord(c):04X}" if c in '"\\' or ord(c) < 32 else c for c in lexical)
            return f'"{escaped}"' + (
                f"@{language}" if language else "" if datatype == XSD_STRING else f"^^<{datatype}>"
            )
        case None:
            return "UNDEF"
        case _:
            raise NotImplementedError(repr(one))


def expression(one: Expression) -> str:
    match one:
        case Comparison(operator, left, right) | Arithmetic(operator, left, right):
            return f"({expression(left)} {operator.value} {expression(right)})"
        case And(operands):
            return f"({' && '.join(map(expression, operands))})"
        case Or(operands):
            return f"({' || '.join(map(expression, operands))})"
        case Not(operand):
            return f"(!{expression(operand)})"
        case Negative(operand):
            return f"(-{expression(operand)})"
        case Membership(operand, options, negated):
            return f"({expression(operand)} {'NOT ' * negated}IN ({', '.join(map(expression, options))}))"
        case Call(function, arguments):
            return f"{NAMES.get(function, function.upper())}({', '.join(map(expression, arguments))})"
        case Exists(rows, negated):
            return f"({'NOT ' * negated}EXISTS {{ {group(rows)} }})"
        case Aggregate(function, operand, distinct, separator):
            inside = "*" if operand is None else expression(operand)
            tail = f"; SEPARATOR={term(Literal.of(separator))}" if separator is not None else ""
            return f"{function.upper()}({'DISTINCT ' * distinct}{inside}{tail})"
        case _:
            return term(one)


def path(one: Path) -> str:
    match one:
        case Step(predicate):
            return term(predicate)
        case Inverse(inner):
            return f"^({path(inner)})"
        case Sequence(paths):
            return f"({'/'.join(map(path, paths))})"
        case Alternative(paths):
            return f"({'|'.join(map(path, paths))})"
        case Repeat(inner, minimum, maximum):
            return _repeated(f"({path(inner)})", minimum, maximum)
        case NegatedSet(forward, backward):
            return f"!({'|'.join([term(p) for p in forward] + ['^' + term(p) for p in backward])})"


def _repeated(inner: str, minimum: int, maximum: int | None) -> str:
    if maximum is None:
        return {0: f"({inner}*)", 1: f"({inner}+)"}[minimum]
    if maximum == 0:
        raise NotImplementedError("zero steps")
    return f"({'/'.join([inner] * minimum + [inner + '?'] * (maximum - minimum))})"


def group(rows: tuple[Row, ...]) -> str:
    """Positive rows first, then what depends on them, as the order of the reference semantics says."""

    def rank(row: Row) -> int:
        return 2 if isinstance(row.atom, MinusBlock) else 1 if isinstance(row.atom, OptionalBlock | Bind) else 0

    return " ".join(_row(row) for row in sorted(rows, key=rank))


def _row(row: Row) -> str:
    where = "" if row.where is None else f" FILTER({expression(row.where)})"
    match row.atom:
        case Triple(subject, predicate, object_):
            return f"{term(subject)} {term(predicate)} {term(object_)} .{where}"
        case TypeAtom(subject, type_):
            return f"{term(subject)} <{RDF_TYPE}> {term(type_)} .{where}"
        case PathAtom(subject, one, object_):
            return f"{term(subject)} {path(one)} {term(object_)} .{where}"
        case Filter(condition):
            return f"FILTER({expression(condition)})"
        case Bind(value, variable):
            return f"BIND({expression(value)} AS {term(variable)})"
        case Values(variables, lines):
            body = " ".join(f"({' '.join(map(term, line))})" for line in lines)
            return f"VALUES ({' '.join(map(term, variables))}) {{ {body} }}"
        case OptionalBlock(rows):
            return f"OPTIONAL {{ {group(rows)} }}"
        case NotBlock(rows):
            return f"FILTER(NOT EXISTS {{ {group(rows)} }})"
        case MinusBlock(rows):
            return f"MINUS {{ {group(rows)} }}"
        case Either(branches):
            return " UNION ".join(f"{{ {group(branch)} }}" for branch in branches)
        case SubTable(table):
            return f"{{ {query(table)} }}"


def _column(column: Column) -> str:
    if column.alias is None:
        return expression(column.expression)
    return f"({expression(column.expression)} AS {term(column.alias)})"


def query(table: Table) -> str:
    """The whole table."""
    shell = table.shell
    if shell.extreme is not None:
        raise NotImplementedError("superlatives")
    if shell.form is Form.ASK:
        return f"ASK {{ {group(table.rows)} }}"
    parts = [
        f"SELECT {'DISTINCT ' * shell.distinct}{' '.join(map(_column, table.head)) or '*'} {{ {group(table.rows)} }}"
    ]
    if shell.group:
        parts.append(f"GROUP BY {' '.join(map(_column, shell.group))}")
    if shell.having:
        parts.append(f"HAVING {' '.join(f'({expression(one)})' for one in shell.having)}")
    if shell.order:
        keys = (f"{'DESC' if key.descending else 'ASC'}({expression(key.expression)})" for key in shell.order)
        parts.append(f"ORDER BY {' '.join(keys)}")
    parts += [f"LIMIT {shell.limit}"] if shell.limit is not None else []
    parts += [f"OFFSET {shell.offset}"] if shell.offset is not None else []
    return " ".join(parts)


def ntriples(facts: Iterable[Fact]) -> str:
    """Facts as N-Triples."""
    return "".join(f"{term(s)} {term(p)} {term(o)} .\n" for s, p, o in facts)
