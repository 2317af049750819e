"""Write the pages of `spec/` that describe code: diagnostics, passes, and the grammar as railroad diagrams.

`python -m tools.make_spec` writes them, `--check` only says whether they are current (exit 1 where they are not).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

from tools import railroad
from uniqgen_ir.grammar.ctable.keywords import WORDS
from uniqgen_ir.ir.codes import CODES
from uniqgen_ir.passes.normalize import RULES
from uniqgen_ir.passes.options import default_options
from uniqgen_ir.passes.pipelines import DEFAULT_PIPELINE, SEARCH_PIPELINE
from uniqgen_ir.passes.registry import PASSES

ROOT: Final = Path(__file__).resolve().parents[1]
FAMILIES: Final = {
    "1": "Syntax",
    "2": "Names and types",
    "3": "Schema",
    "4": "Normal form, search, passes",
    "5": "Backends and dialects",
    "6": "Agents, stores, command line",
    "7": "Serving",
    "9": "Internal",
}
TOKENS: Final = {
    "VAR": "?name",
    "PARAM": "$name",
    "IRI": "<iri>",
    "PNAME": "prefix:name",
    "STRING": '"text"',
    "LANGSTRING": '"text"@tag',
    "NUMBER": "number",
    "TEMPORAL": 'date("…")',
    "BOOLEAN": "true | false",
    "NAME": "name",
    "LABEL": "name:",
    "FUNC": "function",
    "AGGREGATE": "count sum avg min max …",
    "AT": "@name",
    "QUANT": "{m,n}",
    "_NL": "line end",
    "_DOT": ".",
    "_DESC_CALL": "desc",
    "_ASC_CALL": "asc",
}
HABITS: Final = {"filter_word", "bind_word", "union_word", "head_block", "BLANK", "BARE_DATE", "LIKE", "BANG_OPERAND"}
"""What is read only so that the message can say what to write instead; it has no place in the pictures."""
LISTS: Final = {
    "_body": "_item? (_end _item?)*",
    "_columns": "_column (_COMMA? _column)*",
    "_schema_items": "_declaration? (_end _declaration?)*",
    "_lexicon_items": "_lexicon_item? (_end _lexicon_item?)*",
    "_mapping_items": "_mapping_item? (_end _mapping_item?)*",
    "_operand": "_primary | (NOT | MINUS) _operand",
}
"""Rules that recurse for the parser's sake, as a reader would write them."""
STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #222; }
h2 { border-bottom: 1px solid #ccc; margin-top: 2.5rem; }
h3 { font: 600 15px ui-monospace, monospace; margin: 1.2rem 0 0; }
.wide { overflow-x: auto; }
svg path { fill: none; stroke: #555; stroke-width: 1.5; }
svg text { font: 13px ui-monospace, monospace; text-anchor: middle; }
svg .word { fill: #e8f1e4; stroke: #5b8a48; } svg .rule { fill: #e8eef7; stroke: #4a6fa5; }
"""


def diagnostic_pages() -> Iterator[tuple[str, str]]:
    """A page for each code, and the index."""
    lines = ["# Diagnostics", "", "Each message has a code, and each code a page: *what, why, example, instead*.", ""]
    lines += ["`uniqgen explain CODE` prints the same page. Scripts test for the *kind*.", ""]
    for digit, family in FAMILIES.items():
        codes = [CODES[code] for code in sorted(CODES) if code[2] == digit]
        lines += [f"## {family}", "", "| code | kind | |", "|---|---|---|"]
        lines += [f"| [{one.code}]({one.code}.md) | `{one.kind}` | {one.title} |" for one in codes]
        lines.append("")
    yield "spec/diagnostics/README.md", "\n".join(lines).rstrip() + "\n"
    for one in CODES.values():
        yield f"spec/diagnostics/{one.code}.md", one.page()


def passes_page() -> str:
    """Every pass with its options, and the rules of `normalize`."""
    lines = [
        "# Passes",
        "",
        "A pass takes a valid table and gives a valid table, with a step for everything that it changed. Pipelines are",
        f"text: `{SEARCH_PIPELINE}`. Before a table is compiled it goes through `{DEFAULT_PIPELINE}`.",
        "",
        "This page is made from the code; what the passes promise is in [semantics.md](semantics.md).",
        "",
    ]
    for name, cls in PASSES.items():
        lines += [f"## `{name}`", "", inspect.getdoc(cls) or "", ""]
        run: object = getattr(cls, "run", None)
        raises = inspect.getdoc(run)
        if raises and raises != inspect.getdoc(object):
            lines += [raises, ""]
        options = default_options(cls)
        if options:
            lines += [
                "| option | default |",
                "|---|---|",
                *(f"| `{key}` | `{value}` |" for key, value in options.items()),
            ]
            lines.append("")
    lines += ["## The rules of `normalize`, in their order", ""]
    lines += ["Each has a page of cases in [`cases/`](cases/README.md).", ""]
    lines += [f"* `{rule.__name__}`: {' '.join((inspect.getdoc(rule) or '').split())}" for rule in RULES]
    return "\n".join(lines).rstrip() + "\n"


def shown_rules(grammar: str) -> list[tuple[str, str, str]]:
    """The rules that get a picture. `_x: x` only steers the parser's tree: one picture is enough for the two."""
    rules = [one for one in railroad.rules_of(grammar) if one[1] not in HABITS]
    names = {name for _, name, _ in rules}
    return [one for one in rules if not (one[1].startswith("_") and one[1].strip("_") in names)]


def grammar_page() -> str:
    """The grammar of the language as railroad diagrams."""
    grammar = (ROOT / "uniqgen_ir" / "grammar" / "ctable.lark").read_text(encoding="utf-8")
    rules = shown_rules(grammar)
    names = {name.strip("_") for _, name, _ in rules}

    def symbol(name: str) -> railroad.Shape | None:
        if name in HABITS:
            return None
        if name.islower() and name.strip("_") in names:
            return railroad.box(name.strip("_").replace("_", " "), name.strip("_"))
        return railroad.box(TOKENS.get(name) or WORDS.get(name) or name.strip("_").lower(), None)

    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><title>The grammar of the CTable language</title>',
        f"<style>{STYLE}</style></head><body>",
        "<h1>The grammar of the CTable language</h1>",
        "<p>Made from <code>uniqgen_ir/grammar/ctable.lark</code>. Round: written as it stands. Square: another rule. "
        'What it means is in <a href="language.md">language.md</a>.</p>',
    ]
    shown = ""
    for section, name, body in rules:
        if section != shown:
            parts.append(f"<h2>{escape(section[:1].upper() + section[1:])}</h2>")
            shown = section
        shape = railroad.Reader(LISTS.get(name, body), symbol).alternatives()
        title = name.strip("_")
        parts.append(
            f'<h3 id="{title}">{title.replace("_", " ")}</h3><div class="wide">{railroad.diagram(shape)}</div>'
        )
    return "\n".join([*parts, "</body></html>", ""])


def pages() -> dict[str, str]:
    """Every generated page: path from the root, text."""
    made = dict(diagnostic_pages())
    made["spec/passes-reference.md"] = passes_page()
    made["spec/grammar.html"] = grammar_page()
    return made


def stale() -> list[str]:
    """Pages that are not what the code says, and pages of codes that are gone."""
    made = pages()

    def current(name: str) -> bool:
        return (ROOT / name).is_file() and (ROOT / name).read_text(encoding="utf-8") == made[name]

    old = [name for name in made if not current(name)]
    folder = ROOT / "spec" / "diagnostics"
    gone = [f"spec/diagnostics/{one.name}" for one in folder.glob("*.md") if f"spec/diagnostics/{one.name}" not in made]
    return [*old, *gone]


def main() -> int:
    """Write the pages, or with `--check` name those that are not current."""
    if "--check" in sys.argv[1:]:
        for name in stale():
            print(f"{name} is not current: run `make spec`")
        return 1 if stale() else 0
    for name in stale():
        if name not in pages():
            (ROOT / name).unlink()
    for name, text in pages().items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
