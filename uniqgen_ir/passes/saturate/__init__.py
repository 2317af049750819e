"""The classical chase: dependencies of a schema, whether they end, and what follows from a query under them."""
