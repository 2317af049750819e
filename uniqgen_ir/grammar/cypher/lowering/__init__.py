"""Lowers a Cypher statement to tables: patterns, projections, sub-queries and functions."""
