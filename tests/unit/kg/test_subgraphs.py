"""Files of questions with their subgraphs, read as graphs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.terms import IRI, Literal
from uniqgen_ir.ir.vocabulary import RDFS_LABEL
from uniqgen_ir.kg.load import load_graph, source_files
from uniqgen_ir.kg.subgraphs import read_subgraphs

LABEL = IRI(RDFS_LABEL)
RECORDS = [
    {"id": "q1", "question": "?", "graph": [["Côte d'Ivoire", "location.capital", "Yamoussoukro"]]},
    {"id": 2, "question": "?", "graph": [["http://x.example/a", "urn:p:knows", "m.0f2v0"], ["m.0f2v0", "is", "urn:"]]},
    {"id": 3, "question": "?", "graph": []},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "near.jsonl"
    path.write_text("".join(json.dumps(one) + "\n\n" for one in RECORDS), encoding="utf-8")
    return path


def test_names_become_entities_as_in_tsv_and_iris_stay(file: Path) -> None:
    facts = set(load_graph([str(file)]).graph)
    capital = IRI("urn:e:C%C3%B4te%20d%27Ivoire"), IRI("urn:r:location.capital"), IRI("urn:e:Yamoussoukro")
    assert capital in facts
    assert (capital[0], LABEL, Literal("Côte d'Ivoire")) in facts
    assert (IRI("http://x.example/a"), IRI("urn:p:knows"), IRI("urn:e:m.0f2v0")) in facts
    assert not [fact for fact in facts if fact[0] == IRI("http://x.example/a") and fact[1] == LABEL]
    assert IRI("urn:e:urn%3A") in {fact[2] for fact in facts}  # it only begins like an IRI


def test_each_question_has_a_graph_of_its_own(file: Path) -> None:
    graphs = read_subgraphs(str(file))
    assert {name: len(list(graph)) for name, graph in graphs.items()} == {"q1": 3, "2": 4, "3": 0}


def test_a_packed_file_and_a_folder_beside_it(file: Path) -> None:
    packed = file.with_name("near.jsonl.gz")
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert set(load_graph([str(packed)]).graph) == set(load_graph([str(file)]).graph)
    (file.parent / "g.tsv").write_text("a\tb\tc\n", encoding="utf-8")
    assert [one.path.name for one in source_files([str(file.parent)])] == ["g.tsv"]


@pytest.mark.parametrize(
    "line", ["[]", "{}", '{"id": 1}', '{"id": 1, "graph": [["a", "b", null]]}', "\udcff", "[" * 100_000]
)
def test_a_broken_line_is_named_with_its_place(file: Path, line: str) -> None:
    with file.open("ab") as stream:
        stream.write(line.encode("utf-8", "surrogateescape"))
    with pytest.raises(DiagnosticError) as caught:
        read_subgraphs(str(file))
    (found,) = caught.value.diagnostics
    assert found.code == "UQ674"
    assert found.span is not None
    assert found.span.line == 7
