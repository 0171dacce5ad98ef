"""A fleet that extracts by an LLM: what it finds is recorded, and an endpoint that echoes leaves nothing anywhere."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest
from canaries import Canaries, sessions
from llm_endpoint import Endpoint, echoes, finding, finds, llm_endpoint

from habitus_worker.audit import audit
from habitus_worker.fleet import environment
from habitus_worker.ledger import Ledger
from habitus_worker.settings import Settings, read_settings
from habitus_worker.stack import embedded_stack

KEY = "sk-quuxzanzibar0123456789"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with llm_endpoint() as running:
        yield running


@pytest.fixture  # one a test: after failures the endpoint is not asked for a while
def fleet(tmp_path_factory: pytest.TempPathFactory, endpoint: Endpoint) -> Iterator[Settings]:
    settings = read_settings(
        home=tmp_path_factory.mktemp("home"), redis_url="", database_url="", extractor="llm", llm_model="m",
        llm_endpoint=f"{endpoint.url}/v1", llm_key=KEY, llm_attempts=1, llm_requests_per_minute=6000,
    )  # fmt: skip
    with embedded_stack(settings) as (running, _worker):
        yield running


def run(settings: Settings, *words: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "habitus_worker", *words],
        env=environment(settings), capture_output=True, text=True, timeout=60, check=False, cwd=cwd,
    )  # fmt: skip


def drained(settings: Settings) -> None:
    ledger = Ledger(settings.redis, settings.payload_ttl)
    deadline = time.monotonic() + 45
    while ledger.counts().in_flight:
        assert time.monotonic() < deadline, ledger.counts()
        time.sleep(0.05)


def envelope(name: str, words: str) -> str:
    return json.dumps({"session_id": name, "task_context": name, "messages": [{"role": "user", "content": words}]})


def test_what_the_llm_finds_in_two_tasks_is_promoted(fleet: Settings, endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.then(finds(finding("quote_style=single")))
    for name in ("one", "two"):
        (tmp_path / f"{name}.json").write_text(envelope(name, f"a matter of taste, number {name}"))
    assert run(fleet, "submit", "one.json", "two.json", "--user", "ada", cwd=tmp_path).returncode == 0
    drained(fleet)
    rows = json.loads(run(fleet, "profile", "show", "--user", "ada", "--json").stdout.splitlines()[0])
    assert (rows["dimension"], rows["value"], rows["contexts"]) == ("quote_style", "single", 2)
    assert endpoint.requests[-1].headers["authorization"] == f"Bearer {KEY}"


def test_an_endpoint_that_echoes_what_it_got_leaves_no_byte_of_it(
    fleet: Settings, endpoint: Endpoint, tmp_path: Path
) -> None:
    canaries = Canaries()
    names = []
    for name, content, _format in islice(sessions(canaries), 5):
        (tmp_path / name).write_bytes(content)
        names.append(name)
    printed: list[tuple[str, bytes]] = []
    statuses = cycle((500, 400, 200, 429))
    endpoint.then(lambda handler, request: echoes(next(statuses))(handler, request))
    for words in (["extract", *names, "--json"], ["submit", *names, "--user", "bob"]):
        done = run(fleet, *words, cwd=tmp_path)
        drained(fleet)
        printed.append((words[0], (done.stdout + done.stderr).encode()))
    assert any("the LLM did not help" in output.decode() for name, output in printed if name == "extract")
    found = audit([*canaries.planted, KEY], [fleet.home], fleet.redis, printed)
    assert found.places == ()
    assert "llm_fallback" in (fleet.home / "worker.log").read_text()
