"""`uniqgen fmt`."""

from __future__ import annotations

import sys
from argparse import Namespace

from uniqgen_ir.cli.exits import EXIT_BAD_INPUT, EXIT_OK
from uniqgen_ir.cli.output import print_diagnostics, read_input, write_output
from uniqgen_ir.ir.diagnostics import DiagnosticError


def run(options: Namespace) -> int:
    """Format each file in place (`-`: standard input to standard output); with --check only say what would change."""
    from uniqgen_ir.grammar.ctable.formatter import format_text

    code = EXIT_OK
    for name in options.files:
        text, source = read_input(name, "file")
        try:
            formatted = format_text(text, source)
        except DiagnosticError as error:
            print_diagnostics(error.diagnostics, {source: text})
            code = EXIT_BAD_INPUT
            continue
        if options.check:
            if formatted != text:
                print(f"would format {source}", file=sys.stderr)
                code = EXIT_BAD_INPUT
        elif name == "-":
            sys.stdout.write(formatted)
        elif formatted != text:
            write_output(name, formatted)
            print(f"formatted {name}", file=sys.stderr)
    return code
