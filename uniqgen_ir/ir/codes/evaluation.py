"""UQ67x: data sets of questions."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ670",
        "dataset_format",
        "not a data set that is known",
        "The file is neither WebQSP, ComplexWebQuestions, GrailQA or GraphQuestions as published (JSON), nor JSON "
        "lines with `id` and `sparql`; or one of its records breaks the form of the others.",
        "A record that is left out in silence would change every figure that is counted later.",
        "uniqgen translate answers.csv",
        "uniqgen translate WebQSP.test.json",
    ),
    Code(
        "UQ671",
        "other_run",
        "the output file belongs to another run",
        "The file of `--out` holds results, and they do not come from the same data set, graph and options.",
        "Going on would mix the results of two runs in one file.",
        "uniqgen translate cwq.json --out webqsp.translated.jsonl",
        "uniqgen translate cwq.json --out cwq.translated.jsonl",
    ),
    Code(
        "UQ672",
        "engines_disagree",
        "the translations give different answers",
        "The cleaned SPARQL and the Cypher of one gold query were run on the same graph and gave different answers.",
        "One of them is wrong: please report it with the record.",
        "SELECT ?x WHERE { … }    # 3 answers, its Cypher 2",
        "Report it; until then use the language whose answers are right.",
    ),
    Code(
        "UQ673",
        "no_gold_query",
        "a record without a gold query",
        "The record has a question, but no SPARQL to translate.",
        "It is listed all the same, so that every record of the data set has a line.",
        '{"id": 1, "question": "who directed heat?"}',
        '{"id": 1, "question": "who directed heat?", "sparql": "SELECT ?x WHERE { … }"}',
    ),
    Code(
        "UQ674",
        "subgraph_format",
        "a record's graph is not a list of triples by name",
        "A file of questions with their subgraphs has a JSON object a line; its `graph` is a list of `[subject, relation, "
        "object]`, three names or IRIs that are not empty.",
        "With a triple left out, or numbers that another file would explain, the question would be walked on another graph.",
        '{"id": 1, "question": "who directed heat?", "graph": [[17, 3, 4]]}',
        '{"id": 1, "question": "who directed heat?", "graph": [["Heat", "directed_by", "Michael Mann"]]}',
    ),
)
