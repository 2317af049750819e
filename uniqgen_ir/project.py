"""The project file `uniqgen.toml`: what commands and the language server use where nothing else is said.

```toml
graph = ["data/games.ttl"]                # files, folders, URLs, names of bundled graphs
schema = ["schema.cts", "lexicon.cts"]    # schemas and lexicons
mapping = "mapping.cts"                   # a file, or the name of a preset
label_property = "http://www.w3.org/2000/01/rdf-schema#label"
```

Paths are relative to the folder of the file. Every key may be left out.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Final

from attrs import frozen

from uniqgen_ir.ir.diagnostics import fail
from uniqgen_ir.ir.suggestions import nearest

_LISTS: Final = ("graph", "schema")
_TEXTS: Final = ("mapping", "label_property")


@frozen
class Project:
    """The content of a project file. Paths are as a process in the current folder can open them."""

    file: Path
    graph: tuple[str, ...] = ()
    schema: tuple[str, ...] = ()
    mapping: str | None = None
    label_property: str | None = None


def read_project(file: Path) -> Project:
    """The project of a file. Raises DiagnosticError (UQ680) where it cannot be read or says what is not understood."""
    try:
        content = tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise fail("UQ680", f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise fail("UQ680", f"{file} is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise fail("UQ680", f"{file} is not TOML: {error}") from error
    for key in content:
        if key not in (*_LISTS, *_TEXTS):
            near = nearest(key, ((one, one) for one in (*_LISTS, *_TEXTS)))
            hint = f"did you mean `{near}`?" if near else f"the keys are {', '.join((*_LISTS, *_TEXTS))}"
            raise fail("UQ680", f"{file} has a key `{key}`, which means nothing", hint=hint)
    mapping = _text(content, "mapping", file)
    return Project(
        file,
        tuple(_place(one, file.parent) for one in _texts(content, "graph", file)),
        tuple(_place(one, file.parent) for one in _texts(content, "schema", file)),
        _place(mapping, file.parent) if mapping is not None else None,
        _text(content, "label_property", file),
    )


def _texts(content: dict[str, object], key: str, file: Path) -> tuple[str, ...]:
    value = content.get(key, [])
    several: list[object] = [*value] if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownArgumentType]
    texts = tuple(one for one in several if isinstance(one, str) and one)
    if len(texts) != len(several):
        raise fail("UQ680", f"`{key}` in {file} is not a list of names", hint=f'{key} = ["…"]')
    return texts


def _text(content: dict[str, object], key: str, file: Path) -> str | None:
    value = content.get(key)
    if value is not None and (not isinstance(value, str) or not value):
        raise fail("UQ680", f"`{key}` in {file} is not text in quotes", hint=f'{key} = "…"')
    return value


def _place(name: str, folder: Path) -> str:
    """A path as the current folder sees it; the name of a bundled graph or preset, or a URL, as it is."""
    path = Path(name).expanduser()
    if "://" in name:
        return name
    if path.is_absolute():
        return str(path)
    inside = folder / path
    looks_like_a_path = "/" in name or "." in name or inside.exists()
    if not looks_like_a_path:
        return name
    try:
        return os.path.relpath(inside)
    except ValueError:
        # on another drive than the current folder
        return str(inside)
