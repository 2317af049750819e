"""What the language server can say and do, one file each; nothing here knows the protocol."""
