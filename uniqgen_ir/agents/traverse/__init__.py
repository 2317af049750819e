"""Walks from what a question names, relation by relation, guided by a controller that sees little at a time."""
