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


def test_nothing_lies_on_what_it_is_not_about() -> None:
    long = "<http://example.org/a/very/long/name/of/a/property>"
    text = f"SELECT ?s ?name ?o {{ ?s a <urn:x> ; <urn:label> ?name ; {long} ?o . ?name {long} ?o . ?x ?p ?x }}"
    svg = ElementTree.fromstring(draw(read(text, "sparql").table))
    width = float(svg.get("width", "0"))
    groups = list(svg.iter(f"{SVG}g"))
    boxes = [
        [float(rect.get(name, "0")) for name in ("x", "y", "width", "height")]
        for one in groups
        if one.get("class", "").startswith("dot")
        for rect in one.iter(f"{SVG}rect")
    ]
    for one in groups:
        label = one.find(f"{SVG}text")
        if not one.get("class", "").startswith("line") or label is None or label.text is None:
            continue
        size = len(label.text) * 6.7  # at 11 pixels of a monospaced face
        left = float(label.get("x", "0")) - (0.0 if "within" in one.get("class", "") else size / 2)
        top = float(label.get("y", "0")) - 10.0
        assert left >= 0.0
        assert left + size <= width
        assert not [
            (x, y, wide, high)
            for x, y, wide, high in boxes
            if x < left + size and left < x + wide and y < top + 10.0 and top < y + high
        ], label.text


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
