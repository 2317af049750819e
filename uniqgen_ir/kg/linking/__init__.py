"""Names in a question and what they stand for in a graph."""
