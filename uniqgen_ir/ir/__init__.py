"""The intermediate representation: frozen nodes, and what reads, prints, checks and evaluates them."""
