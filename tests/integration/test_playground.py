"""The playground in a real browser: by mouse and keyboard, read aloud, on a phone, in the dark."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from typing import Any

import pytest

from tests.servers.uniqgen import Served, serving

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: `make servers` brings it where it can")
PATIENCE = 120_000
"""Milliseconds for what takes a second on a machine that does nothing else."""
SLIP = "SELECT ?s ?name\nWHERE { ?s a <urn:😀> ; rdfs:label ?name }"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    with serving(tmp_path_factory.mktemp("playground"), "--graph", "almanac", "--seconds", "100") as one:
        yield one


@pytest.fixture(scope="module")
def browser() -> Generator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        one = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE)
        yield one
        one.close()


@pytest.fixture
def page(browser: Any, service: Served) -> Generator[Any]:
    """The playground, open; whatever its console or its policy complains about fails the test."""
    one = browser.new_page()
    one.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    one.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    one.on("pageerror", lambda found: complaints.append(str(found)))
    foreign: list[str] = []
    one.on("request", lambda sent: None if sent.url.startswith((service.url, "data:")) else foreign.append(sent.url))
    one.goto(service.url)
    yield one
    one.close()
    assert [text for text in complaints if "status of 4" not in text] == []
    assert foreign == []


def test_a_question_becomes_a_table_two_queries_a_picture_and_answers(page: Any) -> None:
    page.fill("#question", "Which drugs treat tetany?")
    page.keyboard.press("Enter")
    page.wait_for_selector("#said.good")
    assert set(page.inner_text("#said").split(" · ")) == {"calcium chloride", "calcium gluconate"}
    page.wait_for_selector("#picture svg .answer")
    assert page.input_value("#query").startswith("prefix med:")
    assert "SELECT DISTINCT ?medicine" in page.inner_text("#sparql")
    assert "MATCH" in page.inner_text("#cypher")
    page.focus("#query")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#answers table")
    assert page.locator("#answers tbody tr").count() == 2


def test_a_slip_is_shown_where_it_is_and_mended_by_keyboard(page: Any) -> None:
    page.select_option("#language", "sparql")
    page.fill("#query", SLIP)
    page.wait_for_selector("#diagnostics li.warning")
    page.locator("#diagnostics li button").first.press("Enter")
    selected = page.evaluate(
        "() => { const q = document.getElementById('query'); return q.value.slice(q.selectionStart, q.selectionEnd) }"
    )
    assert selected.startswith("rdfs:")
    page.locator("#diagnostics li button", has_text="apply").first.press("Enter")
    page.wait_for_selector("#diagnostics.good")
    assert page.input_value("#query").startswith("PREFIX rdfs: ")


def test_what_is_typed_is_text_and_never_markup(page: Any) -> None:
    page.select_option("#language", "sparql")
    evil = 'SELECT ?s WHERE { ?s ?p "<img src=x onerror=document.title=1><script>document.title=2</script>" }'
    page.fill("#query", evil)
    page.wait_for_selector("#picture svg")
    page.click("#run")
    page.wait_for_selector("#answers table")
    assert page.title() == "uniqgen playground"
    assert page.locator("#picture img, #picture script, #answers script").count() == 0


def test_every_control_is_reached_with_the_tab_key(page: Any) -> None:
    page.evaluate("() => document.body.focus()")
    reached = []
    for _ in range(14):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("() => document.activeElement.id"))
    assert [one for one in reached if one][:5] == ["question", "ask", "language", "run", "query"]


def test_what_a_reader_aloud_is_told(page: Any) -> None:
    from playwright.sync_api import expect

    for role, name in (
        *(("textbox", "Question"), ("combobox", "Language"), ("textbox", "table or query")),
        *(("button", "Ask"), ("button", "Run"), ("button", "copy SPARQL"), ("button", "copy Cypher")),
        *(("region", "SPARQL"), ("region", "Cypher"), ("region", "picture of the table"), ("region", "answers")),
        *(("heading", "Diagnostics"), ("heading", "SPARQL"), ("heading", "Answers")),
    ):
        expect(page.get_by_role(role, name=name, exact=True)).to_have_count(1)
    assert page.get_by_role("button", name="copy Cypher").is_disabled()
    unnamed = "() => [...document.querySelectorAll('button, input, select, textarea')].filter(one => !(one.innerText "
    assert page.evaluate(unnamed + "|| one.ariaLabel || one.labels.length)).length") == 0


CONTRAST = """() => {
  const style = getComputedStyle(document.documentElement);
  const light = name => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = style.getPropertyValue(name); canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(one => one / 255)
      .map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const pairs = ["--ink", "--soft", "--error", "--warning", "--good"].map(name => [name, "--card"]);
  return Object.fromEntries([...pairs, ["--ink", "--back"], ["--soft", "--back"], ["--on", "--accent"]]
    .map(([one, other]) => [`${one} on ${other}`, ratio(one, other)]));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone_and_its_text_can_be_read(page: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 700})
    page.select_option("#language", "sparql")
    page.fill("#query", f"SELECT ?s ?p ?o WHERE {{ ?s ?p ?o . FILTER(STR(?p) != 'urn:{'long' * 60}') }}")
    page.click("#run")
    page.wait_for_selector("#answers tbody tr:nth-child(500)")
    assert page.inner_text("#count") == "500 answers, and there are more"
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    # the least of WCAG 2.2, 1.4.3
    assert {name: ratio for name, ratio in page.evaluate(CONTRAST).items() if ratio < 4.5} == {}


def test_answers_of_an_earlier_text_are_marked_and_what_cannot_be_said_is_told(page: Any) -> None:
    page.select_option("#language", "sparql")
    page.fill("#query", "SELECT ?s ?p WHERE { ?s ?p 'approved' }")
    page.wait_for_selector("#diagnostics li.error")
    assert "cannot be said" in page.inner_text("#cypher")
    page.click("#run")
    page.wait_for_selector("#answers table")
    assert page.locator("#answers.stale").count() == 0
    page.fill("#query", "SELECT ?s WHERE { ?s ?p 1 ")
    page.wait_for_selector("#answers.stale")
    page.click("#run")
    page.wait_for_selector("#count.bad")
    assert page.locator("#answers.stale").count() == 0
    assert page.locator("#answers li.error").count() >= 1
