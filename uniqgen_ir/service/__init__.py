"""What the HTTP service and the MCP server share: operations with schemas, limits, deadlines, one graph for all."""
