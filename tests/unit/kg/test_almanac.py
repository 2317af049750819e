"""The bundled sample graph "almanac" is consistent with itself, with public facts and with its `.cts` file."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path

import pyoxigraph as ox
import pytest

import uniqgen_ir

FOLDER = Path(uniqgen_ir.__file__).parent / "kg" / "bundled"
OL = "http://almanac.example/olympics/"
PL = "http://almanac.example/place/"
MED = "http://almanac.example/medicine/"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
XSD = "http://www.w3.org/2001/XMLSchema#"
NAMES = {LABEL, ALIAS}

# fmt: off
SUMMER = [
    1896, 1900, 1904, 1908, 1912, 1920, 1924, 1928, 1932, 1936, 1948, 1952, 1956, 1960, 1964, 1968,
    1972, 1976, 1980, 1984, 1988, 1992, 1996, 2000, 2004, 2008, 2012, 2016, 2020, 2024,
]
WINTER = [
    1924, 1928, 1932, 1936, 1948, 1952, 1956, 1960, 1964, 1968, 1972, 1976, 1980, 1984, 1988, 1992,
    1994, 1998, 2002, 2006, 2010, 2014, 2018, 2022, 2026,
]
# fmt: on

Node = ox.NamedNode | ox.Literal


@cache
def triples() -> tuple[tuple[str, str, Node], ...]:
    found: list[tuple[str, str, Node]] = []
    for file in sorted(FOLDER.glob("*.ttl")):
        for quad in ox.parse(path=str(file)):
            assert isinstance(quad.subject, ox.NamedNode), f"{file.name}: no blank nodes, please"
            assert isinstance(quad.object, ox.NamedNode | ox.Literal)
            found.append((quad.subject.value, quad.predicate.value, quad.object))
    return tuple(found)


@cache
def objects() -> dict[str, dict[str, tuple[Node, ...]]]:
    """Predicate to subject to objects."""
    table: defaultdict[str, defaultdict[str, list[Node]]] = defaultdict(lambda: defaultdict(list))
    for subject, predicate, value in triples():
        table[predicate][subject].append(value)
    return {p: {s: tuple(values) for s, values in rows.items()} for p, rows in table.items()}


def values(subject: str, predicate: str) -> list[str]:
    return [node.value for node in objects()[predicate].get(subject, ())]


def one(subject: str, predicate: str) -> str:
    (value,) = values(subject, predicate)
    return value


def instances(of: str) -> list[str]:
    return [subject for subject, types in objects()[TYPE].items() if of in {node.value for node in types}]


def ancestors(place: str) -> list[str]:
    """What a place is contained in, from the nearest to the widest; fails on a cycle."""
    chain: list[str] = []
    while values(place, PL + "containedIn"):
        place = one(place, PL + "containedIn")
        assert place not in chain, f"containment is cyclic at {place}"
        chain.append(place)
    return chain


def games(season: str) -> list[str]:
    return [g for g in instances(OL + "OlympicGames") if one(g, OL + "season") == season]


def test_there_are_at_least_1500_triples_and_none_is_written_twice() -> None:
    assert len(triples()) >= 1500
    twice = [triple for triple, count in Counter(triples()).items() if count > 1]
    assert not twice


def test_every_entity_has_one_type_and_one_english_label() -> None:
    subjects = {subject for subject, _, _ in triples()}
    assert not [s for s in subjects if len(objects()[TYPE].get(s, ())) != 1]
    assert not [s for s in subjects if len(objects()[LABEL].get(s, ())) != 1]
    for labels in objects()[LABEL].values():
        (label,) = labels
        assert isinstance(label, ox.Literal)
        assert label.language is None
        assert label.datatype.value == XSD + "string"
        assert label.value.strip() == label.value != ""


def test_every_entity_that_is_pointed_at_is_described() -> None:
    subjects = {subject for subject, _, _ in triples()}
    loose = {o.value for _, p, o in triples() if p != TYPE and isinstance(o, ox.NamedNode) and o.value not in subjects}
    assert not loose


def test_names_are_readable_ascii() -> None:
    readable = re.compile(r"http://almanac\.example/(olympics|place|medicine)/[A-Za-z][A-Za-z0-9]*")
    iris = {subject for subject, _, _ in triples()} | {p for _, p, _ in triples() if p not in {TYPE, *NAMES}}
    assert not [iri for iri in iris if not readable.fullmatch(iri)]


def test_no_two_entities_of_a_class_share_a_label() -> None:
    counts = Counter((one(s, TYPE), one(s, LABEL).casefold()) for s in objects()[TYPE])
    assert not [pair for pair, count in counts.items() if count > 1]


def test_no_alias_repeats_the_label_of_its_entity() -> None:
    assert not [s for s in objects()[ALIAS] if one(s, LABEL) in values(s, ALIAS)]


def test_some_aliases_are_german_and_french() -> None:
    tags = Counter(a.language for row in objects()[ALIAS].values() for a in row if isinstance(a, ox.Literal))
    assert tags["de"] >= 10
    assert tags["fr"] >= 10
    assert set(tags) == {None, "de", "fr"}


def test_literals_have_a_valid_value() -> None:
    for _, predicate, value in triples():
        if not isinstance(value, ox.Literal):
            continue
        datatype = value.datatype.value
        if datatype == XSD + "date":
            date.fromisoformat(value.value)
        elif datatype == XSD + "integer":
            assert int(value.value) > 0
        elif datatype == XSD + "boolean":
            assert value.value in {"true", "false"}
        else:
            assert value.language or datatype == XSD + "string", f"{predicate}: {value}"


@pytest.mark.parametrize(("season", "years"), [("Summer", SUMMER), ("Winter", WINTER)])
def test_the_games_are_exactly_those_that_were_held(season: str, years: list[int]) -> None:
    assert sorted(int(one(g, OL + "year")) for g in games(season)) == years
    for g in games(season):
        assert g == f"{OL}{season}{one(g, OL + 'year')}"
        assert one(g, LABEL) == f"{one(g, OL + 'year')} {season} Olympics"


def test_every_games_has_a_season_a_year_and_a_host() -> None:
    for g in instances(OL + "OlympicGames"):
        assert one(g, OL + "season") in {"Summer", "Winter"}
        assert one(g, OL + "year")
        hosts = values(g, OL + "hostCity")
        assert hosts
        assert set(hosts) <= set(instances(PL + "City"))


def test_only_two_games_have_two_host_cities() -> None:
    several = {g for g in instances(OL + "OlympicGames") if len(values(g, OL + "hostCity")) > 1}
    assert several == {OL + "Summer1956", OL + "Winter2026"}


def test_games_open_before_they_close_and_in_their_year() -> None:
    for g in instances(OL + "OlympicGames"):
        opening = date.fromisoformat(one(g, OL + "openingDate"))
        closing = date.fromisoformat(one(g, OL + "closingDate"))
        assert opening < closing
        held = int(one(g, OL + "year"))
        if g == OL + "Summer2020":  # postponed by a year, under the old name
            held += 1
        assert opening.year == closing.year == held


@pytest.mark.parametrize(
    ("name", "opening", "closing"),
    [
        ("Winter1932", "1932-02-04", "1932-02-15"),
        ("Winter1960", "1960-02-18", "1960-02-28"),
        ("Winter1980", "1980-02-13", "1980-02-24"),
        ("Winter2002", "2002-02-08", "2002-02-24"),
        ("Summer1956", "1956-11-22", "1956-12-08"),
        ("Summer2020", "2021-07-23", "2021-08-08"),
    ],
)
def test_dates_of_some_games(name: str, opening: str, closing: str) -> None:
    assert one(OL + name, OL + "openingDate") == opening
    assert one(OL + name, OL + "closingDate") == closing


@pytest.mark.parametrize(("season", "years"), [("Summer", SUMMER), ("Winter", WINTER)])
def test_each_games_follows_the_one_before(season: str, years: list[int]) -> None:
    assert not values(f"{OL}{season}{years[0]}", OL + "follows")
    for before, after in pairwise(years):
        assert one(f"{OL}{season}{after}", OL + "follows") == f"{OL}{season}{before}"


def test_every_city_is_in_one_country_and_one_continent() -> None:
    for city in instances(PL + "City"):
        kinds = Counter(one(place, TYPE) for place in ancestors(city))
        assert kinds[PL + "Country"] == 1, city
        assert kinds[PL + "Continent"] == 1, city


def test_containment_has_no_cycle_and_grows() -> None:
    order = [PL + name for name in ("City", "Region", "Country", "Continent")]
    for place in objects()[PL + "containedIn"]:
        sizes = [order.index(one(p, TYPE)) for p in (place, *ancestors(place))]
        assert sizes == sorted(set(sizes)), place


def test_a_capital_lies_in_what_it_is_the_capital_of() -> None:
    for place in objects()[PL + "capital"]:
        assert place in ancestors(one(place, PL + "capital")), place


def test_cities_of_the_united_states_that_hosted_games_in_february() -> None:
    found = {
        one(host, LABEL)
        for g in instances(OL + "OlympicGames")
        if date.fromisoformat(one(g, OL + "openingDate")).month == 2
        for host in values(g, OL + "hostCity")
        if PL + "UnitedStates" in ancestors(host)
    }
    assert found == {"Lake Placid", "Squaw Valley", "Salt Lake City"}


def test_every_medicine_has_one_status_a_use_and_an_ingredient() -> None:
    medicines = instances(MED + "Medicine")
    assert len(medicines) >= 120
    for medicine in medicines:
        assert one(medicine, MED + "status") in {"approved", "withdrawn", "investigational", "discontinued"}
        assert set(values(medicine, MED + "treats")) & set(instances(MED + "Condition"))
        assert set(values(medicine, MED + "ingredient")) & set(instances(MED + "Substance"))


def test_years_of_medicines_fit_their_status() -> None:
    for medicine in instances(MED + "Medicine"):
        approved = [int(y) for y in values(medicine, MED + "approvedYear")]
        withdrawn = [int(y) for y in values(medicine, MED + "withdrawnYear")]
        status = one(medicine, MED + "status")
        assert len(approved) <= 1
        assert len(withdrawn) <= (status == "withdrawn"), medicine
        if status == "investigational":
            assert not approved, medicine
        if approved and withdrawn:
            assert withdrawn[0] >= approved[0], medicine


def test_many_conditions_have_several_medicines_and_many_a_mixed_status() -> None:
    by_condition: defaultdict[str, list[str]] = defaultdict(list)
    for medicine in instances(MED + "Medicine"):
        for condition in values(medicine, MED + "treats"):
            by_condition[condition].append(one(medicine, MED + "status"))
    assert set(by_condition) == set(instances(MED + "Condition"))
    assert len([s for s in by_condition.values() if len(s) > 1]) >= 50
    assert len([s for s in by_condition.values() if "approved" in s and set(s) != {"approved"}]) >= 20


def test_tetany_is_treated_by_approved_and_by_other_medicines() -> None:
    status = {
        one(m, LABEL): one(m, MED + "status")
        for m in instances(MED + "Medicine")
        if MED + "Tetany" in values(m, MED + "treats")
    }
    assert status == {
        "calcium gluconate": "approved",
        "calcium chloride": "approved",
        "calcium gluceptate": "discontinued",
        "dihydrotachysterol": "discontinued",
    }


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("Rofecoxib", "withdrawn"),
        ("Cerivastatin", "withdrawn"),
        ("Troglitazone", "withdrawn"),
        ("Terfenadine", "withdrawn"),
        ("Rimonabant", "withdrawn"),
        ("Phenacetin", "withdrawn"),
        ("Thalidomide", "approved"),
        ("Torcetrapib", "investigational"),
        ("Aducanumab", "discontinued"),
    ],
)
def test_status_of_some_medicines(name: str, status: str) -> None:
    assert one(MED + name, MED + "status") == status


@cache
def declarations() -> tuple[tuple[str, str], ...]:
    """(kind, IRI) of each declaration in the schema block of `almanac.cts`."""
    text = (FOLDER / "almanac.cts").read_text(encoding="utf-8")
    found = re.findall(r"^\s*(class|relation|property)\s+(\w+):(\w+)\s", text, flags=re.MULTILINE)
    return tuple((kind, prefixes()[prefix] + name) for kind, prefix, name in found)


@cache
def prefixes() -> dict[str, str]:
    text = (FOLDER / "almanac.cts").read_text(encoding="utf-8")
    return dict(re.findall(r"^prefix\s+(\w+):\s+<([^>]+)>", text, flags=re.MULTILINE))


@cache
def mappings() -> tuple[tuple[str, str], ...]:
    """(IRI, right-hand side) of each line of the mapping block."""
    text = (FOLDER / "almanac.cts").read_text(encoding="utf-8")
    block = text[text.index("\nmapping ") :]
    found = re.findall(r"^\s*(\w+):(\w+)\s*=>\s*(\S+)\s*$", block, flags=re.MULTILINE)
    return tuple((prefixes()[prefix] + name, right) for prefix, name, right in found)


def test_every_class_and_predicate_in_use_is_declared_once_and_mapped_once() -> None:
    declared = Counter(iri for _, iri in declarations())
    mapped = Counter(iri for iri, _ in mappings())
    classes = {node.value for row in objects()[TYPE].values() for node in row}
    predicates = set(objects()) - {TYPE} - NAMES
    assert set(declared.values()) == {1}
    assert set(mapped.values()) == {1}
    assert classes | predicates == set(declared) - {PL + "Place"}  # the superclass of the kinds of places
    assert set(mapped) == set(declared) | NAMES


def test_the_mapping_fits_the_kind_of_each_name() -> None:
    patterns = {"class": r":[A-Z]\w*", "relation": r"-\[:[A-Z][A-Z_]*\]->", "property": r"\.[a-z]\w*(\[\])?"}
    right = dict(mappings())
    for kind, iri in declarations():
        assert re.fullmatch(patterns[kind], right[iri]), f"{iri} => {right[iri]}"
    assert len(set(right.values())) == len(right)


def test_the_data_fits_domains_ranges_and_functional_names() -> None:
    text = (FOLDER / "almanac.cts").read_text(encoding="utf-8")
    line = r"^\s*(?:relation|property)\s+(\S+)\s+\"[^\"]+\"\s*:\s*(\S+)\s*->\s*(\S+?)( functional)?\s*$"
    parents = dict(re.findall(r"^\s*class\s+(\S+)\s+\"[^\"]+\"\s*<\s*(\S+)", text, flags=re.MULTILINE))

    def full(name: str) -> str:
        prefix, local = name.split(":")
        return prefixes()[prefix] + local

    above = {full(child): full(parent) for child, parent in parents.items()}
    lines = re.findall(line, text, flags=re.MULTILINE)
    assert len(lines) == len([kind for kind, _ in declarations() if kind != "class"])
    for predicate, domain, target, functional in lines:
        for subject, row in objects()[full(predicate)].items():
            kind = one(subject, TYPE)
            assert full(domain) in {kind, above.get(kind)}, f"{subject} {predicate}"
            if functional:
                assert len(row) == 1, f"{subject} {predicate}"
            for value in row:
                if isinstance(value, ox.Literal):
                    assert value.datatype.value == full(target), f"{subject} {predicate}"
                else:
                    kind = one(value.value, TYPE)
                    assert full(target) in {kind, above.get(kind)}, f"{subject} {predicate}"


def test_a_word_of_the_lexicon_stands_for_one_name() -> None:
    text = (FOLDER / "almanac.cts").read_text(encoding="utf-8")
    words: list[str] = []
    for line in re.findall(r"^\s*synonym (.+) = \w+:\w+$", text, flags=re.MULTILINE):
        words += re.findall(r'"([^"]+)"', line)
    assert len(words) >= 200
    assert not [word for word, count in Counter(words).items() if count > 1]
