"""What `typecheck` looks at: names, places, values, directions, heads, and how its messages read."""
