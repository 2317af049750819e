"""UQ65x: files and options given to the command line."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ650",
        "file_access",
        "a file cannot be read or written",
        "The named file does not exist, cannot be opened, or is not UTF-8 text.",
        "Nothing was read, so nothing was done.",
        "uniqgen compile tabel.ctable --to sparql",
        "uniqgen compile table.ctable --to sparql",
    ),
    Code(
        "UQ651",
        "batch_line",
        "a line of a batch is not what the command takes",
        "Each line of a batch is one JSON object with the keys that the command's help names. This line is not; the "
        "other lines are answered all the same.",
        "A line that is guessed at would be answered wrongly.",
        '{"id": 1, "query": ',
        '{"id": 1, "language": "ctable", "table": "ctable t { select ?x  ?x a ex:C }"}',
    ),
    Code(
        "UQ652",
        "unknown_code",
        "no such diagnostic",
        "`uniqgen explain` was asked for a code that is not in the table.",
        "`uniqgen explain` alone lists all codes.",
        "uniqgen explain UQ20",
        "uniqgen explain UQ202",
    ),
    Code(
        "UQ653",
        "option_value",
        "an option has a value that cannot be used",
        "The value of a command line option is not one that the option takes.",
        "A wrong value that is ignored would change the result in silence.",
        "uniqgen chase t.ctable --graph g.nt --budget seconds=3",
        "uniqgen chase t.ctable --graph g.nt --budget ms=3000",
    ),
    Code(
        "UQ654",
        "not_available",
        "something that this version does not do",
        "The option or input asks for a part that this version does not have.",
        "It is refused by name instead of doing something else.",
        "uniqgen ask 'Who?' --graph almanac --model some-model",
        "uniqgen ask 'Who?' --graph almanac",
    ),
    Code(
        "UQ655",
        "reference_answer",
        "a reference answer cannot be read",
        "A line of the answers file, or a value of the `answers` list, is not a term: neither text, nor a number, nor an "
        "object with `value` and, if wanted, `type`, `datatype`, `lang` and `confidence`.",
        "Reference answers decide which rows are kept, so none may be lost in silence.",
        '{"value": "http://example.org/a", "confidence": 2}',
        '{"value": "http://example.org/a", "confidence": 0.8}',
    ),
    Code(
        "UQ656",
        "assumption",
        "a guess about the mapping, under --strict",
        "No mapping says whether this name is an edge, a property or a label in the property graph, so the compiler took "
        "what its use suggests. Without --strict such guesses are only listed.",
        "A wrong guess gives a query that runs and finds nothing.",
        "uniqgen compile t.ctable --to cypher --strict",
        "uniqgen compile t.ctable --to cypher --strict --mapping mapping.cts",
    ),
    Code(
        "UQ657",
        "not_in_graph",
        "a name does not occur in the graph",
        "The answer is empty, and this entity, class or predicate of the table occurs nowhere in the graph.",
        "An empty answer that comes from a misspelt name looks like an answer; it is none.",
        "?g ol:hostCity pl:LakePlacit",
        "?g ol:hostCity pl:LakePlacid",
    ),
    Code(
        "UQ658",
        "tables_left_out",
        "only the first table of the file was taken",
        "The file holds several tables, and the command works on one: the message names the one that was taken and the "
        "others. `check` and `fmt` work on all of a file.",
        "What the other tables ask has no part in the result.",
        "ctable first { … }\n\nctable second { … }",
        "ctable first { … }",
    ),
)
