"""Relative IRIs, by RFC 3986."""

from __future__ import annotations

import re
from typing import Final

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PARTS: Final = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)


def has_scheme(reference: str) -> bool:
    """Whether it is absolute."""
    return _SCHEME.match(reference) is not None


def resolve(base: str, reference: str) -> str:
    """The reference resolved against a base (RFC 3986, 5.2.2)."""
    scheme, authority, path, query, fragment = _split(reference)
    base_scheme, base_authority, base_path, base_query, _ = _split(base)
    if scheme is None:
        scheme = base_scheme
        if authority is None:
            authority = base_authority
            if not path:
                path, query = base_path, query if query is not None else base_query
            else:
                path = _without_dots(path if path.startswith("/") else _merged(base_authority, base_path, path))
        else:
            path = _without_dots(path)
    head = (f"{scheme}:" if scheme is not None else "") + (f"//{authority}" if authority is not None else "")
    return head + path + (query or "") + (fragment or "")


def _split(text: str) -> tuple[str | None, str | None, str, str | None, str | None]:
    match = _PARTS.match(text)
    assert match is not None
    return match[1], match[2], match[3], match[4], match[5]


def _merged(authority: str | None, base_path: str, path: str) -> str:
    if authority is not None and not base_path:
        return "/" + path
    return base_path[: base_path.rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)
