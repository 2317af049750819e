"""Finding the project file. Apart from `project`, because every start of the command line asks, and must stay quick."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PROJECT_FILE: Final = "uniqgen.toml"


def find_project_file(folder: Path) -> Path | None:
    """The project file of a folder: its own, or that of the nearest folder above."""
    for one in (folder, *folder.parents):
        candidate = one / PROJECT_FILE
        if candidate.is_file():
            return candidate
    return None
