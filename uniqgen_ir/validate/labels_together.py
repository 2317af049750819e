"""Labels that the nodes of a graph may carry together, where its schema does not say which do.

Tool chains list each label by itself: a node with two labels stands in the schema twice, once under each. So where
everything that is said of one label, every property and every relationship with its other end, is said of another, too,
nothing speaks against nodes that carry both: `User` beside `Stream` where streams are users.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from uniqgen_ir.validate.vocabulary import Properties, RelationshipType

_Role: TypeAlias = tuple[bool, str, str | None]
"""Whether a label is at the start, of which relationship type, and what is at the other end."""


def labels_together(
    labels: Mapping[str, Properties | None], types: Mapping[str, RelationshipType]
) -> tuple[frozenset[str], ...]:
    """Sets of labels of which one may stand beside the other; a label without relationships is in none."""
    roles: dict[str, set[_Role]] = {}
    for label, role in _roles(types):
        roles.setdefault(label, set()).add(role)
    found: dict[frozenset[str], None] = {}
    for wide, roles_of_wide in roles.items():
        inside = [
            narrow
            for narrow, roles_of_narrow in roles.items()
            if narrow != wide and roles_of_narrow <= roles_of_wide and _has_all(labels.get(wide), labels.get(narrow))
        ]
        for narrow in inside:
            found[frozenset((wide, narrow))] = None
        if len(inside) > 1:
            found[frozenset((wide, *inside))] = None
    return tuple(found)


def _roles(types: Mapping[str, RelationshipType]) -> Iterator[tuple[str, _Role]]:
    for name, type_ in types.items():
        for start, end in type_.ends:
            if start is not None:
                yield start, (True, name, end)
            if end is not None:
                yield end, (False, name, start)


def _has_all(wide: Properties | None, narrow: Properties | None) -> bool:
    return wide is not None and narrow is not None and narrow.keys() <= wide.keys()
