"""One file per command, imported only when that command runs, so that start-up stays cheap."""
