"""The rules of `normalize`, a file per group. A rule takes a table and returns it with the steps that it made."""
