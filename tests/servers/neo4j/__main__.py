"""`python -m tests.servers.neo4j`: download the server."""

from tests.servers.neo4j import fetch, jars

fetch()
print(jars())
