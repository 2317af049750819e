"""The same facts in two vocabularies: a query over the one rewritten into the other, with a proof.

`job:` is how RDF people write an employment: a node in the middle that holds employer, post and year. `pg:` is how a
property graph has it: one edge WORKS_AT with properties (an edge with properties is a node with two ends here), and a
plain edge beside it. The rules between them are dependencies; chase and backchase does the rest.
"""

from __future__ import annotations

import uniqgen_ir as uq

PREFIXES = "prefix job: <http://example.org/job/>\nprefix pg: <http://example.org/pg/>\n"

RULES = f"""{PREFIXES}
schema both {{
  relation job:employment : job:Person -> job:Employment key
  relation job:employer : job:Employment -> job:Company functional
  property job:year : job:Employment -> xsd:integer functional
  property job:post : job:Employment -> xsd:string functional
  rule edge: {{ ?p job:employment ?m . ?m job:employer ?c }}
    => {{ ?e pg:from ?p . ?e pg:to ?c . ?p pg:worksAt ?c }}
  rule since: {{ ?p job:employment ?m . ?m job:employer ?c . ?m job:year ?y }}
    => {{ ?e pg:from ?p . ?e pg:to ?c . ?e pg:since ?y }}
  rule back: {{ ?e pg:from ?p . ?e pg:to ?c }} => {{ ?p job:employment ?m . ?m job:employer ?c }}
  rule back_since: {{ ?e pg:from ?p . ?e pg:to ?c . ?e pg:since ?y }}
    => {{ ?p job:employment ?m . ?m job:employer ?c . ?m job:year ?y }}
  rule plain: {{ ?p pg:worksAt ?c }} => {{ ?e pg:from ?p . ?e pg:to ?c }}
}}
"""

QUERIES = {
    "where people work": "select distinct ?p ?c\n  ?p job:employment ?m\n  ?m job:employer ?c",
    "who has worked somewhere since before 2000": (
        "select distinct ?p ?c\n  ?p job:employment ?m\n  ?m job:employer ?c\n  ?m job:year ?y where ?y < 2000"
    ),
    "posts, which the other vocabulary lacks": (
        "select distinct ?p ?post\n  ?p job:employment ?m\n  ?m job:post ?post"
    ),
}


def main() -> None:
    rules = uq.parse_schema(RULES)
    schema = rules.schemas[0]
    for title, body in QUERIES.items():
        query = uq.parse(f"{PREFIXES}ctable q {{\n  {body}\n}}")
        found = uq.reformulate(query, schema, "pg:", prefixes=rules.prefixes)
        print(f"# {title}: {found.reason}")
        if found.table is not None:
            print(uq.to_text(found.table))
            print(f"# checked again: {uq.compare(query, found.table, schema).relation.value}\n")


if __name__ == "__main__":
    main()
