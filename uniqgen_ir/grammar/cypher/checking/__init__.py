"""Checks a Cypher statement: scopes, aggregation, what its language version allows."""
