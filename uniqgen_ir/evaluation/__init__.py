"""Data sets of questions with gold queries, and what is done with them."""
