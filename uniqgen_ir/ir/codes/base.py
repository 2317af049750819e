"""What a code is."""

from __future__ import annotations

from attrs import frozen


@frozen
class Code:
    """A diagnostic code and its page.

    `kind` is the short name that scripts see; `what` says what is wrong, `why` why it matters, `example` shows the
    fault and `instead` the mended text.
    """

    code: str
    kind: str
    title: str
    what: str
    why: str
    example: str
    instead: str

    def page(self) -> str:
        """The page as Markdown."""
        return (
            f"# {self.code}: {self.title}\n\nKind: `{self.kind}`\n\n## What it says\n\n{self.what}\n\n"
            f"## Why it matters\n\n{self.why}\n\n## Example\n\n```\n{self.example}\n```\n\n"
            f"## Instead\n\n```\n{self.instead}\n```\n"
        )
