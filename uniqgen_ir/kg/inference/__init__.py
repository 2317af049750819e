"""The schema that a graph keeps to, inferred from its facts, and schemas of other kinds imported."""
