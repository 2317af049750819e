"""The MCP server: a face of `uniqgen_ir.service`."""
