"""Install the peers into a folder: `python benchmarks/validators/install.py FOLDER`.

A virtual environment for those from PyPI, `node_modules` for those from npm. What does not install is named.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
NPM: Final = ("@neo4j-cypher/language-support@2.0.0-next.38", "sparqljs@3.7.4")


def python_of(folder: Path) -> Path:
    """The interpreter of the peers."""
    return folder / "venv" / "bin" / "python"


def install(folder: Path) -> list[str]:
    """Install what is not there yet; the names of what could not be had."""
    folder.mkdir(parents=True, exist_ok=True)
    if not python_of(folder).exists():
        venv.create(folder / "venv", with_pip=True)
    wanted = [line for line in (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    missing = [name for name in wanted if not _pip(folder, name)]
    if not (folder / "node_modules").is_dir() and _run(["npm", "install", "--silent", *NPM], folder) != 0:
        missing += NPM
    return missing


def _pip(folder: Path, name: str) -> bool:
    """One at a time, so that one that does not build keeps no other out."""
    command = [str(python_of(folder)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # one of them asks for a machine-learning stack that its validator does not use
    alone = ["--no-deps"] if name.startswith("cypher-validator") else []
    return _run([*command, *alone, name], folder) == 0


def _run(command: list[str], folder: Path) -> int:
    try:
        return subprocess.run(command, cwd=folder, check=False).returncode
    except FileNotFoundError:
        return 1


if __name__ == "__main__":
    for name in install(Path(sys.argv[1])):
        print(f"could not be installed: {name}", file=sys.stderr)
