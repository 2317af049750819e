"""UQ70x: requests to the HTTP service and the MCP server."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ701",
        "bad_request",
        "a request that is not what the operation takes",
        "The body is not JSON in UTF-8, or does not fit the schema of the operation, which the service publishes at "
        "`/openapi.json` and the MCP server with each tool.",
        "A request that is guessed at would be answered wrongly.",
        'POST /v1/run {"query": "SELECT * WHERE { ?s ?p ?o }", "rows": "ten"}',
        'POST /v1/run {"query": "SELECT * WHERE { ?s ?p ?o }", "language": "sparql", "rows": 10}',
    ),
    Code(
        "UQ702",
        "request_too_large",
        "a request larger than the service takes",
        "The body has more bytes than the limit that the message names.",
        "One caller must not use up the memory that all callers share.",
        "a query of several megabytes",
        "values in a shorter query; graphs are given to the service when it starts",
    ),
    Code(
        "UQ703",
        "server_busy",
        "more work is waiting than the service takes",
        "As many requests as the service allows are being answered or wait for their turn.",
        "A queue without an end would make every caller wait until the time-out.",
        "a thousand requests at once",
        "Send fewer at once, or the same one again after the seconds that `Retry-After` gives.",
    ),
    Code(
        "UQ704",
        "request_timeout",
        "a request did not end in its seconds",
        "The work took, together with its wait for a turn, longer than its limit. What was under way is ended.",
        "Nobody should wait for an answer that may never come.",
        "a question that needs a search over the whole graph, with two seconds",
        "More seconds (`--seconds` where the service is started), or a smaller question.",
    ),
    Code(
        "UQ705",
        "no_such_address",
        "an address, method, host or content type that the service does not have",
        "The path is none of those in `/openapi.json`, its method is another one, the body is not declared as "
        "`application/json`, or the `Host` header names another machine than the one that the service is bound to.",
        "A web page of somebody else must not be able to speak to a service on your machine.",
        "GET /v1/run",
        "POST /v1/run with `Content-Type: application/json`",
    ),
    Code(
        "UQ706",
        "served_file",
        "a table that wants a file read",
        "The table says `use schema FILE`. The service, and the gate where it is called from a program, read no file that a text "
        "names: the service's graph and schema were chosen when it was started, and the gate is given a schema.",
        "A caller, or a model, must not be able to look into files of the machine that serves.",
        'use schema "schema.cts" before a table in a request',
        "`uniqgen serve --schema schema.cts`, and the table without `use`",
    ),
    Code(
        "UQ707",
        "too_many_requests",
        "more requests a second than one address may send",
        "The service was started with `--rate`, and this address sends faster than that.",
        "One caller in a loop must not take the turns of all others.",
        "a hundred requests in one second where `--rate 10` holds",
        "Send them further apart, or the same one again after the seconds that `Retry-After` gives.",
    ),
)
