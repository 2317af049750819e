"""The command line: parses arguments, calls the layers below, prints. No logic of its own."""
