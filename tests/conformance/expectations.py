"""What the project really gives for a case, one function for each kind of expectation."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from attrs import evolve, field, frozen

from tests.conformance.answers import ask_store, graph_of, show_answers, show_term, sorted_lines, store_of, turtle_of
from tests.conformance.pages import Case, Expectation
from uniqgen_ir.backends.base import RenderedQuery
from uniqgen_ir.backends.parameters import bind_parameters
from uniqgen_ir.backends.registry import renderer
from uniqgen_ir.grammar.ctable import parse_table, read_table
from uniqgen_ir.grammar.ctable.formatter import format_text
from uniqgen_ir.grammar.cypher import read_cypher
from uniqgen_ir.grammar.schema import parse_document, read_document
from uniqgen_ir.grammar.sparql import read_sparql
from uniqgen_ir.ir.codec import from_json, to_json
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity
from uniqgen_ir.ir.document_printer import print_document
from uniqgen_ir.ir.evaluation.evaluate import ReferenceStore, evaluate
from uniqgen_ir.ir.printer import print_table
from uniqgen_ir.ir.protocols import Answers
from uniqgen_ir.ir.references import references_from_json, term_from_json
from uniqgen_ir.ir.schema import Document
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.passes.base import PassContext
from uniqgen_ir.passes.containment.compare import compare
from uniqgen_ir.passes.containment.verdict import Verdict, proof_json
from uniqgen_ir.passes.findings import findings
from uniqgen_ir.passes.minimize import minimize
from uniqgen_ir.passes.normal.rule import Settings
from uniqgen_ir.passes.normalize import Normalize, normalize
from uniqgen_ir.passes.relaxation import RelaxationOptions, chase_and_backchase
from uniqgen_ir.passes.saturate.saturate import saturate
from uniqgen_ir.passes.search.result import ChaseReport
from uniqgen_ir.passes.typecheck import typecheck
from uniqgen_ir.passes.verify import verify


@frozen(slots=False)
class Run:
    """One case at work."""

    case: Case
    prefixes: dict[str, str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        found = dict(re.findall(r"^prefix (\w+): <([^>]+)>", self.case.prefixes, re.MULTILINE))
        found |= {"xsd": "http://www.w3.org/2001/XMLSchema#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#"}
        object.__setattr__(self, "prefixes", found)

    @cached_property
    def table(self) -> Table:
        """The table of the input. Raises DiagnosticError."""
        match self.case.language:
            case "ctable":
                return parse_table(self.case.source)
            case "sparql":
                return _whole(*_read_sparql(self.case.source))
            case "cypher":
                return _whole(*_read_cypher(self.case.source, self.document))
            case "json":
                return from_json(json.loads(self.case.source))
            case _:
                raise ValueError(f"{self.case.id}: {self.case.language} gives no table")

    @cached_property
    def document(self) -> Document:
        """The page's schemas, lexicons and mappings."""
        text = self.case.context.get("schema")
        return Document() if text is None else parse_document(self.case.prefixes + text)

    @property
    def settings(self) -> Settings:
        schemas = self.document.schemas
        return Settings(schema=schemas[0] if schemas else None)

    @cached_property
    def bound(self) -> Table:
        """The table with the page's values for its parameters."""
        text = self.case.context.get("params")
        given: dict[str, object] = {} if text is None else json.loads(text)
        terms = {name: term_from_json(value) for name, value in given.items()}
        return bind_parameters(self.table, {k: v for k, v in terms.items() if isinstance(v, IRI | Literal)})

    def answers(self, *words: str) -> str:
        """What the reference evaluator says; Oxigraph and the normal form must say the same."""
        turtle = turtle_of(self.case.prefixes, self.case.context["turtle"])
        store, graph = store_of(turtle), graph_of(turtle)
        shown = self.show(evaluate(self.bound, graph))
        if "reference" not in words:
            found = self.show(ask_store(store, renderer("oxigraph").render(self.bound)))
            assert found == shown, f"Oxigraph gives\n{found}and the reference evaluator\n{shown}"
        if "contradiction" not in words:
            normal, _ = normalize(self.bound, self.settings)
            found = self.show(evaluate(normal, graph))
            assert found == shown, f"the normal form gives\n{found}and the table\n{shown}"
        return shown

    def show(self, answers: Answers) -> str:
        return show_answers(answers, self.prefixes, ordered=bool(self.table.shell.order))

    def printed(self) -> str:
        return self.shown(self.table)

    def shown(self, table: Table) -> str:
        """The body of a table, without what frames it."""
        text = print_table(table)
        body = re.sub(r"\A.*?^ctable [^\n]*\{\n", "", text, count=1, flags=re.MULTILINE | re.DOTALL)
        return textwrap.dedent(body.rstrip().removesuffix("}"))

    def normal(self, *words: str) -> str:
        table, _ = normalize(self.table, self.settings, rename="keep-names" not in words)
        again, _ = normalize(table, self.settings, rename="keep-names" not in words)
        assert again == table, "the normal form of the normal form differs"
        return self.shown(table)

    def steps(self) -> str:
        _, steps = normalize(self.table, self.settings)
        return "".join(
            f"{step.rule}: {' '.join(step.rows_before) or '-'} -> {' '.join(step.rows_after) or '-'}\n"
            for step in steps
        )

    @property
    def other(self) -> Table:
        """The table that the input is compared with, in the input's language. Raises DiagnosticError."""
        return Run(evolve(self.case, text=self.case.context["other"])).table

    def compared(self, *words: str) -> str:
        """How the input (A) lies to the other query (B): the verdict, then for each direction proof or witness."""
        found = compare(self.table, self.other, self.settings.schema, as_sets="sets" in words)
        sides = (("A in B", found.forward), ("B in A", found.backward))
        lines = [line for name, verdict in sides for line in self._direction(name, verdict)]
        return "\n".join([found.relation.value, *lines]) + "\n"

    def _direction(self, name: str, verdict: Verdict) -> list[str]:
        if verdict.holds is None:
            return [f"{name}: unknown: {verdict.reason}"]
        if verdict.witness is None:
            return [f"{name}: {_proof(case)}" for case in proof_json(verdict)] or [f"{name}: no: {verdict.reason}"]
        prefixes = {"v": "urn:frozen:", "a": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", **self.prefixes}
        facts = (" ".join(show_term(term, prefixes) for term in fact) for fact in verdict.witness.graph)
        answer = " | ".join(show_term(one, prefixes) for one in verdict.witness.answer)
        times = f" {verdict.witness.more} and {verdict.witness.fewer} times" if verdict.witness.fewer else ""
        return [f"{name}: no: ({answer}){times} on {' . '.join(facts)}".replace("a:type", "a")]

    def minimal(self) -> str:
        """The table after `minimize` under the page's schema."""
        return self.shown(minimize(self.table, self.settings.schema)[0])

    def saturated(self) -> str:
        """The table after `saturate` under the page's schema, and on its graph where it has one."""
        return self.shown(saturate(self.table, self.settings.schema, store=self.graph_store)[0])

    @property
    def graph_store(self) -> ReferenceStore | None:
        facts = self.case.context.get("turtle")
        return None if facts is None else ReferenceStore(graph_of(turtle_of(self.case.prefixes, facts)))

    def json(self) -> str:
        return json.dumps(to_json(self.table), ensure_ascii=False, indent=1) + "\n"

    def rendered(self, dialect: str) -> RenderedQuery:
        mappings = self.document.mappings
        return renderer(dialect, mapping=mappings[0] if mappings else None).render(self.table)

    def chase(self, *words: str) -> str:
        turtle = turtle_of(self.case.prefixes, self.case.context["turtle"])
        values = [self.reference(line) for line in self.case.context.get("references", "").splitlines()]
        options = RelaxationOptions(
            schema=self.settings.schema,
            evidence="schema" if "schema" in words else "data",
            strategy="exact" if "exact" in words else "greedy",
        )
        store = ReferenceStore(graph_of(turtle))
        report = chase_and_backchase(self.table, store, references_from_json(values), options)
        return "\n".join(self.report(report)) + "\n"

    def reference(self, line: str) -> object:
        name, _, local = line.partition(":")
        return self.prefixes[name] + local if name in self.prefixes else json.loads(line)

    def report(self, report: ChaseReport) -> list[str]:
        def terms(answers: tuple[tuple[object, ...], ...]) -> str:
            return ", ".join(" ".join(show_term(cell, self.prefixes) for cell in one) for one in answers)  # type: ignore[arg-type]

        lines = [f"status {report.status.value}"]
        for dropped in report.dropped:
            lost = f" {terms(dropped.lost)}" if dropped.lost else ""
            lines.append(f"dropped {dropped.row}: {dropped.reason.value}{lost}")
        lines += [f"redundant {one.row}: {one.kind.value}" for one in report.redundant]
        for kept in report.kept:
            lets_in = f" {terms((kept.answer,))}" if kept.answer is not None else ""
            lines.append(f"kept {kept.row}: {kept.kind.value}{lets_in}")
        lines += [f"left out of {one.row}: branch {' '.join(map(str, one.branches))}" for one in report.branches]
        lines += [f"blocking {terms((one.answer,))}: {' '.join(one.rows)}" for one in report.blocking]
        lines += [f"suspect {terms((one.answer,))}: {' '.join(one.rows)}" for one in report.suspects]
        return lines

    def diagnostics(self, *words: str) -> str:
        shift = self.case.lead.count("\n")
        return "".join(_line(one, shift, self.case.language) for one in self.found(words)) or "none\n"

    def found(self, words: tuple[str, ...]) -> tuple[Diagnostic, ...]:
        """What reading says; then, for a table without an error, what the stages named after it say."""
        table, found = self.read()
        if table is None:
            return found
        if self.case.language == "ctable":
            found += verify(table)
        try:
            if "typecheck" in words:
                schemas, lexicons = self.document.schemas, self.document.lexicons
                found += typecheck(
                    table,
                    schemas[0] if schemas else None,
                    lexicons[0] if lexicons else None,
                    source=self.case.source if self.case.language == "ctable" else None,
                )
            if "normalize" in words:
                Normalize().run(table, PassContext(schema=self.settings.schema))
            if "saturate" in words:
                found += findings(saturate(table, self.settings.schema, store=self.graph_store)[1], table)
            for dialect in ("sparql", "oxigraph", "neo4j", "ladybug"):
                if dialect in words:
                    self.rendered(dialect)
        except DiagnosticError as error:
            found += error.diagnostics
        return found

    def read(self) -> tuple[Table | None, tuple[Diagnostic, ...]]:
        source = self.case.source
        match self.case.language:
            case "ctable":
                result = read_table(source)
                return result.table, result.diagnostics
            case "cts":
                return None, read_document(source).diagnostics
            case "sparql":
                return _read_sparql(source)
            case "cypher":
                return _read_cypher(source, self.document)
            case _:
                try:
                    return from_json(json.loads(source)), ()
                except DiagnosticError as error:
                    return None, error.diagnostics

    def fixed(self, *words: str) -> str:
        """The input after every fix; it must be free of errors then."""
        text = self.case.source
        for _ in range(5):
            run = Run(evolve(self.case, text=self.case.inside(text)))
            fixes = [one.fix for one in run.found(words) if one.fix is not None]
            if not fixes:
                left = [one.message for one in run.found(words) if one.severity is Severity.ERROR]
                assert not left, f"still wrong after the fixes: {left}"
                break
            text = fixes[0].apply(text)
        return self.case.inside(text)

    def document_text(self) -> str:
        text = print_document(parse_document(self.case.source))
        assert parse_document(text) == parse_document(self.case.source), "printing the document loses something"
        return re.sub(r"\A(prefix [^\n]*\n)+\n?", "", text)

    def formatted(self) -> str:
        text = format_text(self.case.source)
        assert format_text(text) == text, "formatting twice differs from formatting once"
        return textwrap.dedent(self.case.inside(text))


def _line(one: Diagnostic, shift: int, language: str) -> str:
    severity = "" if one.severity is Severity.ERROR else f"{one.severity.value}: "
    # a place in the frame that the page leaves out is not shown
    shown = one.span is not None and one.span.line > shift and language != "json"
    place = f" {one.span.line - shift}:{one.span.column}" if one.span is not None and shown else ""
    return f"{one.code}{place} {severity}{one.message}\n"


def _whole(table: Table | None, diagnostics: tuple[Diagnostic, ...]) -> Table:
    if table is None:
        raise DiagnosticError(diagnostics)
    return table


def _read_sparql(text: str) -> tuple[Table | None, tuple[Diagnostic, ...]]:
    result = read_sparql(text)
    return result.table, tuple(result.diagnostics)


def _read_cypher(text: str, document: Document) -> tuple[Table | None, tuple[Diagnostic, ...]]:
    result = read_cypher(text, mapping=document.mappings[0] if document.mappings else None)
    return result.table, tuple(result.diagnostics)


def _proof(case: dict[str, Any]) -> str:
    if "empty" in case:
        return f"no answers: {case['empty']}"
    terms = ", ".join(f"{one} ↦ {term}" for one, term in case["homomorphism"].items()) or "-"
    return terms + (f" where {' and '.join(case['when'])}" if case["when"] else "")


def _params(run: Run, *words: str) -> str:
    return json.dumps(dict(run.rendered(words[0] if words else "cypher").params), ensure_ascii=False) + "\n"


def _sparql(run: Run) -> str:
    return run.rendered("sparql").text


def _cypher(run: Run) -> str:
    return run.rendered("cypher").text


def _ladybug(run: Run) -> str:
    return run.rendered("ladybug").text


def _assumptions(run: Run) -> str:
    return "".join(f"{one.row}: {one.term} as {one.as_}\n" for one in run.rendered("cypher").assumptions)


KINDS: Final[dict[str, Callable[..., str]]] = {
    "answers": Run.answers,
    "table": Run.printed,
    "normal": Run.normal,
    "steps": Run.steps,
    "json": Run.json,
    "sparql": _sparql,
    "cypher": _cypher,
    "ladybug": _ladybug,
    "params": _params,
    "assumptions": _assumptions,
    "chase": Run.chase,
    "diff": Run.compared,
    "minimal": Run.minimal,
    "saturated": Run.saturated,
    "diagnostics": Run.diagnostics,
    "fixed": Run.fixed,
    "document": Run.document_text,
    "format": Run.formatted,
}
"""Every kind of expectation, by the word after `expect-`."""


def actual(case: Case, expectation: Expectation) -> str:
    """What the project gives, as the page would write it. Raises AssertionError where two ways to get it differ."""
    return KINDS[expectation.kind](Run(case), *expectation.words)


def same(expectation: Expectation, case: Case, found: str) -> tuple[str, str]:
    """Expected and found text, both in the form in which they are compared."""
    if expectation.kind == "json":
        return _json(expectation.text), _json(found)
    if expectation.kind == "params":
        return _json(expectation.text), _json(found)
    if expectation.kind == "answers" and not Run(case).table.shell.order:
        return sorted_lines(expectation.text), sorted_lines(found)
    return expectation.text, found


def _json(text: str) -> str:
    return json.dumps(json.loads(text), ensure_ascii=False, indent=1, sort_keys=True)
