"""Pictures of tables as SVG: well-formed, complete, and never markup from a table."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from uniqgen_ir.driver import read
from uniqgen_ir.web.app import host_name
from uniqgen_ir.web.drawing import draw
from uniqgen_ir.web.playground import PAGE, content_policy

SVG = "{http://www.w3.org/2000/svg}"


def classes(text: str) -> list[str]:
    svg = ElementTree.fromstring(draw(read(text, "sparql").table))
    assert svg.tag == f"{SVG}svg"
    return [one.get("class", "") for one in svg.iter(f"{SVG}g")]


def test_every_thing_and_connection_is_drawn() -> None:
    drawn = classes(
        "SELECT ?a WHERE { ?a <urn:p> ?b . ?b <urn:q>* <urn:c> OPTIONAL { ?a <urn:r> 3 } FILTER(?b != <urn:d>) }"
    )
    assert sum(one.startswith("dot answer") for one in drawn) == 1
    assert sum(one.startswith("dot variable") for one in drawn) == 1
    assert sum(one.startswith("dot note") for one in drawn) == 1
    assert sum("dashed" in one for one in drawn) == 2, "the path, and the dotted line of the filter"
    assert sum(one.startswith("box") for one in drawn) == 1


def test_connections_between_the_same_two_things_lie_apart() -> None:
    svg = ElementTree.fromstring(
        draw(read("SELECT * { ?a <urn:p> ?b . ?a <urn:q> ?b . ?b <urn:r> ?a }", "sparql").table)
    )
    paths = [one.get("d") for one in svg.iter(f"{SVG}path") if one.get("class") != "tip"]
    assert len(set(paths)) == 3


@pytest.mark.parametrize("text", ["SELECT * {}", "ASK {}", 'SELECT ?a { ?a ?p "<script>&]]>\\u0000" }'])
def test_odd_tables_are_drawn(text: str) -> None:
    assert classes(text) is not None


@pytest.mark.parametrize(
    ("header", "name"),
    [("localhost:8808", "localhost"), ("[::1]:80", "[::1]"), ("LocalHost", "localhost"), ("", ""), ("[", "")],
)
def test_host_names(header: str, name: str) -> None:
    assert host_name(header) == name


def test_the_policy_knows_the_pages_own_script_and_styles_only() -> None:
    policy = content_policy(PAGE.read_text(encoding="utf-8"))
    assert policy.count("'sha256-") == 2
    assert "unsafe" not in policy
