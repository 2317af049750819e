"""Servers behind Bolt: Neo4j, Memgraph, Neptune, ArcadeDB."""
