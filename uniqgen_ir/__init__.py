"""uniqgen-ir: a compiler from constraint tables to minimal SPARQL and Cypher queries.

Import what you need from the submodules: `uniqgen_ir.ir` (nodes), `uniqgen_ir.grammar` (readers),
`uniqgen_ir.passes` (rewrites), `uniqgen_ir.backends` (renderers and engines), `uniqgen_ir.driver` (all composed).
"""

__version__ = "0.1.0"
