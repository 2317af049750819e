"""UQ66x: what the agent says about a question and its reference answers."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ660",
        "nothing_linked",
        "the question names nothing that the graph has",
        "No name, alias, class or value of the graph was found in the question, neither exactly nor by likeness. The "
        "message lists what was looked up.",
        "Without a starting point any answer would be a guess, so none is given.",
        'uniqgen ask "Which drugs treat flurbitosis?" --graph almanac',
        "Use a name that the graph has, put it in quotes or brackets, or add a synonym to the lexicon.",
    ),
    Code(
        "UQ661",
        "no_reading",
        "no reading of the question has an answer in the graph",
        "Names were found, but no path of relations leads from them to answers of the kind that is asked for.",
        "The graph may not hold the fact, or the relation may have a name that the question's words do not suggest.",
        'uniqgen ask "Which river flows through Lonely Island?" --graph g.ttl   # where it only has a name',
        "Ask with a word of the graph's relations, or add a synonym for the relation to the lexicon.",
    ),
    Code(
        "UQ662",
        "unsure_reading",
        "the words of the question do not fit any reading well enough",
        "The best reading leaves too many words unexplained, or uses relations that no word says.",
        "An answer that hangs on a guess looks like any other answer; it is better to say that none is known.",
        'uniqgen ask "Which Japan is Tokyo?" --graph almanac',
        "Say the relation in words that the graph or its lexicon knows.",
    ),
    Code(
        "UQ663",
        "unknown_reference",
        "a reference answer names nothing that the graph has",
        "A line of the file of reference answers is neither the IRI nor the name of anything in the graph.",
        "A reference answer that no query can give would make every row look wrong, so this one is left out.",
        "Lake Placide",
        "Lake Placid",
    ),
    Code(
        "UQ664",
        "ambiguous_reference",
        "a reference answer names several things",
        "The name stands for more than one thing of the graph; the one that fits the question best was taken.",
        "If another one was meant, the chase is led astray.",
        "Georgia",
        "<http://almanac.example/place/Georgia>",
    ),
    Code(
        "UQ665",
        "blocked_references",
        "no set of rows gives every reference answer",
        "The chase found no rows of the proposed table that together give all reference answers.",
        "A table that misses a reference answer contradicts what somebody knows.",
        "uniqgen ask QUESTION --graph almanac --oracle answers.txt",
        "Check the reference answers: one that the graph does not support blocks every table.",
    ),
    Code(
        "UQ666",
        "unsupported_question",
        "the question asks for something that the offline reader cannot express",
        "The question has a word that changes its meaning (*neither*, *median*, a superlative), and the offline reader does "
        "not know how to say it as a row.",
        "Leaving the word out would answer another question.",
        'uniqgen ask "Which medicines treat neither gout nor malaria?" --graph almanac',
        "Ask without it, one thing at a time (`Which medicines do not treat gout?`), or write the table by hand: `not { … }`, `argmax ?x by ?n`.",
    ),
    Code(
        "UQ667",
        "lexical_only",
        "matching without embeddings",
        "The packages of the extra `embeddings` are not installed, so words are matched by stems, synonyms and "
        "spelling only.",
        "Questions that put things in other words than the graph and its lexicon are understood less often.",
        "pip install uniqgen-ir",
        'pip install "uniqgen-ir[embeddings]"',
    ),
    Code(
        "UQ668",
        "ignored_words",
        "words of the question that the reading leaves out",
        "The graph and its lexicon do not know these words, so the table says nothing about them.",
        "An answer that ignores a word may answer a wider question than the one that was asked.",
        'uniqgen ask "Which medicines treat dragon fever?" --graph almanac',
        "Check whether the answer is still what was meant; add a synonym to the lexicon if the word means something.",
    ),
    Code(
        "UQ669",
        "relation_gone",
        "the graph lacks a relation that the vocabulary declares",
        "A word of the question is what the schema or lexicon calls a relation, or a habit of the lexicon adds a row "
        "with one, and the graph has no fact of that relation: it was renamed or has gone.",
        "Another relation in its place would answer another question, and a row that can match nothing none at all.",
        'synonym "treats", "cures" = med:treats        # and the graph now says med:isTreatmentFor',
        'synonym "treats", "cures" = med:isTreatmentFor',
    ),
)
