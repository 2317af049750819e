"""A file of JSON lines that a killed run can go on with: whole lines stay, a broken last line goes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from uniqgen_ir.ir.diagnostics import fail


class ResumableLines:
    """Lines in a file, and beside it `FILE.run.json` with what they were made from. A context manager.

    `done` are the lines of an earlier run. Opening raises DiagnosticError: UQ671 where the file was made from something
    else, UQ650 where it cannot be read or written.
    """

    def __init__(self, name: str, settings: dict[str, Any]) -> None:
        self._path = Path(name)
        self._settings = Path(f"{name}.run.json")
        try:
            self.done = self._whole_lines(settings)
            self._settings.write_text(json.dumps(settings, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
            self._file: IO[bytes] = self._path.open("ab")
        except OSError as error:
            raise fail("UQ650", f"cannot use {error.filename or name}: {error.strerror}") from error

    def _whole_lines(self, settings: dict[str, Any]) -> list[dict[str, Any]]:
        if not self._path.exists() or self._path.stat().st_size == 0:
            return []
        hint = "name another file, or remove this one to start anew"
        try:
            earlier: Any = json.loads(self._settings.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError) as error:
            raise fail("UQ671", f"{self._path} is there, and {self._settings.name} is not", hint=hint) from error
        if earlier != settings:
            changed = [key for key in settings if not isinstance(earlier, dict) or earlier.get(key) != settings[key]]  # pyright: ignore[reportUnknownMemberType]
            raise fail("UQ671", f"{self._path} was made with another {', '.join(changed) or 'version'}", hint=hint)
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        try:
            lines = [json.loads(line) for line in whole.splitlines()]
        except ValueError as error:
            raise fail("UQ671", f"{self._path} holds a line that is not JSON", hint=hint) from error
        if len(whole) < len(data):
            # the run was killed while it wrote this line
            os.truncate(self._path, len(whole))
        return lines

    def ids(self) -> list[object]:
        """The `id` of each line that is there already."""
        return [line.get("id") for line in self.done]

    def write(self, line: dict[str, Any]) -> None:
        """Add a line; it is with the operating system when this returns."""
        try:
            self._file.write(json.dumps(line, ensure_ascii=False).encode("utf-8") + b"\n")
            self._file.flush()
        except OSError as error:
            raise fail("UQ650", f"cannot write {self._path}: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
