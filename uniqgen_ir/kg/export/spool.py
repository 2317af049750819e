"""Facts sorted by subject on disk, so that graphs larger than memory can be written node by node."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from attrs import frozen

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.ir.vocabulary import RDF_TYPE

Progress = Callable[[int], None]
"""Told now and then how many facts were read."""

_BATCH: Final = 50_000
_MENTION: Final = -1
"""Stands where a predicate would, for a node that is only an object."""
_NO_TYPE: Final = -2


@frozen
class Use:
    """One predicate: whether it leads to nodes, to literals, and the most literals that one subject has of it."""

    predicate: str
    edges: bool
    most_literals: int


@frozen
class Subject:
    """One node: its IRI or `_:label`, its classes, its literals as pairs with their predicates.

    `links` are its facts that lead to nodes, as pairs with their predicates, and `mentioned` whether a fact leads to
    it; both are told of nodes that were set apart only.
    """

    name: str
    classes: tuple[str, ...]
    literals: tuple[tuple[str, Literal], ...]
    links: tuple[tuple[str, str], ...] = ()
    mentioned: bool = False


class Spool:
    """Facts in a temporary database. A context manager: leaving it removes the file.

    A fact that comes twice counts once. Raises DiagnosticError (UQ685) where the disk is full.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="uniqgen-export-", dir=folder)
        self._database = sqlite3.connect(Path(self._folder.name) / "facts.sqlite", isolation_level=None)
        for setting in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-200000", "temp_store=FILE"):
            self._database.execute(f"PRAGMA {setting}")
        for table in ("facts", "apart"):
            self._database.execute(f"CREATE TABLE {table} (s TEXT, p INTEGER, o TEXT, datatype INTEGER, language TEXT)")
        self._numbers: dict[str, int] = {}

    def fill(self, facts: Iterable[Fact], progress: Progress | None = None) -> None:
        """Take all facts."""
        stream, count = iter(facts), 0
        try:
            while batch := list(islice(stream, _BATCH)):
                self._database.execute("BEGIN")
                self._database.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?)", self._lines(batch))
                self._database.execute("COMMIT")
                count += len(batch)
                if progress is not None:
                    progress(count)
        except sqlite3.OperationalError as error:
            raise _no_room(error) from error

    def _lines(self, facts: Iterable[Fact]) -> Iterator[tuple[str, int, str | None, int | None, str | None]]:
        for subject, predicate, object_ in facts:
            start, number = _name(subject), self._number(predicate.value)
            if isinstance(object_, Literal):
                yield start, number, object_.lexical, self._number(object_.datatype), object_.language
                continue
            end = _name(object_)
            yield start, number, end, None, None
            if predicate.value != RDF_TYPE:
                yield end, _MENTION, None, None, None

    def _number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))

    def _names(self) -> dict[int, str]:
        return {number: name for name, number in self._numbers.items()}

    def classes(self) -> list[str]:
        """Every class, by name."""
        type_ = self._numbers.get(RDF_TYPE, _NO_TYPE)
        text = "SELECT DISTINCT o FROM facts WHERE p = ? AND datatype IS NULL ORDER BY o"
        return [str(row[0]) for row in self._rows(text, (type_,))]

    def set_apart(self, classes: Iterable[str]) -> None:
        """Keep the facts about the instances of these classes out of everything but `apart`."""
        type_ = self._numbers.get(RDF_TYPE, _NO_TYPE)
        try:
            self._database.execute("CREATE TABLE names (s TEXT PRIMARY KEY) WITHOUT ROWID")
            for one in classes:
                self._database.execute(
                    "INSERT OR IGNORE INTO names SELECT s FROM facts WHERE p = ? AND o = ? AND datatype IS NULL",
                    (type_, one),
                )
            self._database.execute("INSERT INTO apart SELECT * FROM facts WHERE s IN names")
            self._database.execute("DELETE FROM facts WHERE s IN names")
        except sqlite3.OperationalError as error:
            raise _no_room(error) from error

    def leave_out(self, edges: Iterable[tuple[str, str, str]]) -> None:
        """Forget these facts between nodes (subject, predicate, object)."""
        known = ((start, self._numbers.get(name), end) for start, name, end in edges)
        try:
            self._database.execute(
                "CREATE TABLE twins (s TEXT, p INTEGER, o TEXT, PRIMARY KEY (s, p, o)) WITHOUT ROWID"
            )
            self._database.execute("BEGIN")
            self._database.executemany(
                "INSERT OR IGNORE INTO twins VALUES (?, ?, ?)", (one for one in known if one[1] is not None)
            )
            self._database.execute("COMMIT")
            self._database.execute("DELETE FROM facts WHERE datatype IS NULL AND (s, p, o) IN twins")
        except sqlite3.OperationalError as error:
            raise _no_room(error) from error

    def uses(self, table: str = "facts") -> list[Use]:
        """Every predicate, in order of first use; of the nodes that were set apart with the table `apart`."""
        names = self._names()
        edges = {number for (number,) in self._rows(f"SELECT DISTINCT p FROM {table} WHERE datatype IS NULL")}
        most = dict(
            self._rows(
                f"SELECT p, MAX(n) FROM (SELECT p, COUNT(*) AS n FROM (SELECT DISTINCT * FROM {table}"
                " WHERE datatype IS NOT NULL) GROUP BY s, p) GROUP BY p"
            )
        )
        used = sorted({*edges, *most} - {_MENTION})
        return [Use(names[one], one in edges, most.get(one, 0)) for one in used]

    def apart(self) -> Iterator[Subject]:
        """Every node that was set apart, in the order of names."""
        names, type_ = self._names(), self._numbers.get(RDF_TYPE, _NO_TYPE)
        rows = self._rows("SELECT DISTINCT s, p, o, datatype, language FROM apart ORDER BY 1, 2, 3, 4, 5")
        for name, lines in groupby(rows, key=lambda row: row[0]):
            links: list[tuple[str, str]] = []
            literals: list[tuple[str, Literal]] = []
            classes: list[str] = []
            mentioned = False
            for _, number, object_, datatype, language in lines:
                if datatype is not None:
                    literals.append((names[number], Literal(object_, names[datatype], language)))
                elif number == type_:
                    classes.append(object_)
                elif number == _MENTION:
                    mentioned = True
                else:
                    links.append((names[number], object_))
            yield Subject(name, tuple(classes), tuple(literals), tuple(links), mentioned)

    def names(self) -> Iterator[str]:
        """The name of every node, in no order."""
        return (name for (name,) in self._rows("SELECT DISTINCT s FROM facts"))

    def subjects(self) -> Iterator[Subject]:
        """Every node, in the order of names."""
        names, type_ = self._names(), self._numbers.get(RDF_TYPE, _NO_TYPE)
        # of a fact between nodes only its subject matters here
        own = "datatype IS NOT NULL OR p = ?1"
        rows = self._rows(
            f"SELECT DISTINCT s, CASE WHEN {own} THEN p END, CASE WHEN {own} THEN o END, datatype, language"
            " FROM facts ORDER BY 1, 2, 3, 4, 5",
            (type_,),
        )
        for name, lines in groupby(rows, key=lambda row: row[0]):
            classes: list[str] = []
            literals: list[tuple[str, Literal]] = []
            for _, number, object_, datatype, language in lines:
                if datatype is not None:
                    literals.append((names[number], Literal(object_, names[datatype], language)))
                elif number == type_:
                    classes.append(object_)
            yield Subject(name, tuple(classes), tuple(literals))

    def edges(self) -> Iterator[tuple[str, str, str]]:
        """Subject, predicate and object of every fact between nodes, but for classes."""
        names, type_ = self._names(), self._numbers.get(RDF_TYPE, _NO_TYPE)
        rows = self._rows(
            "SELECT DISTINCT p, s, o FROM facts WHERE datatype IS NULL AND p NOT IN (?, ?) ORDER BY p, s, o",
            (_MENTION, type_),
        )
        return ((start, names[number], end) for number, start, end in rows)

    def _rows(self, text: str, values: tuple[int, ...] = ()) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._database.execute(text, values)
        except sqlite3.OperationalError as error:
            raise _no_room(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()
        self._folder.cleanup()


def _name(term: IRI | BlankNode) -> str:
    return term.value if isinstance(term, IRI) else f"_:{term.label}"


def _no_room(error: sqlite3.OperationalError) -> Exception:
    return fail("UQ685", f"the facts cannot be sorted on disk: {error}", hint="TMPDIR names a folder with more room")
