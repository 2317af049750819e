"""The process behind the Oxigraph engine: holds a store, answers queries, and can be killed.

Run as a script: `python oxigraph_worker.py STORE PARENT` with a folder, or `-` for an empty store in memory, and the
id of the process to live with. It imports nothing of the package, so that it starts at once. Messages are marshalled,
each after its length in four bytes:

    ("load", N-Triples bytes)          → ("loaded",)
    ("query", text, most rows or None) → ("rows", names, rows, complete) | ("ask", bool) | ("error", kind, words)

A term is a string (IRI), a tuple of one string (blank node), or of text, datatype (None: a plain string) and tag.
"""

from __future__ import annotations

import marshal
import os
import struct
import sys
import threading
import time
from typing import IO, Any

import pyoxigraph

_STRING = "http://www.w3.org/2001/XMLSchema#string"


def _leave_with_parent(parent: int) -> None:
    # a query may run for hours after its reader died; nobody would stop it
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)


def _term(term: Any) -> Any:
    if isinstance(term, pyoxigraph.NamedNode):
        return term.value
    if isinstance(term, pyoxigraph.Literal):
        datatype = term.datatype.value
        return term.value, None if datatype == _STRING else datatype, term.language
    if isinstance(term, pyoxigraph.BlankNode):
        return (term.value,)
    return None


def _answer(store: pyoxigraph.Store, text: str, most: int | None) -> tuple[Any, ...]:
    result = store.query(text)
    if isinstance(result, pyoxigraph.QueryBoolean):
        return "ask", bool(result)
    if not isinstance(result, pyoxigraph.QuerySolutions):
        return "error", "form", "only SELECT and ASK have answers"
    names = tuple(variable.value for variable in result.variables)
    rows: list[Any] = []
    for solution in result:
        if most is not None and len(rows) >= most:
            return "rows", names, rows, False
        rows.append([_term(term) for term in solution])
    return "rows", names, rows, True


def _reply(store: pyoxigraph.Store, message: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        if message[0] == "load":
            store.bulk_load(message[1], pyoxigraph.RdfFormat.N_TRIPLES)
            return ("loaded",)
        return _answer(store, message[1], message[2])
    except SyntaxError as error:
        return "error", "syntax", str(error.msg)
    except MemoryError:
        return "error", "memory", "the query needs more memory than there is"
    except Exception as error:
        return "error", "other", str(error)


def _serve(store: pyoxigraph.Store, requests: IO[bytes], replies: IO[bytes]) -> None:
    while len(head := requests.read(4)) == 4:
        body = requests.read(struct.unpack("<I", head)[0])
        reply = marshal.dumps(_reply(store, marshal.loads(body)))
        replies.write(struct.pack("<I", len(reply)) + reply)
        replies.flush()


def main() -> None:
    threading.Thread(target=_leave_with_parent, args=(int(sys.argv[2]),), daemon=True).start()
    store = pyoxigraph.Store() if sys.argv[1] == "-" else pyoxigraph.Store.read_only(sys.argv[1])
    _serve(store, sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
