"""The records of CSV files. A text that is empty, `""`, is told from a cell with nothing in it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Final

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.kg.formats import SourceFile, SourceStream, line_span

EMPTY_TEXT: Final = "\ufdd0"
"""What `""` is read as, to tell it from nothing: a character that Unicode keeps out of texts."""
_QUOTED: Final = re.compile(r'"(?:[^"]|"")*+"')


def csv_lines(file: SourceFile, stream: SourceStream) -> Iterator[tuple[int, list[str]]]:
    """The cells of every record, with the number of its last line. Raises DiagnosticError UQ625, UQ629."""
    text = io.TextIOWrapper(io.BufferedReader(stream, 1 << 16), encoding="utf-8-sig", newline="")
    number = 0
    try:
        for number, record in _joined(text):
            for cells in csv.reader([_QUOTED.sub(_marked, record) if '""' in record else record], strict=True):
                if cells:
                    yield number, cells
    except UnicodeDecodeError as error:
        raise fail("UQ625", f"{file.path} is not UTF-8", line_span(file, number + 1)) from error
    except csv.Error as error:
        message = f"line {number} of {file.path} cannot be read: {error}"
        raise fail("UQ629", message, line_span(file, number)) from error


def _joined(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The records, each with the number of its last line: lines, those joined between which a text goes on."""
    parts, inside, number = list[str](), False, 0
    for number, line in enumerate(lines, 1):
        parts.append(line)
        inside ^= line.count('"') % 2 == 1
        if not inside:
            yield number, "".join(parts)
            parts.clear()
    if parts:
        yield number, "".join(parts)


def _marked(found: re.Match[str]) -> str:
    return f'"{EMPTY_TEXT}"' if found[0] == '""' else found[0]
