"""`python -m tests.servers.neo4j`: download the servers for which there is a Java."""

from tests.servers.neo4j import CURRENT, LTS, fetch

for release in (LTS, CURRENT):
    if release.java is None:
        print(f"Neo4j {release.version} needs Java {release.java_version}, which is not here")
    else:
        fetch(release)
        print(release.jars)
