"""Property paths: regular expressions over predicates."""

from __future__ import annotations

from typing import TypeAlias, Union

from attrs import frozen

from uniqgen_ir.ir.terms import IRI


@frozen(cache_hash=True)
class Step:
    """One predicate, walked forwards."""

    predicate: IRI


@frozen(cache_hash=True)
class Inverse:
    """A path walked backwards: `^p`."""

    path: Path


@frozen(cache_hash=True)
class Sequence:
    """Paths one after the other: `p / q`. Two or more."""

    paths: tuple[Path, ...]


@frozen(cache_hash=True)
class Alternative:
    """Any one of the paths: `p | q`. Two or more."""

    paths: tuple[Path, ...]


@frozen(cache_hash=True)
class Repeat:
    """A path walked `minimum` to `maximum` times; `maximum` None means without a bound (`p*`, `p+`)."""

    path: Path
    minimum: int
    maximum: int | None

    def __attrs_post_init__(self) -> None:
        if self.minimum < 0:
            raise ValueError(f"minimum {self.minimum} is negative")
        if self.maximum is not None and self.maximum < self.minimum:
            raise ValueError(f"maximum {self.maximum} is below minimum {self.minimum}")


@frozen(cache_hash=True)
class NegatedSet:
    """Any predicate but these, forwards and backwards: `!(p | ^q)`."""

    forward: tuple[IRI, ...]
    backward: tuple[IRI, ...] = ()


Path: TypeAlias = Union[Step, Inverse, Sequence, Alternative, Repeat, NegatedSet]  # noqa: UP007
