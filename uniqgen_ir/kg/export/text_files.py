"""Writing files of an export: one at a time, whole or not at all."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from uniqgen_ir.ir.diagnostics import fail


@contextmanager
def new_folder(folder: Path) -> Generator[None]:
    """Make the folder; one that is there must be empty, so that files of two exports never mix. Raises UQ687.

    What is raised inside leaves nothing behind: files go, and so do the folders that were made for them.
    """
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        inside = next(folder.iterdir(), None)
    except OSError as error:
        raise fail("UQ687", f"cannot write into {folder}: {error.strerror}") from error
    if inside is not None:
        raise fail("UQ687", f"{folder} is not empty: it holds {inside.name}", hint="give a new folder")
    try:
        yield
    except BaseException:
        with suppress(OSError):  # what was wrong is said by what is raised
            for file in folder.iterdir():
                file.unlink()
            for one in made:
                one.rmdir()
        raise


@contextmanager
def written(folder: Path, name: str) -> Generator[IO[str]]:
    """A new text file; it gets its name when it is complete. Raises DiagnosticError (UQ687)."""
    part = folder / f"{name}.part"
    try:
        with part.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        part.replace(folder / name)
    except OSError as error:
        raise fail("UQ687", f"cannot write {folder / name}: {error.strerror}") from error
    finally:
        if part.exists():
            part.unlink()
