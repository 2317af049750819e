"""The words of the language with what they do, as completion and hover show them."""

from __future__ import annotations

from typing import Final

ANNOTATIONS: Final[dict[str, str]] = {
    "explicit": "the question says so (the default)",
    "pragmatic": "nobody said so, but people mean it",
    "structural": "the shape of the graph asks for it",
    "schema": "derived from a rule of the schema",
    "required": "pinned: the search never drops the row",
    "from": "the rows that this one was made from",
}

AGGREGATES: Final[dict[str, str]] = {
    "count": "how many",
    "sum": "the sum",
    "avg": "the mean",
    "min": "the least",
    "max": "the greatest",
    "sample": "any one of them",
    "group_concat": "the texts joined",
}

ROW_WORDS: Final[dict[str, str]] = {
    "optional": "bind what these rows give where they match: `optional { … }`",
    "not": "keep the solution only where these rows have no match: `not { … }`",
    "minus": "drop solutions that agree with one of these rows: `minus { … }`",
    "either": "solutions of any branch: `either { … } or { … }`",
    "exists": "whether these rows have a match, as a condition: `exists { … }`",
    "let": "give the value of an expression a name: `let ?x = …`",
    "values": "an inline table: `values ?x { … }`",
    "table": "a table inside the table: `table { … }`",
}

CLAUSE_WORDS: Final[dict[str, str]] = {
    "select": "the columns of the answer",
    "select distinct": "the columns of the answer, each line once",
    "ask": "whether there is an answer at all",
    "order by": "the order of the answers",
    "limit": "at most so many answers",
    "offset": "leave out so many answers first",
    "group by": "what aggregates are taken over",
    "having": "a condition on groups",
    "argmax": "only where the value is largest, all ties kept: `argmax ?x by ?n`",
    "argmin": "only where the value is smallest, all ties kept",
    "use schema": "a file of schemas that this table speaks of",
    "match": "what two patterns may bind: `match different relationships`",
}

EXPRESSION_WORDS: Final[dict[str, str]] = {
    "and": "both hold",
    "or": "one of them holds",
    "not": "it does not hold",
    "in": "one of a list: `?x in (…)`",
    "not in": "none of a list",
    "between": "`?x between … and …`, both ends included",
    "starts with": "the text begins so",
    "ends with": "the text ends so",
    "contains": "the text holds it",
    "matches": "a regular expression matches somewhere",
    "exists": "these rows have a match: `exists { … }`",
    "true": "the truth value",
    "false": "the truth value",
}

FILE_WORDS: Final[dict[str, str]] = {
    "ctable": 'a table: `ctable name "question" { … }`',
    "prefix": "a short name for a namespace: `prefix ex: <http://…/>`",
    "use schema": "a file of schemas that the tables speak of",
    "use unbounded paths": "allow paths without a bound",
}

SCHEMA_FILE_WORDS: Final[dict[str, str]] = {
    "schema": "classes, relations, properties and rules: `schema name { … }`",
    "lexicon": "words for names, and what people imply: `lexicon name for schema { … }`",
    "mapping": "how names stand in a property graph: `mapping name for schema { … }`",
    "prefix": "a short name for a namespace: `prefix ex: <http://…/>`",
    "use schema": "another file that this one builds on",
}

DECLARATION_WORDS: Final[dict[str, str]] = {
    "class": '`class ex:City "city" < ex:Place`',
    "relation": '`relation ex:in "in" : ex:City -> ex:Country`',
    "property": '`property ex:name "name" : ex:City -> xsd:string`',
    "synonym": '`synonym "town" = ex:City`',
    "rule": "`rule name: { … } => { … }`",
    "implied": "`implied name: { … } => { … }`, in a lexicon",
}

TRAIT_WORDS: Final[dict[str, str]] = {
    "functional": "at most one object a subject",
    "key": "at most one subject an object",
    "inverse": "the relation that says the same the other way round",
    "disjoint": "classes that share no instance with this one",
}
