"""A small graph of films for the tests of linking and of the agent."""

from __future__ import annotations

from uniqgen_ir.ir.graph import Graph
from uniqgen_ir.ir.rows import Origin, Row, RowNote, Triple, TypeAtom
from uniqgen_ir.ir.schema import ImpliedRule, Lexicon, Synonym
from uniqgen_ir.ir.terms import IRI, Literal, Variable
from uniqgen_ir.ir.vocabulary import RDF_TYPE, RDFS_LABEL, SKOS_ALT_LABEL, XSD_BOOLEAN, XSD_DATE, XSD_INTEGER

BASE = "http://films.example/"
FILM, PERSON, TOWN, LAND = (IRI(BASE + name) for name in ("Film", "Person", "Town", "Land"))


def iri(name: str) -> IRI:
    return IRI(BASE + name)


_FILMS = {
    # name: director, actors, released, minutes, restored, colour
    "Quiet River": ("Ada Stone", ("Bo Lind", "Cleo Marsh"), "1951-02-03", 90, True, "colour"),
    "Loud River": ("Ada Stone", ("Bo Lind",), "1952-02-10", 120, True, "colour"),
    "Third Door": ("Cleo Marsh", ("Bo Lind", "Dan Ooms"), "1961-02-20", 100, True, "colour"),
    "Fourth Door": ("Dan Ooms", ("Cleo Marsh",), "1965-02-25", 110, True, "colour"),
    "Fifth Door": ("Dan Ooms", ("Eve Park",), "1967-02-26", 80, True, "colour"),
    "Old Night": ("Eve Park", ("Dan Ooms",), "1949-07-01", 60, False, "grey"),
    "New Night": ("Eve Park", ("Eve Park",), "1948-08-01", 61, False, "grey"),
}
_BORN = {"Ada Stone": "Haven", "Bo Lind": "Port", "Cleo Marsh": "Haven", "Dan Ooms": "Port", "Eve Park": "Haven"}
_INSIDE = {"Haven": "Coast", "Port": "Coast", "Coast": "Norland"}


def graph() -> Graph:
    """Seven films, five people, two towns in a region in a land."""
    found = Graph()

    def say(subject: str, predicate: str, value: str | Literal) -> None:
        found.add((iri(subject), iri(predicate), iri(value) if isinstance(value, str) else value))

    def named(name: str, class_: IRI, *aliases: str) -> str:
        key = name.replace(" ", "")
        found.add((iri(key), IRI(RDF_TYPE), class_))
        found.add((iri(key), IRI(RDFS_LABEL), Literal(name)))
        for alias in aliases:
            found.add((iri(key), IRI(SKOS_ALT_LABEL), Literal(alias)))
        return key

    for person, town in _BORN.items():
        say(named(person, PERSON), "placeOfBirth", named(town, TOWN))
    for inner, outer in _INSIDE.items():
        say(inner.replace(" ", ""), "containedIn", outer)
    named("Norland", LAND, "The North")
    named("Coast", iri("Region"))
    for film, (director, actors, released, minutes, restored, colour) in _FILMS.items():
        key = named(film, FILM)
        say(key, "directedBy", director.replace(" ", ""))
        for actor in actors:
            say(key, "starredActor", actor.replace(" ", ""))
        say(key, "releaseDate", Literal(released, XSD_DATE))
        say(key, "minutes", Literal(str(minutes), XSD_INTEGER))
        say(key, "restored", Literal("true" if restored else "false", XSD_BOOLEAN))
        say(key, "colour", Literal(colour))
    return found


def lexicon(prior: float = 0.3) -> Lexicon:
    """Words for films, and the habit of meaning restored ones."""
    film = Variable("f")
    note = RowNote(Origin.PRAGMATIC, uncertainty=prior, reason="people mean films that can be seen")
    habit = ImpliedRule(
        "restored_only",
        (Row("c1", TypeAtom(film, FILM)),),
        (Row("c2", Triple(film, iri("restored"), Literal("true", XSD_BOOLEAN))),),
        note,
    )
    words = (Synonym(("movie", "picture"), FILM), Synonym(("country",), LAND), Synonym(("city",), TOWN))
    return Lexicon("films", synonyms=words, implied=(habit,))
