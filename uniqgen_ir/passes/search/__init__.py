"""What the chase and the backchase share: statements, relations in memory, budget, results."""
