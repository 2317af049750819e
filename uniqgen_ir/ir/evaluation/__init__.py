"""The reference evaluator: what a table means, computed as the specification says it."""
