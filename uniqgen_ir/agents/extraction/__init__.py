"""Agent a1 with a model: what the graph holds near a question, the rows that are read, the answers vouched for."""
