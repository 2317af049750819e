"""Graphs written for loading elsewhere: N-Triples, bulk CSV files of property graphs, a Cypher script."""
