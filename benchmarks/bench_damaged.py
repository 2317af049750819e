"""One damaged word in a query: how near to it the first report is, and how often there is exactly one.

usage: python benchmarks/bench_damaged.py [--queries N] [--list]

In each of N valid queries of either language, from `../shared`, one word is left out, replaced by another of the query,
or one is put in. Queries that are still good are left aside. *Near*: the first report starts within two words of the
damage, or covers it. `--list` prints the queries whose first report is not near.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from uniqgen_ir.grammar.cypher import check_cypher, parse_cypher
from uniqgen_ir.grammar.cypher.tokens import scan
from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.grammar.sparql.lexer import tokenize
from uniqgen_ir.grammar.sparql.tables import parse_table
from uniqgen_ir.ir.diagnostics import Diagnostic, errors

QUESTIONS: Final = Path(__file__).parents[2] / "shared" / "data" / "questions"
SETS: Final = {
    "cypher": ("zograscope_test_v1", "text2cypher_gpt4turbo", "text2cypher_claudeopus", "sm3_dev"),
    "sparql": ("webqsp_test", "cwq_test", "grailqa_1000", "qald10_en_tog", "lcquad1_test", "sm3_dev"),
}
FOREIGN: Final = {
    "cypher": (")", "(", "}", "foo", ",", "|", "MATCH", "]", "'x'", "@"),
    "sparql": (")", "(", "}", "foo", ",", "|", "SELECT", "]", "'x'", "@", "."),
}
NEAR: Final = 2


@frozen
class Language:
    """How a language is cut into words and read; `faults` gives the errors in the order of the text."""

    name: str
    words: Callable[[str], list[tuple[int, int]]]
    faults: Callable[[str], tuple[Diagnostic, ...]]


@frozen
class Report:
    """What was reported of a damaged query."""

    text: str
    place: int
    """the word that is damaged"""
    near: bool
    number: int
    first: str


def _cypher_faults(text: str) -> tuple[Diagnostic, ...]:
    parse = parse_cypher(text)
    return errors(parse.diagnostics) or errors(check_cypher(parse))


def _sparql_words(text: str) -> list[tuple[int, int]]:
    return [(start, end) for kind, _, start, end in tokenize(text, parse_table()) if kind != "$END"]


LANGUAGES: Final = {
    "cypher": Language("cypher", lambda text: [(one.start, one.end) for one in scan(text)[:-1]], _cypher_faults),
    "sparql": Language("sparql", _sparql_words, lambda text: errors(read_sparql(text).diagnostics)),
}


def queries(language: str, number: int, chance: random.Random) -> Iterator[str]:
    """About so many valid queries, as many of each set."""
    for name in SETS[language]:
        with gzip.open(QUESTIONS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            texts = [json.loads(line).get(language) or "" for line in lines]
        share = number // len(SETS[language])
        chosen = chance.sample(texts, min(len(texts), share))
        yield from (text for text in chosen if text.strip() and not LANGUAGES[language].faults(text))


def damaged(text: str, language: Language, chance: random.Random) -> tuple[str, int]:
    """The text with one word left out, replaced by another or put in, and the position of it."""
    words = language.words(text)
    start, end = chance.choice(words)
    match chance.randrange(3):
        case 0:
            return f"{text[:start]} {text[end:]}", start
        case 1:
            other = chance.choice(words)
            return f"{text[:start]} {text[other[0] : other[1]]} {text[end:]}", start
        case _:
            extra = chance.choice((*FOREIGN[language.name], text[start:end]))
            return f"{text[:start]} {extra} {text[start:]}", start


def reports(name: str, number: int, seed: int = 20) -> list[Report]:
    """What is reported of damaged queries that are no longer good."""
    language, chance = LANGUAGES[name], random.Random(seed)
    found: list[Report] = []
    for text in queries(name, number, chance):
        broken, position = damaged(text, language, chance)
        faults = language.faults(broken)
        if faults:
            found.append(judged(broken, position, language, faults))
    return found


def judged(text: str, position: int, language: Language, faults: Sequence[Diagnostic]) -> Report:
    """How near the first fault is to the word at the position."""
    words = language.words(text)
    spans = [one.span for one in faults if one.span is not None]
    first = min(spans, key=lambda span: span.start)
    place = _place(words, position)
    near = abs(_place(words, first.start) - place) <= NEAR or first.start <= position <= first.end
    message = next(one for one in faults if one.span == first)
    return Report(text, place, near, len(faults), f"{message.code} {message.message}")


def _place(words: Sequence[tuple[int, int]], position: int) -> int:
    return min(range(len(words)), key=lambda place: abs(words[place][0] - position))


def shares(found: Sequence[Report]) -> tuple[float, float]:
    """The part whose first report is near, and the part with exactly one."""
    total = max(1, len(found))
    return sum(one.near for one in found) / total, sum(one.number == 1 for one in found) / total


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="one damaged word in each query")
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    for name in LANGUAGES:
        found = reports(name, arguments.queries)
        near, single = shares(found)
        print(f"{name}: {len(found)} damaged queries; first report near {near:.1%}, exactly one {single:.1%}")
        for one in found if arguments.list else ():
            if not one.near or one.number > 1:
                print(f"-- {one.number} reports, near: {one.near}; word {one.place}; {one.first}\n{one.text}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
