"""A graph whose nodes all look alike, so that prompts differ only by what they show of the past."""

from __future__ import annotations

from uniqgen_ir.agents.matching import RelationMatcher
from uniqgen_ir.agents.traverse.outlook import WalkOptions
from uniqgen_ir.agents.traverse.scripted import GoldWay, ScriptedController, Step
from uniqgen_ir.agents.traverse.walk import Walk, Walker
from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.terms import IRI
from uniqgen_ir.kg.linking.index import GraphIndex, build_index
from uniqgen_ir.kg.linking.linker import link
from uniqgen_ir.kg.linking.mentions import LinkedQuestion

BASE = "http://ways.example/"
LENGTH = 9
QUESTION = "Where does the road from Stop100 end?"
ROADS = ("road", "rail", "river")


def iri(name: str) -> IRI:
    return IRI(BASE + name)


def stop(number: int) -> IRI:
    """Stops have names of one length."""
    return iri(f"Stop{100 + number}")


def ring() -> Graph:
    """Stops in a ring, each joined to the next three by a relation of its own; every stop has the same edges."""
    found = Graph()
    for number in range(LENGTH):
        for step, name in enumerate(ROADS, 1):
            found.add((stop(number), iri(name), stop((number + step) % LENGTH)))
    return found


def index_of(graph: Graph) -> GraphIndex:
    return build_index(graph)


def gold_road(index: GraphIndex, hops: int) -> dict[str, GoldWay]:
    """The way along `road`, so many times."""
    start = index.number(stop(0))
    assert start is not None
    steps: tuple[Step, ...] = ((iri("road"), False),) * hops
    return {QUESTION: GoldWay({start: steps})}


def linked(index: GraphIndex) -> LinkedQuestion:
    return link(QUESTION, index)


def walked(index: GraphIndex, history: int | None, *, noise: float = 0.0, depth: int = 6, width: int = 1) -> Walk:
    """A walk guided by the script that knows its way."""
    options = WalkOptions(history=history, depth=depth, width=width)
    controller = ScriptedController(index, gold_road(index, depth), noise)
    return Walker(index, RelationMatcher(index), options).walk(linked(index), controller)
