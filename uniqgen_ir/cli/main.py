"""Entry point: arguments in, exit code out.

Exit codes: 0 done and clean; 1 the input is wrong or a check failed; 2 usage; 3 a store, server or model could not be
reached or timed out; 4 internal error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from uniqgen_ir.cli.arguments import build_parser
from uniqgen_ir.cli.exits import EXIT_BAD_INPUT, EXIT_INTERNAL, EXIT_INTERRUPTED, EXIT_UNREACHABLE, EXIT_USAGE
from uniqgen_ir.cli.project import apply_project

TWO_WORDS = frozenset({"eval bpc", "eval robustness"})
_MODULE = str.maketrans("- ", "__")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Argument errors leave through argparse with code 2."""
    try:
        options, unknown = build_parser().parse_known_args(joined(sys.argv[1:] if arguments is None else arguments))
        if unknown:
            # said with the usage of the command itself, not with the list of all commands
            options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    try:
        apply_project(options)
        command = import_module(f"uniqgen_ir.cli.commands.{options.command.translate(_MODULE)}")
        code: int = command.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader (`head`) has gone: not an error, but Python must not complain again when it flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except OSError as error:
        # files of the user are read and written with diagnostics of their own; what is left is the output
        with suppress(OSError):
            print(f"error UQ650: the output cannot be written: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return EXIT_BAD_INPUT
    except Exception as error:
        return _report(error, debug=options.debug)
    return code


def joined(arguments: Sequence[str]) -> list[str]:
    """The arguments with a command of two words (`eval bpc`) as one."""
    if " ".join(arguments[:2]) in TWO_WORDS:
        return [" ".join(arguments[:2]), *arguments[2:]]
    return list(arguments)


def _report(error: Exception, *, debug: bool) -> int:
    from uniqgen_ir.agents.llm.errors import ModelUnavailable
    from uniqgen_ir.cli.output import AlreadyPrinted, print_diagnostics
    from uniqgen_ir.ir.diagnostics import DiagnosticError
    from uniqgen_ir.ir.protocols import StoreTimeout, StoreUnavailable

    if debug:
        raise error
    if isinstance(error, DiagnosticError):
        if not isinstance(error, AlreadyPrinted):
            print_diagnostics(error.diagnostics)
        if all(one.code == "UQ653" for one in error.diagnostics):
            return EXIT_USAGE
        internal = any(one.code.startswith("UQ9") for one in error.diagnostics)
        if isinstance(error, StoreTimeout | StoreUnavailable | ModelUnavailable):
            return EXIT_UNREACHABLE
        return EXIT_INTERNAL if internal else EXIT_BAD_INPUT
    print(
        f"internal error UQ900: {type(error).__name__}: {error}\n"
        "  This is a fault of uniqgen, not of your input. Please report it with the input and what the same\n"
        "  command prints under --debug.",
        file=sys.stderr,
    )
    return EXIT_INTERNAL


if __name__ == "__main__":
    raise SystemExit(main())
