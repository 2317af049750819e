"""Property graphs from scripts of Cypher and from CSV files, as facts."""
