"""UQ4xx: normal form, satisfiability, passes and their search."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ401",
        "unsatisfiable",
        "the rows contradict one another",
        "The named rows can never hold together, on any graph. They are the smallest such set that was found: without "
        "any one of them the others do not contradict one another.",
        "A query that can have no answers is nearly always a mistake in one of these rows.",
        "?city ex:population ?n where ?n > 5\n  ?n < 3",
        "?city ex:population ?n where ?n > 3\n  ?n < 5",
    ),
    Code(
        "UQ402",
        "disjoint_classes",
        "the rows ask for a node of classes that share no instance",
        "The schema declares the two classes (or classes above them) disjoint, and the named rows put one node into "
        "both. Without any one of these rows the others do not contradict one another.",
        "On a graph that obeys the schema the table can have no answer.",
        "class ex:Person disjoint ex:City\n\n?x a ex:Person\n?x a ex:City",
        "?x a ex:Person\n?x ex:lives_in ?city\n?city a ex:City",
    ),
    Code(
        "UQ403",
        "unsatisfiable_under_schema",
        "no graph that obeys the schema has an answer",
        "The schema's rules, applied to the named rows, lead to a contradiction: two different constants that would have "
        "to be one (a functional or key relation), or a node of classes that are declared disjoint. Without any one of "
        "the named rows there is none; the message tells how it follows from them.",
        "On a graph that obeys the schema the table has no answers; one of the rows, or the rule, is not what was meant.",
        "relation ex:capital : ex:Country -> ex:City functional\n\nex:france ex:capital ex:paris\n"
        "ex:france ex:capital ex:lyon",
        "ex:france ex:capital ex:paris",
    ),
    Code(
        "UQ404",
        "chase_without_end",
        "applying the schema's rules may have no end",
        "Either the rules make new values that they apply to again (the message shows the cycle; they are not weakly "
        "acyclic), or the chase was ended by its budget of `steps`.",
        "Every row that was added follows, but more may follow: the table is not all that the schema implies.",
        "rule parent: { ?x a ex:Person } => { ?x ex:child_of ?y . ?y a ex:Person }",
        "rule parent: { ?x a ex:Person } => { ?x ex:child_of ?y }",
    ),
    Code(
        "UQ405",
        "rule_left_out",
        "something that the schema says was left out",
        "The graph violates a rule of the schema (`admit=data`), so that what follows by it would cost answers; or the "
        "rule cannot be applied here, for the reason that is given.",
        "The rows that were added are not all that follow under the schema.",
        'uniqgen opt t.ctable --passes "saturate{admit=data}" --schema s.cts --graph g.nt',
        "declare in the schema what holds in the graph, or mend the graph",
    ),
    Code(
        "UQ406",
        "row_undecided",
        "whether a row may go could not be decided",
        "The search for a proof ended by its budget, or the row is of a kind that is beyond it. The row stays.",
        "The table has the right answers, but a smaller one may have them, too.",
        "minimize{budget=10}",
        "minimize{budget=200000}",
    ),
    Code(
        "UQ410",
        "unsupported_in_search",
        "the search cannot work on this row",
        "Chase and backchase drop and keep rows by rules that hold for triples, types, paths, conditions, "
        "`either`, `not` "
        "and `optional`. The named row is of a kind for which those rules do not hold.",
        "Dropping or keeping it anyway could lose answers, so the table is refused.",
        "price: let ?double = ?p * 2",
        "price: ?item ex:price ?p where ?p * 2 < 10",
    ),
    Code(
        "UQ411",
        "no_answer_key",
        "no row binds what the head asks for",
        "Reference answers are compared with the head variables that rows bind. This table has none. A variable that only an "
        "`optional` row binds is none either: its row can be without a match. In Cypher, a property that is returned may "
        "be missing; `WHERE p.name IS NOT NULL` asks for it.",
        "Without them there is nothing that a row could be tested against.",
        "select distinct ?city\n  ?x a ex:City",
        "select distinct ?city\n  ?city a ex:City",
    ),
    Code(
        "UQ412",
        "reference_shape",
        "a reference answer does not fit the head",
        "Each reference answer needs one value for each head variable that rows bind, in head order, and "
        "none of them may "
        "be a blank node.",
        "A value in the wrong place would make every row look wrong.",
        '["http://example.org/Oslo"]   (head: ?city ?name)',
        '["http://example.org/Oslo", "Oslo"]',
    ),
    Code(
        "UQ413",
        "search_option",
        "an option of the search has no such value",
        "The strategies are `greedy`, `beam` and `exact`; the objectives `minimal` and `tight`; evidence is `data` or "
        "`schema`; theta lies above 0 and at most 1; a beam is at least 1 wide.",
        "A guess in place of the option would search for something else than you asked for.",
        "uniqgen chase t.ctable --strategy gready",
        "uniqgen chase t.ctable --strategy greedy",
    ),
    Code(
        "UQ415",
        "no_complete_set",
        "no safe set of rows keeps the reference answers",
        "Every way to relax the table loses a reference answer: the message names the answer and the rows "
        "that lose it.",
        "A query that does not give the answers that are known to be right is wrong somewhere else: in the "
        "answers, in the "
        "names, or in the graph.",
        "@required on a row that contradicts a reference answer",
        "leave the pin away, or leave the answer out of the file",
    ),
    Code(
        "UQ416",
        "search_stopped",
        "the budget ended before the search found anything",
        "The search may spend a number of statements and milliseconds; they were used up first.",
        "Nothing that was found so far keeps the reference answers.",
        "uniqgen chase t.ctable --budget calls=2",
        "uniqgen chase t.ctable --budget calls=200,ms=5000",
    ),
    Code(
        "UQ420",
        "pipeline_syntax",
        "the pipeline cannot be read",
        "A pipeline is a list of pass names with commas between them, each with options in braces where it needs some.",
        "A pipeline that is read otherwise than it was meant would run the wrong passes.",
        "normalize chase{strategy=beam",
        "normalize, chase{strategy=beam}",
    ),
    Code(
        "UQ421",
        "unknown_pass",
        "there is no pass of this name",
        "The name is not among the registered passes.",
        "A pass that is left out silently would leave the table unchanged.",
        "normalise, chase",
        "normalize, chase",
    ),
    Code(
        "UQ422",
        "pass_option",
        "the pass has no such option, or the option no such value",
        "Options are the fields of the pass; their values are names, whole numbers, decimals, `true` or `false`. Numbers "
        "that count something are at least 1.",
        "An option that is ignored would run the pass with another setting than you asked for.",
        "chase{beam=wide}",
        "chase{beam=4}",
    ),
    Code(
        "UQ423",
        "pass_context",
        "the pass needs something that it was not given",
        "Some passes ask a store or compare with reference answers; this run has none.",
        "Without them the pass cannot tell which rows to keep.",
        'uniqgen opt t.ctable --passes "chase"',
        "uniqgen chase t.ctable --graph g.nt --answers answers.txt",
    ),
    Code(
        "UQ430",
        "aggregation",
        "an aggregate stands where none may stand, or a column is neither grouped nor aggregated",
        "Aggregates belong in the head, in `having` and in sort keys, never inside one another; beside them "
        "every plain "
        "column must be one of the `group by` keys.",
        "Which of a group's values such a column should show is undefined.",
        "ctable t {\n  select ?city count(?game) as ?n\n  ?game ex:city ?city\n}",
        "ctable t {\n  select ?city count(?game) as ?n\n  ?game ex:city ?city\n  group by ?city\n}",
    ),
    Code(
        "UQ431",
        "sort_key",
        "a distinct table is sorted by something that its head does not show",
        "Where answers are distinct (or grouped), several solutions stand behind one answer, and they may "
        "have different "
        "sort keys.",
        "Engines refuse such a query or pick one of the keys at random.",
        "ctable t {\n  select distinct ?city\n  ?city ex:founded ?year\n  order by ?year\n}",
        "ctable t {\n  select distinct ?city ?year\n  ?city ex:founded ?year\n  order by ?year\n}",
    ),
    Code(
        "UQ432",
        "optional_scope",
        "an optional row binds a variable that another row uses",
        "A variable that only `optional` rows bind is joined with another row. What that means depends on "
        "the order of the "
        "rows.",
        "Tables have no order of rows; engines would disagree.",
        "label: optional { ?city ex:name ?name }\n  same: ?other ex:name ?name",
        "label: ?city ex:name ?name\n  same: ?other ex:name ?name",
    ),
    Code(
        "UQ433",
        "malformed_row",
        "a row is not put together as it must be",
        "An inline table has lines of another width than its variables, a condition hangs on a row that "
        "cannot have one, a "
        "block is empty, or a limit is negative. A reader of text never gives such a table; a program can.",
        "No query says what such a row should mean.",
        "Values((x, y), ((a,),))",
        "Values((x, y), ((a, b),))",
    ),
    Code(
        "UQ424",
        "no_reformulation",
        "the vocabulary cannot say what the query asks",
        "The pass `reformulate` looks for a query in the wanted vocabulary that has the same answers on every graph that "
        "obeys the schema and its rules. The message says what is missing: a rule that leads from the one vocabulary to "
        "the other, or back, or the vocabulary has no word for a part of the query.",
        "A query that says less would give more answers than were asked for; one that says more, fewer.",
        "schema bridge {\n  rule forth: { ?m job:holder ?p . ?m job:employer ?c } => { ?p pg:worksAt ?c }\n}",
        "schema bridge {\n  rule forth: { ?m job:holder ?p . ?m job:employer ?c } => { ?p pg:worksAt ?c }\n"
        "  rule back: { ?p pg:worksAt ?c } => { ?m job:holder ?p . ?m job:employer ?c }\n}",
    ),
    Code(
        "UQ434",
        "bound_twice",
        "a computed variable is bound by another row, too",
        "`let` (or a named column) gives its value a fresh variable; here the variable already has a value.",
        "Whether that means a comparison or an error differs from engine to engine.",
        "?x ex:price ?p\n  let ?p = ?q * 2",
        "?x ex:price ?p\n  ?p = ?q * 2",
    ),
    Code(
        "UQ490",
        "broken_trace",
        "the trace was changed or cannot be read",
        "Each line of a trace holds the hash of the line before it. Here the chain breaks, or a line is not a step.",
        "A trace that was changed proves nothing.",
        "(a line was edited by hand)",
        "uniqgen chase t.ctable --graph g.nt --answers answers.txt --trace new.jsonl",
    ),
    Code(
        "UQ491",
        "false_certificate",
        "a claim of the trace does not hold on this graph",
        "The chain of hashes is whole, but a claim (these answers are covered, this row would lose that "
        "answer, without "
        "this row that answer comes in) was replayed on the graph and found false.",
        "Either the graph is not the one that the trace was made on, or the trace is not to be trusted.",
        "uniqgen verify trace.jsonl --graph other.nt",
        "uniqgen verify trace.jsonl --graph g.nt",
    ),
)
