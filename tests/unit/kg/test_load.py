"""Reading graph files: every format, and every way in which a file can be wrong."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from uniqgen_ir.ir.diagnostics import DiagnosticError
from uniqgen_ir.ir.graph import Fact
from uniqgen_ir.ir.terms import IRI, BlankNode, Literal
from uniqgen_ir.ir.vocabulary import RDF_LANG_STRING, RDFS_LABEL, XSD_INTEGER
from uniqgen_ir.kg.load import GraphFiles, iter_facts, load_graph

A, B, P = IRI("urn:a"), IRI("urn:b"), IRI("urn:p")
LABEL = IRI(RDFS_LABEL)


def write(folder: Path, name: str, content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return str(path)


def facts(*sources: str) -> list[Fact]:
    return list(load_graph(sources).graph)


@pytest.mark.parametrize("name", ["g.nt", "g.nt.gz", "G.NT", "g.ttl", "g.ttl.gz"])
def test_rdf_files_keep_every_term_as_written(tmp_path: Path, name: str) -> None:
    text = '<urn:a> <urn:p> <urn:b> .\n<urn:a> <urn:p> "01"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
    path = write(tmp_path, name, text + '<urn:b> <urn:p> "Haus"@DE .\n')
    assert facts(path) == [
        (A, P, B),
        (A, P, Literal("01", XSD_INTEGER)),
        (B, P, Literal("Haus", RDF_LANG_STRING, "de")),
    ]


@pytest.mark.parametrize("name", ["g.tsv", "g.tsv.gz"])
def test_names_of_a_tsv_become_iris_and_labels(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name, "Ann Lee\thas friend\tB/é\r\n\nB/é\thas friend\tAnn Lee\n")
    ann, other = IRI("urn:e:Ann%20Lee"), IRI("urn:e:B%2F%C3%A9")
    relation = IRI("urn:r:has%20friend")
    loaded = load_graph([path])
    assert set(loaded.graph) == {
        (ann, LABEL, Literal("Ann Lee")),
        (other, LABEL, Literal("B/é")),
        (ann, relation, other),
        (other, relation, ann),
    }
    assert loaded.label_predicates == (LABEL,)


def test_a_folder_holds_its_graph_files_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, "one.nt", "<urn:a> <urn:p> <urn:b> .\n")
    write(tmp_path, "two.ttl.gz", "<urn:b> <urn:p> <urn:a> .\n")
    write(tmp_path, "notes.txt", "no graph")
    assert facts(str(tmp_path)) == [(A, P, B), (B, P, A)]


def test_blank_nodes_of_two_files_stay_apart_and_are_named_alike_every_time(tmp_path: Path) -> None:
    first = write(tmp_path, "one.ttl", "[] <urn:p> [ <urn:p> <urn:a> ] .")
    second = write(tmp_path, "two.nt", "_:b0 <urn:p> <urn:a> .\n")
    found = facts(first, second)
    nodes = {one for fact in found for one in fact if isinstance(one, BlankNode)}
    assert len(nodes) == 3
    assert found == facts(first, second)
    assert list(iter_facts([first, second])) == found


def test_a_bundled_graph_has_a_name() -> None:
    loaded = load_graph(["almanac"])
    assert len(loaded.graph) >= 1500
    assert LABEL in loaded.label_predicates


def test_the_hash_follows_the_content(tmp_path: Path) -> None:
    one = write(tmp_path, "one.nt", "<urn:a> <urn:p> <urn:b> .\n")
    (tmp_path / "sub").mkdir()
    same = write(tmp_path / "sub", "other.nt", "<urn:a> <urn:p> <urn:b> .\n")
    different = write(tmp_path, "two.nt", "<urn:a> <urn:p> <urn:a> .\n")
    assert load_graph([one]).content_hash == load_graph([same]).content_hash == GraphFiles.of([one]).content_hash
    assert load_graph([one]).content_hash != load_graph([different]).content_hash


BROKEN = {
    "empty.nt": ("", "UQ622"),
    "comment.ttl": ("# nothing\n", "UQ622"),
    "empty.tsv": ("\n\n", "UQ622"),
    "words.docx": ("x", "UQ621"),
    "plain": ("x", "UQ621"),
    "bad.nt": ("<urn:a> <urn:p> <urn:b> .\n<urn:a> <urn:p> <urn:b c> .\n", "UQ625"),
    "bad.ttl": ("<urn:a> <urn:p> ", "UQ625"),
    "latin.tsv": (b"a\tb\tc\n\xff\tb\tc\n", "UQ625"),
    "latin.nt": (b'<urn:a> <urn:p> "\xff" .\n', "UQ625"),
    "two.tsv": ("a\tb\tc\na\tb\n", "UQ626"),
    "gap.tsv": ("a\t\tc\n", "UQ626"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_has_a_diagnostic(tmp_path: Path, name: str) -> None:
    content, code = BROKEN[name]
    with pytest.raises(DiagnosticError) as caught:
        load_graph([write(tmp_path, name, content)])
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code
    assert name in diagnostic.message


@pytest.mark.parametrize(("name", "line"), [("bad.nt", 2), ("latin.tsv", 2), ("two.tsv", 2), ("gap.tsv", 1)])
def test_a_diagnostic_names_the_line(tmp_path: Path, name: str, line: int) -> None:
    with pytest.raises(DiagnosticError) as caught:
        load_graph([write(tmp_path, name, BROKEN[name][0])])
    span = caught.value.diagnostics[0].span
    assert span is not None
    assert (span.line, span.source) == (line, str(tmp_path / name))


@pytest.mark.parametrize("damage", ["cut", "garbled", "plain"])
@pytest.mark.parametrize("name", ["g.nt.gz", "g.ttl.gz", "g.tsv.gz"])
def test_a_broken_gzip_file_has_a_diagnostic(tmp_path: Path, name: str, damage: str) -> None:
    line = "a{0}\tb\tc\n" if "tsv" in name else "<urn:a{0}> <urn:p> <urn:b> .\n"
    whole = gzip.compress("".join(line.format(n * n * 7919) for n in range(20_000)).encode())
    middle = len(whole) // 2
    garbled = whole[:middle] + bytes(255 - byte for byte in whole[middle : middle + 400]) + whole[middle + 400 :]
    path = tmp_path / name
    path.write_bytes({"cut": whole[:middle], "garbled": garbled, "plain": b"<urn:a> <urn:p> <urn:b> .\n"}[damage])
    with pytest.raises(DiagnosticError) as caught:
        load_graph([str(path)])
    # bytes that unpack to nonsense may fail as text before the checksum is reached
    assert caught.value.diagnostics[0].code in ({"UQ624"} if damage != "garbled" else {"UQ624", "UQ625", "UQ626"})


def test_what_is_not_there_has_a_diagnostic(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticError, match="UQ620"):
        load_graph([str(tmp_path / "grpah.nt")])
    with pytest.raises(DiagnosticError, match="UQ623"):
        load_graph([str(tmp_path)])


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and cannot be read")
def test_a_file_that_cannot_be_read_has_a_diagnostic(tmp_path: Path) -> None:
    (tmp_path / "memory.nt").symlink_to("/proc/self/mem")
    with pytest.raises(DiagnosticError, match="UQ627"):
        list(iter_facts([str(tmp_path / "memory.nt")]))
