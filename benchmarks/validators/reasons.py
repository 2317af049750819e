"""What the messages of the peers speak of, in the kinds of the cases. A message that fits no line has no kind."""

from __future__ import annotations

import re
from typing import Final

_PARSER: Final = frozenset({"syntax", "extra_text"})
"""What a parser that only says where it stopped may be said to have seen."""
_MESSAGES: Final[tuple[tuple[str, frozenset[str]], ...]] = tuple(
    (pattern, frozenset(kinds.split()))
    for pattern, kinds in (
        (r"direction|WrongDirectionPath|expects (?:source|target) label", "wrong_direction endpoint_mismatch"),
        (r"UnknownPath|has no (?:incoming|outgoing)|corrector returns an empty", "endpoint_mismatch wrong_direction"),
        (r"(?:unknown|invalid) (?:node )?label|UnknownLabel|label .* is not (?:present|available)", "unknown_label"),
        (
            r"(?:unknown|invalid) relationship type|UnknownRelationshipType|relationship type .* is not",
            "unknown_rel_type",
        ),
        (
            r"(?:unknown|invalid) (?:node |relationship )?property|InvalidPropertyAccess|UnknownPropertyKey"
            r"|property (?:key )?.* is not",
            "unknown_property",
        ),
        (r"not (?:bound|defined)|undefined variable", "undefined_variable"),
        (r"different columns|return (?:columns|items).*UNION|same (?:column|return)", "union_columns"),
        (r"aggregat|implicit grouping|Group(?:ing)? key", "aggregation group_by"),
        (r"type mismatch|incompatible types", "type_mismatch"),
        (r"Unknown function", "unknown_function"),
        (r"no longer supported|deprecated|removed|not supported by", "removed_syntax deprecated dialect_unsupported"),
        (r"the query writes", "write"),
        (r"only one statement|multiple statements", "multiple_statements"),
        (r"text around the query", "extra_text syntax"),
        (r"Unknown (?:namespace )?prefix|Prefix not found", "missing_prefix"),
        (r"Type .* does not exist", "unknown_class"),
        (r"does not support the predicate", "unknown_predicate unknown_property wrong_direction"),
        (r"SELECT contains a variable that is unbound", "group_by unbound_projection"),
        (r"already (?:declared|defined|in use)", "alias_in_use"),
        (r"datatype", "datatype_mismatch"),
        (r"\bservice .*(?:fail|not|call)", "external_io"),
    )
)
_PARSE: Final = r"pars|syntax|mismatched input|unexpected|expected|invalid input|\^---|Nom|Lexical error|lexer"


def kinds_of(message: str) -> frozenset[str]:
    """The kinds of fault that a message speaks of."""
    found: set[str] = set()
    for pattern, kinds in _MESSAGES:
        if re.search(pattern, message, re.IGNORECASE):
            found |= kinds
    if re.search(_PARSE, message, re.IGNORECASE):
        found |= _PARSER
    return frozenset(found)
