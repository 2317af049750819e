"""The language server: what editors show while somebody writes tables and schemas.

`features` holds the logic, plain functions over text; `server` carries it over the protocol.
"""
