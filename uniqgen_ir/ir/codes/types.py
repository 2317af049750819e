"""UQ220–UQ259: types."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ220",
        "type_mismatch",
        "a variable is a node in one place and a literal in another",
        "One row needs the variable to be a node (it has properties of its own), another needs a literal (a number, a "
        "string, a date). The message names both rows.",
        "No term of a graph is both, so the rows have no solution together.",
        "?g ol:hostCity ?x\n?x > 1900",
        "?g ol:year ?x\n?x > 1900",
    ),
    Code(
        "UQ221",
        "datatype_mismatch",
        "values of datatypes that never compare",
        "A comparison, a list or a pattern puts values side by side whose datatypes have nothing in common: a date and "
        "a string, a number and a string, a date and a dateTime.",
        "Such a comparison is never true, so the row silently removes every answer.",
        '?g ol:openingDate ?d where ?d > "2009"',
        '?g ol:openingDate ?d where ?d > date("2009-01-01")',
    ),
    Code(
        "UQ222",
        "ill_formed_literal",
        "a literal that is not written as its datatype asks",
        "The text of the literal does not stand for any value of its datatype.",
        "It has no value, so it is smaller, larger and equal to nothing.",
        '?g ol:openingDate ?d where ?d > date("2009-13-45")',
        '?g ol:openingDate ?d where ?d > date("2009-12-31")',
    ),
    Code(
        "UQ223",
        "language_tag",
        "a language tag on one side only",
        "A string with a language tag and a plain string are different literals, even with the same text.",
        "The match fails for every answer, and the text looks right to whoever reads it.",
        '?g ol:season "Winter"@en',
        '?g ol:season "Winter"',
    ),
    Code(
        "UQ224",
        "argument_type",
        "a function that cannot take its argument",
        "The argument is of a type for which the function has no value: the month of a string, the length of a node.",
        "The expression is an error for every solution, so the condition is never true.",
        "?g ol:season ?s where month(?s) = 2",
        "?g ol:openingDate ?d where month(?d) = 2",
    ),
    Code(
        "UQ225",
        "arithmetic_type",
        "arithmetic on what is not a number",
        "An operand of `+`, `-`, `*` or `/` is neither a number nor, for sums, a time or a duration.",
        "The expression is an error for every solution. To join strings, use `concat`.",
        "?g ol:season ?s where ?s + 1 = 2",
        "?g ol:year ?y where ?y + 1 = 2027",
    ),
    Code(
        "UQ226",
        "condition_type",
        "a condition that is neither true nor false",
        "Only truth values, numbers and strings count as true or false; a node, a date or a duration does not.",
        "The condition is an error for every solution.",
        "?g ol:openingDate ?d where ?d",
        "?g ol:openingDate ?d where bound(?d)",
    ),
    Code(
        "UQ227",
        "literal_subject",
        "a literal as the subject of a triple",
        "Only nodes have properties; a literal has none.",
        "The row matches nothing, on any graph.",
        '"Winter" ol:season ?g',
        '?g ol:season "Winter"',
    ),
    Code(
        "UQ228",
        "aggregate_type",
        "an aggregate over values that it cannot work on",
        "`sum` and `avg` need numbers; `min` and `max` of nodes compare nothing but their names.",
        "The column stays empty, or says something that nobody asked.",
        "select sum(?city) as ?n",
        "select count(?city) as ?n",
    ),
    Code(
        "UQ229",
        "order_type",
        "the largest or smallest of something that has no size",
        "`argmax` and `argmin` go by nodes, or by values of unlike kinds.",
        "Nodes only have names: the largest one is an accident of spelling.",
        "argmax ?g by ?city",
        "argmax ?g by ?athletes",
    ),
    Code(
        "UQ230",
        "always_different",
        "a difference that always holds",
        "`!=` or `not in` between values whose datatypes have nothing in common is true whatever the values are.",
        "The condition removes nothing; it was probably meant to.",
        '?g ol:year ?y where ?y != "1936"',
        "?g ol:year ?y where ?y != 1936",
    ),
)
