"""Text around a query: found, never read as part of it, removed by the fix."""

from __future__ import annotations

import pytest

from tests.unit.validate.library import judged, silent
from uniqgen_ir.validate.extra_text import extract
from uniqgen_ir.validate.gate import check

QUERY = "MATCH (b:Book)\nWHERE b.pages > 3\nRETURN b.title"
AROUND = {
    "fence": "```cypher\n{}\n```",
    "fence without a language": "```\n{}\n```",
    "open fence": "```cypher\n{}",
    "fence on one line": "```cypher {}```",
    "prose and fence": "Sure! Here is the query:\n\n```cypher\n{}\n```\n\nIt returns the long books.",
    "prose before": "Here is the query you asked for:\n{}",
    "prose after": "{}\n\nThis query returns the titles of long books.",
    "explanation": "{}\n\nExplanation: pages above three.",
    "label": "Answer: {}",
    "label of the language": "Cypher: {}",
    "thoughts": "<think>\nThey want MATCH (x) RETURN x. Hm.\n</think>\n{}",
    "thoughts that began before": "so I will write it.\n</think>\n{}",
    "stop token": "{}<|im_end|>",
    "end of sequence": "{}</s>",
    "turn": "<|im_start|>assistant\n{}<|im_end|>",
    "instruction marks": "[INST]{}[/INST]",
    "tag": "<query>{}</query>",
    "quotes": '"{}"',
    "backticks": "`{}`",
}


@pytest.mark.parametrize("name", AROUND)
def test_it_is_reported_and_removed(name: str) -> None:
    report = judged(AROUND[name].format(QUERY))
    assert "extra_text" in {one.kind for one in report.diagnostics}
    assert report.fixed_query == QUERY
    assert report.fix_is_safe


@pytest.mark.parametrize("name", AROUND)
def test_the_query_keeps_its_place(name: str) -> None:
    text = AROUND[name].format(QUERY)
    found = extract(text, "cypher")
    assert len(found.text) == len(text)
    assert found.text.strip() == QUERY
    assert found.text.index("MATCH (b") == text.rindex("MATCH (b")


def test_a_fault_inside_is_reported_where_it_stands() -> None:
    text = f"Here it is:\n```cypher\n{QUERY.replace('title', 'titel')}\n```"
    report = judged(text)
    (one,) = [found for found in report.diagnostics if found.kind == "unknown_property"]
    assert one.span is not None
    assert text[one.span.start : one.span.end] == "titel"
    assert report.fixed_query == QUERY


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I cannot answer that question.",
        "No answer possible based on given input",
        "The schema does not hold this information.",
    ],
)
def test_a_refusal_is_no_query(text: str) -> None:
    report = check(text, language="cypher")
    assert "extra_text" in {one.kind for one in report.diagnostics}
    assert report.fixed_query is None


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (b:Book) WHERE b.title = '```' RETURN b",
        "MATCH (b:Book) WHERE b.title = '<|im_end|>' RETURN b",
        "MATCH (b:Book) WHERE b.title = 'Here is the query: x' RETURN b",
        "// Here is what it does\nMATCH (b:Book) RETURN b.title",
        "MATCH (b:Book)\n/* The long ones\nThis query returns them. */\nRETURN b.title",
        "MATCH (b:Book)\nWHERE b.title = 'a\n\nThis is a title of a book.'\nRETURN b",
        "  \n MATCH (b:Book) RETURN b.title  \n",
    ],
)
def test_what_belongs_to_the_query_stays(query: str) -> None:
    silent(query)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("MATCH (n) RETURN n", "cypher"),
        ("PREFIX ex: <http://example.org/> SELECT ?x WHERE { ?x a ex:Book }", "sparql"),
        ("```sparql\nASK { ?s ?p ?o }\n```", "sparql"),
        ("Sure:\n```cypher\nRETURN 1 AS one\n```", "cypher"),
    ],
)
def test_the_language_is_told_by_the_first_words(text: str, language: str) -> None:
    assert check(text).language == language


TABLE = """# Winter hosts are the cities that people ask for
# Another line of the comment
{head}
ctable hosts "Which cities?" {{
  select ?city
  # This is a note about the row
  ?games ex:hostCity ?city
}}

# And this is the end of the first one
ctable games {{
  select ?games
  ?games ex:hostCity ?city
}}
"""


@pytest.mark.parametrize("language", ["ctable", None])
@pytest.mark.parametrize(
    "head",
    [
        "prefix ex: <http://example.org/>",
        "ctable 1\nprefix ex: <http://example.org/>",
        'use schema "ex.cts"\nprefix ex: <http://example.org/>',
        "use unbounded paths\nprefix ex: <http://example.org/>",
    ],
)
def test_comments_and_heads_belong_to_a_file_of_tables(head: str, language: str | None) -> None:
    text = TABLE.format(head=head)
    found = extract(text, language)
    assert (found.language, found.diagnostics) == ("ctable", ())
    assert found.text == text


def test_what_is_around_a_table_is_removed() -> None:
    table = "ctable t {\n  select ?a\n  ?a a <urn:x>\n}"
    report = check(f"Here is the table:\n```\n{table}\n```\nThis table finds them all.")
    assert report.language == "ctable"
    assert report.fixed_query == table
