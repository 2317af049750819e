"""Exit codes of the command line."""

from __future__ import annotations

from typing import Final

EXIT_OK: Final = 0
EXIT_BAD_INPUT: Final = 1
EXIT_USAGE: Final = 2
EXIT_UNREACHABLE: Final = 3
EXIT_INTERNAL: Final = 4
EXIT_INTERRUPTED: Final = 130
