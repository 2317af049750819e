"""The language server over standard input and output: `uniqgen lsp`."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from typing import Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from uniqgen_ir import __version__
from uniqgen_ir.lsp.convert import related_files, to_action, to_diagnostic, to_edits, to_item, to_range, to_uri
from uniqgen_ir.lsp.features.completion import complete
from uniqgen_ir.lsp.features.definition import definition
from uniqgen_ir.lsp.features.fixes import quick_fixes
from uniqgen_ir.lsp.features.formatting import formatted
from uniqgen_ir.lsp.features.hover import hover
from uniqgen_ir.lsp.features.rename import RenameRefused, rename_target, rename_variable
from uniqgen_ir.lsp.session import OpenText, Session

TYPING_PAUSE: Final = 0.1
"""Seconds without a key before a text is checked again."""
MAX_DIAGNOSTICS: Final = 1_000


class TableServer(LanguageServer):
    """The server with its session, and the checks that are due."""

    def __init__(self) -> None:
        # whole texts: the library cuts lines where the protocol does not (form feeds, U+2028)
        super().__init__("uniqgen", __version__, types.TextDocumentSyncKind.Full)  # pyright: ignore[reportUnknownMemberType]
        self.session = Session()
        self.due: dict[str, asyncio.Task[None]] = {}

    def text(self, uri: str) -> OpenText | None:
        return self.session.texts.get(uri)

    def check(self, uri: str, pause: float = 0.0) -> None:
        """Check a text after a pause; an earlier check that is still due is dropped."""
        waiting = self.due.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self.due[uri] = asyncio.get_running_loop().create_task(self._check(uri, pause))

    async def _check(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        text = self.text(uri)
        if text is None:
            return
        # a large text takes a while, and other requests must not wait for it
        found = await asyncio.get_running_loop().run_in_executor(None, self.session.diagnostics, text)
        if self.text(uri) is not text:
            return
        others = {file: lines for file in related_files(found) if (lines := self.session.lines_of(file)) is not None}
        shown = [to_diagnostic(one, text.lines, others) for one in found[:MAX_DIAGNOSTICS]]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown, text.version))

    def check_all(self, pause: float = 0.0) -> None:
        for uri in tuple(self.session.texts):
            self.check(uri, pause)


def create_server() -> TableServer:
    """The server with all its features."""
    server = TableServer()
    _add_texts(server)
    _add_reading(server)
    _add_writing(server)
    return server


def main() -> None:
    """Serve one client until it says goodbye."""
    # refusals are answers, not faults: they must not fill the log of the editor with tracebacks
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = create_server()
    # what anything prints by mistake goes to standard error: the protocol has standard output for itself
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        server.start_io(os.fdopen(os.dup(sys.stdin.fileno()), "rb"), output)
    finally:
        server.session.counter.close()


def _add_texts(server: TableServer) -> None:
    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        server.session.encoding = str(server.workspace.position_encoding or "utf-16")

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        one = params.text_document
        server.session.open(one.uri, to_fs_path(one.uri), str(one.language_id), one.version, one.text)
        server.check_all()

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        one = server.workspace.get_text_document(params.text_document.uri)
        language = str(one.language_id or "")
        text = server.session.open(one.uri, to_fs_path(one.uri), language, params.text_document.version, one.source)
        if text.source.is_schema:
            server.check_all(TYPING_PAUSE)
        else:
            server.check(one.uri, TYPING_PAUSE)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: types.DidSaveTextDocumentParams) -> None:
        server.check_all()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(_: types.DidChangeWatchedFilesParams) -> None:
        server.check_all()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.session.close(uri)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


def _add_reading(server: TableServer) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def show(params: types.HoverParams) -> types.Hover | None:
        text = server.text(params.text_document.uri)
        if text is None:
            return None
        source = text.source
        found = hover(
            source, _offset(text, params.position), session.vocabulary(source), lambda one: session.count(source, one)
        )
        if found is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, found.text)
        return types.Hover(content, to_range(text.lines, found.start, found.end))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def define(params: types.DefinitionParams) -> types.Location | None:
        text = server.text(params.text_document.uri)
        if text is None:
            return None
        found = definition(text.source, _offset(text, params.position), session.vocabulary(text.source))
        if found is None:
            return None
        if found.file == text.source.name:
            return types.Location(text.uri, to_range(text.lines, found.start, found.end))
        lines = session.lines_of(found.file)
        return None if lines is None else types.Location(to_uri(found.file), to_range(lines, found.start, found.end))

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["?", "@", ":", '"', " "])
    )
    def propose(params: types.CompletionParams) -> types.CompletionList:
        text = server.text(params.text_document.uri)
        if text is None:
            return types.CompletionList(is_incomplete=False, items=[])
        found = complete(text.source, _offset(text, params.position), session.vocabulary(text.source))
        items = [to_item(one, text.lines, order) for order, one in enumerate(found)]
        return types.CompletionList(is_incomplete=False, items=items)


def _add_writing(server: TableServer) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: types.PrepareRenameParams) -> types.Range | None:
        text = server.text(params.text_document.uri)
        found = rename_target(text.source, _offset(text, params.position)) if text is not None else None
        if text is None or found is None:
            return None
        return to_range(text.lines, found.token.start, found.token.end)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        text = server.text(params.text_document.uri)
        if text is None:
            return None
        try:
            edits = rename_variable(text.source, _offset(text, params.position), params.new_name)
        except RenameRefused as refusal:
            raise JsonRpcException(str(refusal), int(types.LSPErrorCodes.RequestFailed)) from refusal
        return types.WorkspaceEdit(changes={text.uri: to_edits(edits, text.lines)})

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def layout(params: types.DocumentFormattingParams) -> Sequence[types.TextEdit] | None:
        text = server.text(params.text_document.uri)
        after = formatted(text.source) if text is not None else None
        if text is None or after is None:
            return None
        if after == text.source.text:
            return []
        return [types.TextEdit(to_range(text.lines, 0, len(text.source.text)), after)]

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def repair(params: types.CodeActionParams) -> Sequence[types.CodeAction]:
        text = server.text(params.text_document.uri)
        if text is None:
            return []
        start, end = _offset(text, params.range.start), _offset(text, params.range.end)
        found = quick_fixes(session.diagnostics(text), start, end, text.source.text)
        return [to_action(one, text.uri, text.lines) for one in found]


def _offset(text: OpenText, position: types.Position) -> int:
    return text.lines.offset(position.line, position.character)
