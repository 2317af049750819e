"""One open text: what its words are, and what could be read of it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from attrs import frozen

from uniqgen_ir.grammar.ctable import ReadResult, parse_tree, read_table, tables_of
from uniqgen_ir.grammar.ctable.context import Context
from uniqgen_ir.grammar.ctable.lexer import Lexed, lex
from uniqgen_ir.grammar.ctable.preamble import read_preamble
from uniqgen_ir.grammar.ctable.tree import Node, Token
from uniqgen_ir.ir.table import Table
from uniqgen_ir.ir.vocabulary import BUILTIN_PREFIXES
from uniqgen_ir.lsp.scopes import Occurrence, occurrences

NAME_KINDS = frozenset({"PNAME", "IRI"})


@frozen(eq=False, slots=False)
class Source:
    """A text under its name, which is the path of its file where it has one."""

    name: str
    text: str
    is_schema: bool = False

    @property
    def path(self) -> Path | None:
        """The file, whether or not it is on disk yet; None for a text without one."""
        return Path(self.name) if self.name and not self.name.startswith("<") else None

    @property
    def folder(self) -> Path | None:
        return self.path.parent if self.path is not None else None

    @cached_property
    def lexed(self) -> Lexed:
        """The words and comments."""
        return lex(self.text)

    @cached_property
    def result(self) -> ReadResult:
        """What the reader says of a file of tables."""
        return read_table(self.text, self.name)

    @cached_property
    def _tree(self) -> tuple[Context, Node | None]:
        context = Context(self.text, self.name)
        return context, parse_tree(context, "schema_file" if self.is_schema else "ctable_file")

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables; where something is wrong with them, what could be read of them."""
        if self.is_schema:
            return ()
        if self.result.tables:
            return self.result.tables
        context, tree = self._tree
        return tables_of(context, tree) if tree is not None else ()

    @cached_property
    def prefixes(self) -> dict[str, str]:
        """The prefixes that the file declares."""
        if not self.is_schema and self.result.tables:
            # all tables of a file have them all
            return dict(self.result.tables[0].prefixes)
        context, tree = self._tree
        if tree is not None and not context.declared:
            read_preamble(context, tree)
        return dict(context.declared)

    @cached_property
    def uses(self) -> tuple[Token, ...]:
        """The strings that stand after `use schema`, quotes and all."""
        tokens = self.lexed.tokens
        return tuple(
            tokens[place + 2]
            for place in range(len(tokens) - 2)
            if [one.kind for one in tokens[place : place + 3]] == ["_USE", "_SCHEMA", "STRING"]
        )

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """Every variable, in order."""
        return occurrences(self.lexed.tokens)

    def token_at(self, offset: int) -> Token | None:
        """The word at or right before a character; of two that touch, a name or variable wins."""
        touching = [
            one
            for one in self.lexed.tokens
            if one.start <= offset <= one.end and one.kind not in ("_NL", "$END") and one.end > one.start
        ]
        names = [one for one in touching if one.kind in NAME_KINDS or one.kind in ("VAR", "LABEL", "AT", "FUNC")]
        return next(iter(names or touching), None)

    def iri_of(self, token: Token) -> str | None:
        """The IRI that a name stands for; None where its prefix is not declared."""
        if token.kind == "IRI":
            return token.text[1:-1]
        prefix, _, local = token.text.partition(":")
        namespace = self.prefixes.get(prefix, BUILTIN_PREFIXES.get(prefix))
        return None if namespace is None else namespace + local
