"""A fluent builder of tables that reads like the language."""
