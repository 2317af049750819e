"""The layout that visitors and packaging rely on."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

from uniqgen_ir.ir import codes
from uniqgen_ir.ir.codes import CODES

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "uniqgen_ir"


@pytest.mark.parametrize("name", ["grammar", "passes", "backends"])
def test_root_folders_are_relative_links_into_the_package(name: str) -> None:
    link = ROOT / name
    if not link.is_symlink():
        assert not link.exists(), f"{name} at the root must be a link or absent"
        pytest.skip("this checkout has no symbolic links")
    assert link.readlink() == Path("uniqgen_ir") / name
    assert (link / "__init__.py").is_file()


def test_only_the_package_reaches_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["setuptools"]["packages"]["find"]["include"] == ["uniqgen_ir*"]


def test_every_package_folder_has_an_init() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    assert [str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_data_files_are_declared_as_package_data() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["uniqgen_ir"]
    endings = {path.suffix for path in PACKAGE.rglob("*") if path.is_file()} - {".py", ".pyc", ".typed"}
    assert {ending for ending in endings if f"**/*{ending}" not in patterns} == set()


def test_imports_are_absolute() -> None:
    relative = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


def test_codes_are_unique_and_have_whole_pages() -> None:
    families = [getattr(codes, name) for name in dir(codes) if hasattr(getattr(codes, name), "FAMILY")]
    listed = [code for family in families for code in family.FAMILY]
    assert len(listed) == len({code.code for code in listed}) == len(CODES)
    for code in listed:
        assert code.code.startswith("UQ")
        assert len(code.code) == 5
        assert code.kind == code.kind.lower()
        for text in (code.title, code.what, code.why, code.example, code.instead):
            assert text.strip(), f"{code.code} has an empty part"
