"""What `deploy/` says, as far as it can be tried without containers: its files, its ports, its script."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.servers.virtuoso import Virtuoso
from uniqgen_ir.backends.registry import open_endpoint
from uniqgen_ir.driver import read
from uniqgen_ir.kg.load import iter_facts

DEPLOY = Path(__file__).parents[2] / "deploy"
SERVERS = {"neo4j", "oxigraph", "virtuoso", "arcadedb"}
PARTS = {
    "image", "environment", "ports", "volumes", "healthcheck", "depends_on", "entrypoint", "command",
}  # fmt: skip
"""What a service of ours is made of."""


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return content


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the folder in which `export.sh` was run."""
    folder = tmp_path_factory.mktemp("deploy")
    for file in DEPLOY.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    script = folder / "export.sh"
    beside = str(Path(sys.executable).parent)
    done = subprocess.run(
        [script], capture_output=True, text=True, env={"PATH": f"{beside}:/usr/bin:/bin"}, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return folder


def paths(service: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Folders and files of this one that a service sees, and where."""
    for volume in service.get("volumes", []):
        source, target, *_ = volume.split(":")
        if source.startswith("."):
            yield source, target


def test_four_servers_and_what_loads_them(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert set(services) >= SERVERS
    assert {one for one in services if one not in SERVERS} == {f"{one}-load" for one in SERVERS - {"virtuoso"}}
    for name, service in services.items():
        assert set(service) <= PARTS, name
        image, _, tag = service["image"].partition(":")
        assert image, name
        assert re.match(r"\d", tag), f"{name}: an image without a version is another one tomorrow"
        for other, condition in service.get("depends_on", {}).items():
            assert other in services
            needs = {"service_healthy": "healthcheck" in services[other]}
            assert needs.get(condition["condition"], True), f"{name} waits for the health of {other}, which says none"


def test_ports_are_open_on_this_machine_only(compose: dict[str, Any]) -> None:
    ports = {name: port for name, one in compose["services"].items() for port in one.get("ports", [])}
    assert set(ports) == SERVERS
    assert all(re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port) for port in ports.values())
    assert len({port.split(":")[1] for port in ports.values()}) == len(SERVERS)


def test_the_addresses_of_the_page_are_those_of_the_servers(compose: dict[str, Any]) -> None:
    page = (DEPLOY / "README.md").read_text(encoding="utf-8")
    told = {int(one) for one in re.findall(r"localhost:(\d+)", page)}
    assert told == {int(one["ports"][0].split(":")[1]) for one in compose["services"].values() if "ports" in one}


def test_named_volumes_are_declared(compose: dict[str, Any]) -> None:
    used = {
        one.split(":")[0]
        for service in compose["services"].values()
        for one in service.get("volumes", [])
        if not one.startswith(".")
    }
    assert used == set(compose["volumes"])


def test_the_script_writes_what_the_servers_are_given(compose: dict[str, Any], exported: Path) -> None:
    for service in compose["services"].values():
        for source, target in paths(service):
            assert (exported / source).exists(), source
            text = " ".join([*service.get("command", []), *service.get("entrypoint", [])])
            for name in re.findall(rf"{re.escape(target)}/(\S+)", text):
                assert (exported / source / name).stat().st_size > 0
    assert set(iter_facts([str(exported / "graph" / "nt" / "graph.nt")])) == set(iter_facts(["almanac"]))


def test_the_script_takes_other_graphs_and_can_run_again(exported: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.nt").write_text("<urn:a> <urn:p> <urn:b> .\n")
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    script = shutil.copytree(exported, tmp_path / "again") / "export.sh"
    done = subprocess.run([script, tmp_path / "mine.nt"], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "again" / "graph" / "nt" / "graph.nt").read_text() == "<urn:a> <urn:p> <urn:b> .\n"


@pytest.mark.xdist_group("virtuoso")
def test_virtuoso_runs_the_script_that_it_is_given(exported: Path, virtuoso_server: Virtuoso) -> None:
    shutil.copy(exported / "graph" / "nt" / "graph.nt", virtuoso_server.folder / "deployed.nt")
    script = (exported / "virtuoso.sql").read_text().replace("/graph/graph.nt", f"{virtuoso_server.folder}/deployed.nt")
    statements = [one.strip() for one in script.split(";") if one.strip()]
    virtuoso_server.execute("log_enable(3, 1)", *statements)
    with open_endpoint(virtuoso_server.endpoint("urn:graph")) as store:
        rows = store.select(read("SELECT ?s ?p ?o { ?s ?p ?o }", "sparql").table).rows
    assert len(rows) == len(set(iter_facts(["almanac"])))
