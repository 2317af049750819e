"""Schemas in the forms of other tools: text for models, procedures of Neo4j, SHACL, VoID; read and written."""
