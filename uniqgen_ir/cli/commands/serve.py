"""`uniqgen serve`."""

from __future__ import annotations

from argparse import Namespace

from uniqgen_ir.cli.exits import EXIT_OK
from uniqgen_ir.cli.serving import need_packages, open_service


def run(options: Namespace) -> int:
    """Serve HTTP until interrupted: with `--api` the service alone, otherwise the playground, too."""
    need_packages("serve", "starlette", "uvicorn")
    with open_service(options) as service:
        from uniqgen_ir.web.running import serve

        serve(service, host=options.host, port=options.port, playground=not options.api, rate=options.rate)
    return EXIT_OK
