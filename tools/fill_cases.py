"""Fill empty expectations of `spec/cases/`: a block that holds only `?` gets what the project gives now.

For a person who writes a page: leave the block at `?`, run this, and check the result against the spec before you
commit it. A block that says anything else is never touched.
"""

from __future__ import annotations

from tests.conformance.expectations import actual
from tests.conformance.pages import FOLDER, read_page


def main() -> None:
    """Fill every page."""
    for path in sorted(FOLDER.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if path.name == "README.md" or "\n?\n```" not in text:
            continue
        for case in read_page(path):
            for one in case.expectations:
                if one.text.strip() != "?":
                    continue
                try:
                    found = actual(case, one)
                except Exception as error:
                    print(f"{case.id}: {one.info}: {type(error).__name__}: {error}")
                    found = "?\n"
                place = text.index(f"```{one.info}\n?\n```", text.index(f"## {case.title}\n"))
                end = place + len(f"```{one.info}\n?\n```")
                text = text[:place] + f"```{one.info}\n{found}```" + text[end:]
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
