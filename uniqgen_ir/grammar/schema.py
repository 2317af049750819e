"""The reader of `.cts` files: schemas, lexicons and mappings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from uniqgen_ir.grammar.ctable import in_order, parse_tree
from uniqgen_ir.grammar.ctable.context import Context
from uniqgen_ir.grammar.ctable.declarations import Declarations
from uniqgen_ir.grammar.ctable.document_checks import check_documents
from uniqgen_ir.grammar.ctable.mappings import build_mapping
from uniqgen_ir.grammar.ctable.preamble import read_preamble
from uniqgen_ir.ir.diagnostics import Diagnostic, DiagnosticError, errors
from uniqgen_ir.ir.schema import Document


@frozen
class DocumentResult:
    """What a `.cts` file gave. `document` is None where an error stands in `diagnostics`."""

    document: Document | None
    diagnostics: tuple[Diagnostic, ...]


@frozen
class LoadResult:
    """What a `.cts` file and those that it uses gave, the used ones first."""

    documents: tuple[Document, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: tuple[tuple[str, str], ...] = ()
    """name and text of every file that was read, for rendering the diagnostics"""


def read_document(text: str, source: str = "<input>") -> DocumentResult:
    """Read a `.cts` file. Names that it takes from files that it uses are not checked; `load_documents` does that."""
    document, found = _read(text, source)
    if document is not None and not document.uses:
        found += check_documents((document,))
    diagnostics = in_order(found)
    return DocumentResult(None if errors(diagnostics) else document, diagnostics)


def parse_document(text: str, source: str = "<input>") -> Document:
    """The document of a text. Raises DiagnosticError with everything that is wrong with it."""
    result = read_document(text, source)
    if result.document is None:
        raise DiagnosticError(result.diagnostics)
    return result.document


def load_documents(path: str | Path, texts: Mapping[Path, str] | None = None) -> LoadResult:
    """Read a `.cts` file and every file that it uses, relative to the one that names it.

    Each file is read once, and files that use each other in a circle are reported. `texts` hold, by resolved path, what
    stands for the content of a file, as in an editor that has not saved it yet.
    """
    loader = _Loader(texts or {})
    loader.load(Path(path), None, ())
    diagnostics = loader.diagnostics
    if not errors(diagnostics):
        diagnostics = diagnostics + check_documents(tuple(loader.documents.values()))
    unique = tuple(dict.fromkeys(diagnostics))
    documents = () if errors(unique) else tuple(loader.documents.values())
    return LoadResult(documents, unique, tuple(loader.texts.items()))


def _read(text: str, source: str) -> tuple[Document | None, list[Diagnostic]]:
    context = Context(text, source)
    tree = parse_tree(context, "schema_file")
    if tree is None:
        return None, context.diagnostics
    uses = read_preamble(context, tree)
    builder = Declarations(context)
    schemas = tuple(map(builder.schema, tree.nodes("schema")))
    lexicons = tuple(map(builder.lexicon, tree.nodes("lexicon")))
    mappings = tuple(build_mapping(context, node) for node in tree.nodes("mapping"))
    prefixes = tuple(context.declared.items())
    return Document(schemas, lexicons, mappings, uses, prefixes), context.diagnostics


class _Loader:
    def __init__(self, given: Mapping[Path, str]) -> None:
        self.given = given
        self.documents: dict[Path, Document] = {}
        self.texts: dict[str, str] = {}
        self.diagnostics: list[Diagnostic] = []

    def load(self, path: Path, user: Diagnostic | None, chain: tuple[Path, ...]) -> None:
        resolved = path.resolve()
        span = user.span if user is not None else None
        if resolved in chain:
            names = " → ".join(one.name for one in (*chain[chain.index(resolved) :], resolved))
            self.diagnostics.append(Diagnostic("UQ305", f"these files use each other in a circle: {names}", span))
            return
        if resolved in self.documents:
            return
        try:
            text = self.given[resolved] if resolved in self.given else resolved.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            message = f"the file `{path}` cannot be read: {reason}"
            self.diagnostics.append(Diagnostic("UQ306", message, span))
            return
        self.texts[str(path)] = text
        document, found = _read(text, str(path))
        self.diagnostics += in_order(found)
        if document is None:
            return
        for name in document.uses:
            place = Context(text, str(path))
            start = max(text.find(name), 0)
            asks = Diagnostic("UQ306", name, place.span(start, start + len(name)))
            self.load(path.parent / name, asks, (*chain, resolved))
        self.documents[resolved] = document
