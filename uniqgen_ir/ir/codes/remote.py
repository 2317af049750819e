"""UQ64x: stores behind a network."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ640",
        "endpoint_address",
        "not the address of a SPARQL endpoint",
        "A remote graph is written `sparql+http://host:port/path` or `sparql+https://…`, one of them, with no file "
        "beside it. User and password come from the environment (`UNIQGEN_SPARQL_USER`, `UNIQGEN_SPARQL_PASSWORD`).",
        "A query that is sent to the wrong place is not answered; a password in a command line is seen by others.",
        "uniqgen run t.ctable --graph sparql+http://me:secret@localhost:7878/query",
        "uniqgen run t.ctable --graph sparql+http://localhost:7878/query",
    ),
    Code(
        "UQ641",
        "endpoint_status",
        "the server answers, but not with answers",
        "The server replied with an HTTP status that says that there is no endpoint, that it wants a password, or that "
        "it sends elsewhere without an end.",
        "The query was not run, so there are no answers.",
        "uniqgen run t.ctable --graph sparql+http://localhost:7878/",
        "uniqgen run t.ctable --graph sparql+http://localhost:7878/query",
    ),
    Code(
        "UQ642",
        "broken_results",
        "the results cannot be read",
        "What the server sent is cut off, is neither SPARQL results in JSON nor in XML, or breaks their rules.",
        "Rows read up to a fault are only some of the answers, so none of them is used.",
        'HTTP/1.1 200 OK … {"head": {"vars": ["x"]}, "results": {"bindings": [{"x"',
        "Ask again; if it persists, look at what stands between here and the server.",
    ),
    Code(
        "UQ643",
        "server_cap",
        "the server left answers out",
        "The server sends no more than a fixed number of rows, or what it found until its own time limit, and does not "
        "say so in the results. This was seen from a header, or by counting. The answers are marked as incomplete.",
        "Rows that are missing in silence make a wrong answer look like a right one.",
        "?x a ns:people.person    # on a server that sends 10,000 rows at most",
        "Ask for less, sort and page with `limit` and `offset`, or raise the cap (Virtuoso: `ResultSetMaxRows`).",
    ),
    Code(
        "UQ644",
        "facts_elsewhere",
        "this needs the facts of a remote graph in memory",
        "A remote graph only answers queries. Linking names, inferring schemas, the reference evaluator and the embedded "
        "engines need all its facts, and these are not fetched.",
        "Fetching a whole graph in silence may take days; using a part of it would change the answers.",
        "uniqgen ask 'Who directed Heat?' --graph sparql+http://localhost:7878/query",
        "uniqgen run t.ctable --graph sparql+http://localhost:7878/query",
    ),
    Code(
        "UQ645",
        "bolt_address",
        "not the address of a server that speaks Bolt",
        "A property graph behind Bolt is written `bolt://host:port`, with `/database` and `?dialect=NAME` where they are "
        "not the server's own; `neo4j://` asks a cluster, and `+s` at the end of the scheme encrypts. It stands alone, "
        "with no other graph beside it. User and password come from the environment (`UNIQGEN_BOLT_USER`, "
        "`UNIQGEN_BOLT_PASSWORD`).",
        "A query that is sent to the wrong place is not answered; a password in a command line is seen by others.",
        "uniqgen run t.ctable --graph bolt://neo4j:secret@localhost:7687",
        "uniqgen run t.ctable --graph bolt://localhost:7687",
    ),
    Code(
        "UQ646",
        "bolt_login",
        "the server does not let us in",
        "The server wants a user and a password, or does not know the ones in the environment.",
        "The query was not run, so there are no answers.",
        "uniqgen run t.ctable --graph bolt://localhost:7687",
        "UNIQGEN_BOLT_USER=reader UNIQGEN_BOLT_PASSWORD=… uniqgen run t.ctable --graph bolt://localhost:7687",
    ),
    Code(
        "UQ647",
        "bolt_database",
        "the server has no such database",
        "One server may hold several databases; the one that the address names, or the server's default, is not there.",
        "The query was not run, so there are no answers.",
        "uniqgen run t.ctable --graph bolt://localhost:7687/flims",
        "uniqgen run t.ctable --graph bolt://localhost:7687/films",
    ),
)
