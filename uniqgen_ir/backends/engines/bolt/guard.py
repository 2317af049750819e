"""The last look at a text before it is sent: a word that writes ends it here.

Texts are checked by structure long before (`refuse_unless_it_reads`), and sessions are opened for reading; but some
servers take no notice of that, and programs may call an engine directly.
"""

from __future__ import annotations

import re
from typing import Final

_SKIPPED: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`]|``)*`|//[^\n]*|/\*.*?\*/", re.DOTALL)
_WRITES: Final = re.compile(
    r"(?<![.:$\w])(?P<word>create|merge|delete|detach|set|remove|drop|foreach|insert|load\s+csv|alter|grant|revoke|deny"
    r"|start\s+database|stop\s+database|terminate|in\s+(?:\d+\s+)?(?:concurrent\s+)?transactions)\b(?!\s*:)",
    re.IGNORECASE,
)
_UNICODE: Final = re.compile(r"\\u+[0-9a-fA-F]{4}")


def writing_word(text: str) -> str | None:
    """The first word of the text, outside of strings, names in backticks and comments, that writes; None for none.

    Escapes of characters count as what they stand for: some servers read them before anything else.
    """
    for one in dict.fromkeys((text, _UNICODE.sub(lambda found: chr(int(found[0][-4:], 16)), text))):
        found = _WRITES.search(_SKIPPED.sub(" ", one))
        if found is not None:
            return " ".join(found["word"].split()).upper()
    return None
