"""Parts of claims as they stand in JSON."""

from __future__ import annotations

from typing import cast


def texts(value: object) -> list[str]:
    """A list of texts. Raises TypeError for anything else."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in cast("list[object]", value)):
        raise TypeError("a list of names has the wrong shape")
    return cast("list[str]", value)
