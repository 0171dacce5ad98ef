"""`habitus keys`: a new id key in a running deployment, as an operator does it; and what the commands never print."""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from habitus_worker.fleet import environment
from habitus_worker.ledger import Ledger
from habitus_worker.settings import Settings, read_settings
from habitus_worker.stack import embedded_stack

WISH = "zero_external_deps=True, please, always."


@pytest.fixture(scope="module")
def own_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A stack of its own: its keys change."""
    settings = read_settings(home=tmp_path_factory.mktemp("rot"), redis_url="", database_url="", sweep_seconds=1)
    with embedded_stack(settings) as (running, _worker):
        yield running


@pytest.fixture(scope="module")
def run(own_stack: Settings) -> Callable[..., list[str]]:
    def habitus(*words: str, status: int = 0) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-m", "habitus_worker", *words],
            env=environment(own_stack), capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stderr
        secrets = json.loads((own_stack.home / "keys.json").read_text())
        for value in (*secrets["id"].values(), *secrets["seal"].values()):
            assert value not in done.stdout + done.stderr
        return (done.stdout + done.stderr).splitlines()

    return habitus


def submit(stack: Settings, run: Callable[..., list[str]], folder: Path, *names: str) -> None:
    path = folder / f"{'-'.join(names)}.jsonl"
    path.write_text("".join(json.dumps(session(name)) + "\n" for name in names))
    run("submit", str(path), "--user", "ada")
    ledger, deadline = Ledger(stack.redis, stack.payload_ttl), time.monotonic() + 45
    while ledger.counts().in_flight:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def session(name: str) -> dict[str, Any]:
    talk = [("user", f"What about {name}?"), ("assistant", f"It is about {name}. " * 20), ("user", WISH)]
    messages = [{"role": role, "content": content} for role, content in talk]
    return {
        "session_id": name,
        "task_context": f"task {name}",
        "ended_at": "2026-11-20T10:00:00Z",
        "messages": messages,
    }


def key_ids(stack: Settings) -> set[str]:
    with sqlite3.connect(stack.home / "habitus.db") as database:
        rows = database.execute("SELECT tenant, subject, session, context FROM observation").fetchall()
    return {str(value).partition("-")[0] for row in rows for value in row}


def test_a_running_deployment_goes_through_two_rotations(
    own_stack: Settings, run: Callable[..., list[str]], tmp_path: Path
) -> None:
    def contexts() -> list[int]:
        return [json.loads(line)["contexts"] for line in run("profile", "show", "--user", "ada", "--json")]

    submit(own_stack, run, tmp_path, "herbs", "bread")
    assert contexts() == [2]
    (added,) = run("keys", "rotate", "--add-only")
    assert added == "key k2 is in the key file"
    roles = [json.loads(line) for line in run("keys", "list", "--json")]
    assert [(row["kind"], row["key"]) for row in roles] == [("id", "k1"), ("id", "k2"), ("seal", "s1")]
    assert roles[1]["role"] == "wraps ids, rotation not finished"
    decisions = run("classify", "--user", "ada", "write a script that renames files", "--json")
    assert len(json.loads(decisions[0])["decisions"]) == 1, "the reader finds the rows under the old key"
    submit(own_stack, run, tmp_path, "herbs", "tiles")  # the worker takes up the key while it runs
    assert key_ids(own_stack) == {"k2"}
    assert contexts() == [3]
    assert run("keys", "rotate", "--resume")[-1].endswith("no id of an older key is left")
    added, done = run("keys", "rotate", "--record-file", str(tmp_path / "record.json"))
    assert (added, done[:8]) == ("key k3 is in the key file", "1 people")
    assert key_ids(own_stack) == {"k3"}
    assert sorted(json.loads((tmp_path / "record.json").read_text())["id"]) == ["k1", "k2", "k3"]
    submit(own_stack, run, tmp_path, "bread", "bikes")
    assert contexts() == [4]
    assert run("keys", "rotate", "--seal") == ["key s2 seals from now on; the older ones open"]
    submit(own_stack, run, tmp_path, "boats")
    assert contexts() == [5]
    assert "wraps ids" in " ".join(run("keys", "list"))
    assert run("status")[0].endswith("holds")


def test_without_a_key_file_the_commands_say_what_to_do(tmp_path: Path) -> None:
    for words in (["keys", "list"], ["keys", "rotate"], ["keys", "rotate", "--resume"], ["keys", "rotate", "--seal"]):
        done = subprocess.run(
            [sys.executable, "-m", "habitus_worker", "--home", str(tmp_path), *words], capture_output=True, text=True
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert "no key file" in done.stderr
