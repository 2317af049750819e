"""A function that lets a query pass, mends it, or refuses it, and that asks a model again."""

from __future__ import annotations

from collections.abc import Callable

from attrs import field, frozen

from uniqgen_ir.validate.gate import SchemaLike, check, vocabulary_of
from uniqgen_ir.validate.policy import Policy
from uniqgen_ir.validate.report import Report
from uniqgen_ir.validate.vocabulary import Vocabulary


class RefusedQueryError(ValueError):
    """A query did not pass. `report` says why; the message is what a language model should read."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.for_model())
        self.report = report


def _vocabulary(schema: SchemaLike | None) -> Vocabulary | None:
    return None if schema is None else vocabulary_of(schema)


@frozen
class Guard:
    """The gate with all that it needs to know, to be used on many queries.

    `schema`: as in `uniqgen_ir.check`; None checks what needs none. `language` None: by the first words of each query.
    `retries`: how often `ask` lets a model write again. Raises DiagnosticError for a schema that is none.
    """

    schema: Vocabulary | None = field(default=None, converter=_vocabulary)
    language: str | None = field(default="cypher", kw_only=True)
    dialect: str | None = field(default=None, kw_only=True)
    policy: Policy | None = field(default=None, kw_only=True)
    retries: int = field(default=1, kw_only=True)

    def accept(self, query: str) -> str:
        """The query, or its mended text where every repair is safe. Raises RefusedQueryError."""
        report = self._judge(query)
        if report.valid:
            return query
        if report.fixed_query is not None and report.fix_is_safe:
            return report.fixed_query
        raise RefusedQueryError(report)

    def ask(self, write: Callable[[str], str]) -> str:
        """What `accept` makes of the query that `write` gives; where it is refused, `write` is called again.

        `write` takes what is to be said to the model beside the question: nothing at first, then what was wrong. Raises
        RefusedQueryError with the last report once `retries` are used up.
        """
        feedback = ""
        for _ in range(self.retries):
            try:
                return self.accept(write(feedback))
            except RefusedQueryError as refused:
                feedback = f"You wrote before:\n{refused.report.query}\n\n{refused}"
        return self.accept(write(feedback))

    def _judge(self, query: str) -> Report:
        return check(query, language=self.language, schema=self.schema, dialect=self.dialect, policy=self.policy)
