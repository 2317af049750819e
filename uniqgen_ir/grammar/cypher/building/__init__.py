"""Builds the syntax tree of Cypher from the parser's reductions."""
