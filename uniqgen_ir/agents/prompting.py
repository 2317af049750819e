"""Prompts: Jinja templates with a block for each role; a folder of the user's may replace any of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import define, frozen

from uniqgen_ir.agents.llm.messages import Message
from uniqgen_ir.ir.diagnostics import fail

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER: Final = Path(__file__).parent / "prompts"
EXAMPLES: Final = "examples.jsonl"
"""The file of a user's folder that fills the few-shot slot: `question` and `reading` on each line."""


@frozen
class Example:
    """A question and how it is read, in the user's words: shown to the model before the question."""

    question: str
    reading: str


@define(slots=False)
class Prompts:
    """The packaged templates, and those of `folder` in their place."""

    folder: Path | None = None

    def __attrs_post_init__(self) -> None:
        if self.folder is None:
            return
        if not self.folder.is_dir():
            raise fail("UQ699", f"there is no folder {self.folder} of prompts")
        known = {one.name for one in FOLDER.glob("*.j2")}
        for one in sorted(self.folder.glob("*.j2")):
            if one.name not in known:
                raise fail("UQ699", f"no prompt is called {one.name}", hint=f"there are {', '.join(sorted(known))}")

    @cached_property
    def _environment(self) -> Environment:
        from jinja2 import FileSystemLoader, StrictUndefined
        from jinja2.sandbox import SandboxedEnvironment

        folders = [str(one) for one in (self.folder, FOLDER) if one is not None]
        environment = SandboxedEnvironment(
            loader=FileSystemLoader(folders), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        environment.filters["quoted"] = _quoted
        return environment

    def messages(self, name: str, values: Mapping[str, Any]) -> tuple[Message, ...]:
        """The messages of a prompt: its block `system`, then its block `user`. Raises DiagnosticError (UQ699)."""
        from jinja2 import TemplateError

        try:
            template = self._environment.get_template(f"{name}.j2")
            context = template.new_context(dict(values))
            texts = [(role, "".join(template.blocks[role](context)).strip()) for role in ("system", "user")]
        except TemplateError as error:
            line = getattr(error, "lineno", None)
            where = f"{name}.j2" + (f", line {line}" if line else "")
            raise fail("UQ699", f"the prompt {where}: {error}") from error
        except KeyError as error:
            raise fail("UQ699", f"the prompt {name}.j2 has no block {error}") from error
        return tuple(Message(role, text) for role, text in texts if text)

    @cached_property
    def examples(self) -> Sequence[Example]:
        """The user's examples, none without a folder. Raises DiagnosticError (UQ699)."""
        file = None if self.folder is None else self.folder / EXAMPLES
        if file is None or not file.exists():
            return ()
        found: list[Example] = []
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                try:
                    data = json.loads(line)
                    found.append(Example(str(data["question"]), str(data["reading"])))
                except (ValueError, KeyError, TypeError) as error:
                    message = f"line {number} of {file} is not a question with a reading"
                    raise fail("UQ699", message, hint='{"question": "…", "reading": "…"}') from error
        return tuple(found)


def _quoted(text: object) -> str:
    """A name from the graph or the question as one quoted line: data, whatever it says."""
    return json.dumps(str(text), ensure_ascii=False)


def one_line(text: str, most: int = 80) -> str:
    """A label as it stands between quotes in a prompt: one line, no double quotes, at most so many characters."""
    line = " ".join(text.split()).replace('"', "'")
    return line if len(line) <= most else f"{line[: most - 1]}…"
