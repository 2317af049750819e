"""Going on after a syntax error: say what is wrong once, then continue at the next row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from uniqgen_ir.grammar.ctable.context import Context, replace
from uniqgen_ir.grammar.ctable.expected import expected_phrase
from uniqgen_ir.grammar.ctable.keywords import KEYWORDS
from uniqgen_ir.grammar.ctable.lalr import Parser
from uniqgen_ir.grammar.ctable.mistakes import FOREIGN_WORDS, token_name
from uniqgen_ir.grammar.ctable.tree import Token
from uniqgen_ir.ir.diagnostics import Edit, Fix

_KEYWORD_KINDS: Final = frozenset(KEYWORDS.values()) | {"A"}
_TOP: Final = frozenset({"CTABLE", "_SCHEMA", "_LEXICON", "_MAPPING", "_PREFIX", "_USE"})
_ROW_ENDS: Final = frozenset({"_NL", "_DOT", "$END", "_RBRACE"})
_DECLARED: Final = frozenset({"_CLASS", "_RELATION", "_PROPERTY", "_SYNONYM", "_RULE"})
_ROW_BEGINS: Final = frozenset(
    {
        *("VAR", "LABEL", "_SELECT", "_ASK", "_ORDER", "_LIMIT", "_OFFSET", "_GROUP", "_HAVING", "ARGMAX", "ARGMIN"),
        *("_OPTIONAL", "_EITHER", "_MINUS", "_LET", "_VALUES", "_TABLE", "_FILTER", "_BIND", "NOT", "_EXISTS"),
        *("_CLASS", "_RELATION", "_PROPERTY", "_SYNONYM", "_RULE", "_IMPLIED"),
    }
)
_CURLY: Final = "“”„‘’«»"


@frozen
class RowRecovery:
    """Recovery at row ends, for tables and schemas alike."""

    context: Context
    start: str

    def recover(self, parser: Parser, tokens: Sequence[Token], place: int) -> int | None:
        """See `lalr.Recovery`."""
        token = tokens[place]
        if token.kind in _KEYWORD_KINDS and parser.accepts("NAME"):
            # a keyword where only a name can stand is a name
            token.kind = "NAME"
            return place
        for repair in (self._braces, self._row_end, self._opening):
            after = repair(parser, tokens, place)
            if after is not None:
                return after
        self._report(parser, tokens, place)
        return self._synchronise(parser, tokens, place)

    def _braces(self, parser: Parser, tokens: Sequence[Token], place: int) -> int | None:
        """A brace too many, or too few."""
        token = tokens[place]
        if token.kind not in ("_RBRACE", "$END", *_TOP):
            return None
        closable = _depth_for(parser, "_RBRACE")
        if token.kind == "_RBRACE" and closable is None:
            fix = replace(token.start, token.end, "", "remove it", safe=False)
            self.context.report("UQ104", "this `}` closes nothing", token.start, token.end, fix=fix)
            return place + 1
        if closable is None or not (token.kind == "$END" or (token.kind in _TOP and _at_line_start(tokens, place))):
            return None
        opening = _open_brace(tokens, place)
        if opening is None:
            return None
        if _in_row(tokens, place) and not parser.accepts("_RBRACE"):
            self._report(parser, tokens, place)
        fix = replace(token.start, token.start, "}\n", "close it", safe=False)
        self.context.report("UQ103", "this `{` is never closed", opening.start, opening.end, fix=fix)
        parser.cut(closable)
        while parser.accepts("_RBRACE"):
            parser.feed(Token("_RBRACE", "", token.start, token.start))
            if parser.accepts(token.kind):
                return place
        return None

    def _row_end(self, parser: Parser, tokens: Sequence[Token], place: int) -> int | None:
        """A row that begins on the line of another."""
        token = tokens[place]
        names = ("PNAME", "IRI")
        if (token.kind not in _ROW_BEGINS and token.kind not in names) or not parser.accepts("_NL", token.kind):
            return None
        if place == 0 or (tokens[place - 1].kind in _ROW_ENDS and tokens[place - 1].kind != "_RBRACE"):
            return None
        fix = replace(token.start, token.start, ". ", "end the row before it", safe=False)
        message = f"{token_name(token)} begins another row, and the one before it has no end"
        hint = "rows end at a line end or at `.`"
        self.context.report("UQ105", message, token.start, token.end, hint=hint, fix=fix)
        parser.feed(Token("_NL", "", token.start, token.start))
        return place

    def _opening(self, parser: Parser, tokens: Sequence[Token], place: int) -> int | None:
        """`ctable t` without its brace."""
        token = tokens[place]
        before = {one.kind for one in tokens[max(0, place - 3) : place]}
        if token.kind != "_NL" or "CTABLE" not in before or not parser.accepts("_LBRACE", "_NL"):
            return None
        fix = replace(token.start, token.start, " {", "open it")
        self.context.report("UQ103", "the table's `{` is missing", token.start, token.end, fix=fix)
        parser.feed(Token("_LBRACE", "", token.start, token.start))
        return place

    def _report(self, parser: Parser, tokens: Sequence[Token], place: int) -> None:
        token = tokens[place]
        report = self.context.report
        if token.kind == "UNCLOSED":
            what = "string" if token.text[0] != "`" else "name"
            fix = replace(token.end, token.end, token.text[0], "close it", safe=False)
            report("UQ102", f"this {what} is not closed", token.start, token.end, fix=fix)
        elif token.kind == "ERROR":
            self._character(token)
        elif parser.accepts("CTABLE") and token.kind in ("_SELECT", "_ASK", "_MATCH", "_OPTIONAL", "NAME"):
            self._foreign(token)
        elif token.kind == "RELATIVE":
            hint = "write it with its scheme, as in `<http://example.org/…>`, or as a prefixed name"
            report("UQ125", f"`{token.text}` is not an absolute IRI", token.start, token.end, hint=hint)
        elif token.kind == "_TABLE" and parser.accepts("CTABLE"):
            fix = replace(token.start, token.end, "ctable", "write `ctable`")
            self.context.report("UQ118", "a table of a file begins with `ctable`", token.start, token.end, fix=fix)
        elif place and tokens[place - 1].kind == "CTABLE" and token.kind != "$END":
            self._table_name(parser, token)
        elif self._bracket(parser, tokens, place):
            pass
        elif token.kind in _ROW_ENDS and _lacks_subject(tokens, place):
            first = tokens[place - 2]
            hint = "put the subject first, or end the row before it with `;`"
            report("UQ132", "this row has no subject", first.start, tokens[place - 1].end, hint=hint)
        else:
            self._unexpected(parser, tokens, place)

    def _table_name(self, parser: Parser, token: Token) -> None:
        """What stands after `ctable` names no table."""
        if token.kind == "NAME" and not parser.accepts("NAME"):
            hint = 'tables stand in files of their own, which use this one: `use schema "NAME.cts"`'
            self.context.report("UQ100", "a file of schemas holds no table", token.start, token.end, hint=hint)
            return
        bracket = self.context.text.startswith("(", token.end)
        message = "a table has no `(` after its name" if bracket else f"{token_name(token)} is no name of a table"
        hint = "a table is written `ctable NAME { select ?x … }`: its columns stand after `select`"
        start, end = (token.end, token.end + 1) if bracket else (token.start, token.end)
        self.context.report("UQ100", message, start, end, hint=hint)

    def _unexpected(self, parser: Parser, tokens: Sequence[Token], place: int) -> None:
        token = tokens[place]
        start, end = token.start, token.end
        if token.kind == "_NL" and place:
            # the caret goes behind the last word, not under a line break
            start = tokens[place - 1].end
            end = start + 1
        expected = expected_phrase(parser.expected())
        message = f"{token_name(token)} cannot stand here"
        hint = f"expected {expected}" if expected else None
        hint = FOREIGN_WORDS.get(token.text.lower(), hint)
        if token.kind in _DECLARED and parser.accepts("_SCHEMA"):
            hint = "declarations stand in a schema: `schema NAME { … }`"
        elif token.kind == "_SCHEMA" and parser.accepts("CTABLE"):
            hint = 'schemas stand in a file of their own, which a table uses: `use schema "NAME.cts"`'
        self.context.report("UQ100", message, start, max(end, start), hint=hint)

    def _character(self, token: Token) -> None:
        fix = None
        if token.text == "[":
            hint = "give what is in the brackets a variable: `?x ex:p ?y . ?y ex:q ?z`"
            self.context.report("UQ127", "blank nodes do not stand in rows", token.start, token.end, hint=hint)
            return
        message = f"the character `{token.text}` (U+{ord(token.text):04X}) has no meaning here"
        if token.text in _CURLY:
            fix = self._straight(token)
        self.context.report("UQ101", message, token.start, token.end, fix=fix)

    def _straight(self, token: Token) -> Fix:
        """A plain quote for a curly one, and for the one that closes it on the same line."""
        edits = [Edit(token.start, token.end, '"')]
        line_end = self.context.text.find("\n", token.end)
        rest = self.context.text[token.end : line_end if line_end >= 0 else None]
        closing = next((place for place, sign in enumerate(rest) if sign in _CURLY), None)
        if closing is not None:
            edits.append(Edit(token.end + closing, token.end + closing + 1, '"'))
        return Fix('write `"`', tuple(edits), safe=False)

    def _foreign(self, token: Token) -> None:
        cypher = token.kind in ("_MATCH", "_OPTIONAL", "NAME")
        language = "Cypher" if cypher else "SPARQL"
        hint = f"read it with `--from {language.lower()}`, or begin a table with `ctable NAME {{`"
        message = f"{token_name(token)} begins no table; this looks like {language}"
        if token.kind == "NAME":
            message, hint = f"{token_name(token)} begins no table", "a table is written `ctable NAME { … }`"
        self.context.report("UQ118", message, token.start, token.end, hint=hint)

    def _bracket(self, parser: Parser, tokens: Sequence[Token], place: int) -> bool:
        """A row that ends inside a `(`."""
        if tokens[place].kind not in _ROW_ENDS and tokens[place].kind != "LABEL":
            return False
        depth = 0
        for before in range(place - 1, -1, -1):
            kind = tokens[before].kind
            if kind in ("_LBRACE", *_ROW_ENDS):
                return False
            depth += (kind == "_RPAR") - (kind == "_LPAR")
            if depth < 0:
                if not parser.accepts("_RPAR"):
                    return False
                opening = tokens[before]
                end = tokens[place - 1].end
                fix = replace(end, end, ")", "close it", safe=False)
                self.context.report("UQ124", "this `(` is never closed", opening.start, opening.end, fix=fix)
                return True
        return False

    def _synchronise(self, parser: Parser, tokens: Sequence[Token], place: int) -> int | None:
        """Skip to the end of the row and cut the stack to where rows are expected."""
        depth = 0
        for after in range(place, len(tokens)):
            kind = tokens[after].kind
            if kind == "_LBRACE":
                depth += 1
            elif kind == "_RBRACE" and depth:
                depth -= 1
            elif kind == "$END" or (depth == 0 and kind in _ROW_ENDS) or _opens_file_item(tokens, after):
                cut = _depth_for(parser, kind)
                if cut is None and kind in ("$END", *_TOP):
                    cut = _depth_for(parser, "_NL")
                if cut is not None:
                    parser.cut(cut)
                    return after
                if kind == "$END":
                    return None
        return None


def _depth_for(parser: Parser, *kinds: str) -> int | None:
    """The largest stack depth at which the kinds could be read."""
    for depth in range(len(parser.states), 0, -1):
        if parser.accepts(*kinds, depth=depth):
            return depth
    return None


def _opens_file_item(tokens: Sequence[Token], place: int) -> bool:
    return tokens[place].kind in ("CTABLE", "_PREFIX") and _at_line_start(tokens, place)


def _at_line_start(tokens: Sequence[Token], place: int) -> bool:
    return place == 0 or tokens[place - 1].kind in _ROW_ENDS


def _in_row(tokens: Sequence[Token], place: int) -> bool:
    return place > 0 and tokens[place - 1].kind not in (*_ROW_ENDS, "_LBRACE")


def _open_brace(tokens: Sequence[Token], place: int) -> Token | None:
    """The innermost `{` before `place` that nothing closes."""
    depth = 0
    for before in range(place - 1, -1, -1):
        kind = tokens[before].kind
        depth += (kind == "_RBRACE") - (kind == "_LBRACE")
        if depth < 0:
            return tokens[before]
    return None


def _lacks_subject(tokens: Sequence[Token], place: int) -> bool:
    """Whether the row is a name and a variable or value alone."""
    if place < 3 or tokens[place - 2].kind not in ("PNAME", "IRI", "A"):
        return False
    return tokens[place - 1].kind in ("VAR", "PNAME", "IRI") and tokens[place - 3].kind in ("_NL", "_DOT", "_LBRACE")
