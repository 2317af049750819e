"""The gate in other people's chains and retrievers.

`guard.Guard` is the gate as one function; `langchain` and `neo4j_graphrag` put it where those packages write queries.
Neither is imported here: what they hand over is used by its shape, so that no version of them is pinned.
"""
