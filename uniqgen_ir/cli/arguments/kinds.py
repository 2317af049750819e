"""Kinds of values on the command line, as argparse wants to read them: each raises what argparse reports."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number in a range, as argparse wants to read it."""

    def read(text: str) -> int:
        value = int(text)
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"{value} is not {_range(least, most)}")
        return value

    read.__name__ = "whole number"
    return read


def _range(least: int, most: int | None) -> str:
    return f"at least {least}" if most is None else f"between {least} and {most}"


def seconds(text: str) -> float:
    """Seconds of a deadline: above 0, at most a day."""
    value = float(text)
    if not 0.0 < value <= 86_400.0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most 86400 seconds")
    return value


def above_zero(text: str) -> float:
    """A number above 0."""
    value = float(text)
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


above_zero.__name__ = "number"


def share(text: str) -> float:
    """A share: above 0, at most 1."""
    value = float(text)
    if not 0.0 < value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most 1")
    return value


def theta(text: str) -> float | str:
    """A share, or `auto`."""
    return text if text == "auto" else share(text)


theta.__name__ = "share"


def history(text: str) -> int | str | None:
    """`full` as None, `auto` as it is, or how many steps of the past are shown."""
    return None if text == "full" else text if text == "auto" else whole(0)(text)


history.__name__ = "number of steps (or full)"
