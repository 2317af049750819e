"""The composer: reads text into tables, runs passes, renders, and runs queries on engines.

Everything that the command line and the agent do goes through here; no module outside imports from more than one of
`grammar`, `passes`, `backends` and `kg`.
"""

from uniqgen_ir.driver.graph import KnowledgeGraph
from uniqgen_ir.driver.queries import (
    LEGAL_IN_SPARQL,
    check,
    compile_table,
    inspect,
    missing_names,
    refuse_unless_it_reads,
    run_raw,
    run_table,
)
from uniqgen_ir.driver.reading import ReadOutcome, language_of, read
from uniqgen_ir.driver.rewriting import (
    PipelineOutcome,
    PrintAfter,
    compare_tables,
    relax,
    relax_on,
    run_pipeline,
    verify_steps,
    verify_trace_text,
)
from uniqgen_ir.driver.transfer import export_graph, snapshot_graph
from uniqgen_ir.driver.vocabulary import Vocabulary, load_vocabulary, resolve_mapping, schema_of_content
from uniqgen_ir.ir.visitor import with_prefixes

__all__ = [
    "KnowledgeGraph",
    "LEGAL_IN_SPARQL",
    "PipelineOutcome",
    "PrintAfter",
    "ReadOutcome",
    "Vocabulary",
    "check",
    "compare_tables",
    "compile_table",
    "export_graph",
    "inspect",
    "language_of",
    "load_vocabulary",
    "missing_names",
    "read",
    "refuse_unless_it_reads",
    "relax",
    "relax_on",
    "resolve_mapping",
    "run_pipeline",
    "run_raw",
    "run_table",
    "schema_of_content",
    "snapshot_graph",
    "verify_steps",
    "verify_trace_text",
    "with_prefixes",
]
