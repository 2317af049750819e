"""What the server keeps between messages: open texts, schemas, project files, counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import define, evolve, field, frozen

from uniqgen_ir.driver import KnowledgeGraph
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, Severity
from uniqgen_ir.ir.spans import Span
from uniqgen_ir.lsp.counting import Counter
from uniqgen_ir.lsp.features.diagnostics import diagnose
from uniqgen_ir.lsp.features.hover import Counted
from uniqgen_ir.lsp.positions import Lines
from uniqgen_ir.lsp.source import Source
from uniqgen_ir.lsp.vocabulary import Vocabularies, Vocabulary
from uniqgen_ir.project import Project, read_project
from uniqgen_ir.project_file import find_project_file


@frozen(eq=False)
class OpenText:
    """A text in the editor, as of one version."""

    uri: str
    version: int | None
    source: Source
    lines: Lines


@frozen(eq=False)
class _Checked:
    """What was found out about a text, with all that it depends on."""

    text: OpenText
    vocabulary: Vocabulary
    diagnostics: tuple[Diagnostic, ...]


@define(eq=False)
class Session:
    """The open texts and everything known about them. Positions count in `encoding`."""

    encoding: str = "utf-16"
    texts: dict[str, OpenText] = field(factory=dict[str, OpenText])
    vocabularies: Vocabularies = field(factory=Vocabularies)
    counter: Counter = field(factory=Counter)
    checked: dict[str, _Checked] = field(factory=dict[str, "_Checked"])

    def open(self, uri: str, file: str | None, language: str, version: int | None, text: str) -> OpenText:
        """Take a text, new or changed. `file` is its path, where it has one."""
        name = str(Path(file)) if file else uri
        is_schema = language == "cts" or name.endswith(".cts")
        self.texts[uri] = OpenText(uri, version, Source(name, text, is_schema), Lines(text, self.encoding))
        return self.texts[uri]

    def close(self, uri: str) -> None:
        self.texts.pop(uri, None)
        self.checked.pop(uri, None)

    def project(self, source: Source) -> Project | None:
        """The project that the text belongs to. Raises DiagnosticError where its file is broken."""
        if source.folder is None:
            return None
        file = find_project_file(source.folder)
        return read_project(file) if file is not None else None

    def vocabulary(self, source: Source) -> Vocabulary:
        """What the schemas of the text declare: those that it uses, and for a table those of its project."""
        return self.vocabularies.of(self._files(source), self._open_texts())

    def _files(self, source: Source) -> tuple[Path, ...]:
        if source.folder is None:
            return ()
        if source.is_schema:
            return (Path(source.name),)
        used = tuple(source.folder / token.text[1:-1] for token in source.uses)
        try:
            project = self.project(source)
        except DiagnosticError:
            # reported with the diagnostics
            project = None
        # a bundled graph brings its own schema where the project names none
        named = KnowledgeGraph(project.graph, schemas=project.schema).vocabulary_files if project is not None else ()
        own = tuple(map(Path, named))
        known = {one.resolve() for one in used}
        return (*used, *(one for one in own if one.resolve() not in known))

    def _open_texts(self) -> Mapping[Path, str]:
        sources = [one.source for one in self.texts.values() if one.source.folder is not None]
        return {Path(one.name).resolve(): one.text for one in sources}

    def diagnostics(self, text: OpenText) -> tuple[Diagnostic, ...]:
        """Everything that is not right about a text. Never raises: a fault of the server is a diagnostic too."""
        try:
            vocabulary = self.vocabulary(text.source)
            before = self.checked.get(text.uri)
            if before is None or before.text is not text or before.vocabulary is not vocabulary:
                before = _Checked(text, vocabulary, diagnose(text.source, vocabulary))
                self.checked[text.uri] = before
            return (*self._project_faults(text.source), *before.diagnostics)
        except Exception as error:
            message = f"internal error: {type(error).__name__}: {error}"
            return (Diagnostic("UQ900", message, Span.at(text.source.text, 0, 0, text.source.name)),)

    def _project_faults(self, source: Source) -> tuple[Diagnostic, ...]:
        try:
            self.project(source)
        except DiagnosticError as error:
            place = Span.at(source.text, 0, 0, source.name)
            return tuple(evolve(one, span=place, severity=Severity.WARNING) for one in error.diagnostics)
        return ()

    def count(self, source: Source, counted: Counted) -> str | None:
        """What the project's graph says of a number; returns at once."""
        try:
            return self.counter.of(self.project(source), counted)
        except DiagnosticError:
            return None

    def lines_of(self, file: str) -> Lines | None:
        """The lines of a file, from the editor where it is open there."""
        for one in self.texts.values():
            if one.source.name == file or _same_file(one.source.name, file):
                return one.lines
        try:
            return Lines(Path(file).read_text(encoding="utf-8"), self.encoding)
        except (OSError, ValueError):
            return None


def _same_file(left: str, right: str) -> bool:
    return "://" not in left and Path(left).resolve() == Path(right).resolve()
