"""The gate: what a query must pass before it reaches a database, and how it is mended.

`gate.check` judges a text in Cypher, SPARQL or the table language; `report.Report` is the verdict.
"""
