"""`python -m uniqgen_ir` is `uniqgen`."""

from uniqgen_ir.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
