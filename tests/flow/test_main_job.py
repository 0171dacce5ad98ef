"""The main job, end to end: real Redis, a real worker process, a real database, the program as a person types it."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from habitus_schema.ids import Kind
from habitus_worker.keys import load_keys
from habitus_worker.settings import Settings

Run = Callable[..., "subprocess.CompletedProcess[str]"]
WISH = "zero_external_deps=True, please, always."
"""A literal spelling: what is tested here is the flow, whatever the extractor's model makes of prose."""
LONG = "There is a lot to say about this, and I will say all of it, slowly and in order. " * 12


def _session(name: str, context: str, *messages: str, user: str = "ada") -> dict[str, Any]:
    turns = [
        turn
        for message in messages
        for turn in ({"role": "user", "content": message}, {"role": "assistant", "content": f"{context}: {LONG}"})
    ]
    return {
        "session_id": name,
        "user_id": user,
        "task_context": context,
        "ended_at": "2026-11-20T10:00:00Z",
        "messages": turns,
    }


def _write(path: Path, *sessions: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(session) + "\n" for session in sessions))
    return path


def _rows(done: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_habit_seen_in_two_contexts_is_promoted_and_one_seen_once_is_not(
    stack: Settings, habitus: Run, drain: Callable[[], None], tmp_path: Path
) -> None:
    wish = WISH
    path = _write(
        tmp_path / "two.jsonl",
        _session("a1", "billing", "why is the total wrong?", wish),
        _session("a2", "garden", "which herbs like shade?", wish, "fence_backtick_count=4, always."),
    )
    receipts = _rows(habitus("submit", str(path), "--user", "ada", "--json"))
    assert len(receipts) == 2
    drain()
    profile = _rows(habitus("profile", "show", "--user", "ada", "--json"))
    assert [(row["dimension"], row["value"], row["contexts"], row["status"]) for row in profile] == [
        ("dependency_policy", "stdlib_only", 2, "promoted")
    ]
    deferred = _rows(habitus("rejections", "--code", "BELOW_RECURRENCE", "--json"))
    assert "code_fence_style" in {row["dimension"] for row in deferred}


def test_the_same_session_handed_in_twice_counts_once(habitus: Run, drain: Callable[[], None], tmp_path: Path) -> None:
    path = _write(tmp_path / "one.jsonl", _session("b1", "x", "Please always answer in bullet lists.", user="bob"))
    for _ in range(2):
        assert habitus("submit", str(path), "--user", "bob").returncode == 0
        drain()
    assert _rows(habitus("profile", "show", "--user", "bob", "--json")) == []
    assert len(_rows(habitus("rejections", "--code", "DUPLICATE_SESSION", "--json"))) == 1
    status = _rows(habitus("status", "--json"))[0]
    assert status["holds"]
    assert status["duplicate"] == 1


def test_a_person_of_another_tenant_with_the_same_name_has_a_profile_of_their_own(
    habitus: Run, drain: Callable[[], None], tmp_path: Path
) -> None:
    wish = WISH
    path = _write(tmp_path / "t.jsonl", _session("t1", "p", wish), _session("t2", "q", wish))
    assert habitus("submit", str(path), "--user", "cleo", "--tenant", "north").returncode == 0
    drain()
    assert len(_rows(habitus("profile", "show", "--user", "cleo", "--tenant", "north", "--json"))) == 1
    assert _rows(habitus("profile", "show", "--user", "cleo", "--tenant", "south", "--json")) == []


def test_a_stored_profile_shapes_a_query_and_leaves_another_alone(
    habitus: Run, drain: Callable[[], None], tmp_path: Path
) -> None:
    wish = WISH
    path = _write(tmp_path / "d.jsonl", _session("d1", "m", wish, user="dora"), _session("d2", "n", wish, user="dora"))
    assert habitus("submit", str(path), "--user", "dora").returncode == 0
    drain()
    used = _rows(habitus("classify", "--user", "dora", "write a python function that parses a date", "--json"))[0]
    assert used["decisions"][0]["policy"] in ("support", "drive")
    assert "standard library" in used["prompt"]
    unused = _rows(habitus("classify", "--user", "dora", "what should I cook tonight?", "--json"))[0]
    assert unused["decisions"][0]["policy"] == "ignore"
    assert unused["prompt"] == ""


def test_forgetting_a_person_leaves_nothing_of_them(
    stack: Settings, habitus: Run, drain: Callable[[], None], tmp_path: Path
) -> None:
    wish = WISH
    path = _write(tmp_path / "f.jsonl", _session("f1", "p", wish, user="finn"), _session("f2", "q", wish, user="finn"))
    assert habitus("submit", str(path), "--user", "finn").returncode == 0
    drain()
    assert len(_rows(habitus("profile", "show", "--user", "finn", "--json"))) == 1
    proof = _rows(habitus("forget", "--user", "finn", "--json"))[0]
    assert proof["left"] == 0
    assert _rows(habitus("profile", "show", "--user", "finn", "--json")) == []
    assert habitus("submit", str(path), "--user", "finn").returncode == 0  # an older transcript comes back
    drain()
    assert _rows(habitus("profile", "show", "--user", "finn", "--json")) == []
    assert _rows(habitus("rejections", "--code", "FORGOTTEN", "--json"))
    subject = load_keys(stack.keys).ids.keyed(Kind.SUBJECT, "default", "finn")
    with sqlite3.connect(stack.home / "habitus.db") as database:
        dump = "\n".join(database.iterdump())
    assert dump.count(subject) == 1  # the tombstone


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("this is not JSON at all: hunter2-canary", "UNSUPPORTED_FORMAT|MALFORMED_TRANSCRIPT"),
        ("", "MALFORMED_TRANSCRIPT"),
        ('{"messages": "hunter2-canary"', "MALFORMED_TRANSCRIPT"),
        ('{"hunter2-canary": 1}', "UNSUPPORTED_FORMAT"),
    ],
)
def test_a_file_that_is_no_transcript_gives_one_clear_line_and_exit_1(
    habitus: Run, tmp_path: Path, content: str, says: str
) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(content)
    done = habitus("submit", str(path), "--user", "ada")
    assert done.returncode == 1
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 2, done.stderr  # the refusal, and the sum
    assert any(code in lines[0] for code in says.split("|"))
    assert lines[1] == "0 submitted, 1 refused"
    assert "hunter2" not in done.stderr + done.stdout


def test_one_broken_session_does_not_hold_up_the_others(
    habitus: Run, drain: Callable[[], None], tmp_path: Path
) -> None:
    path = tmp_path / "mixed.jsonl"
    path.write_text(
        json.dumps(_session("m1", "x", "hello")) + "\n{broken\n" + json.dumps(_session("m2", "y", "hi")) + "\n"
    )
    done = habitus("submit", str(path), "--user", "gus")
    assert done.returncode == 1
    assert "2 submitted, 1 refused" in done.stderr
    drain()


def test_a_missing_file_gives_one_clear_line_and_exit_1(habitus: Run) -> None:
    done = habitus("submit", "nowhere.jsonl", "--user", "ada")
    assert done.returncode == 1
    assert "no such file: nowhere.jsonl" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 2


@pytest.mark.parametrize("words", [("submit", "x.json", "--user", "a"), ("status",), ("deadletters", "list")])
def test_a_redis_that_is_not_there_gives_one_clear_line_and_exit_1(
    stack: Settings, habitus: Run, words: tuple[str, ...]
) -> None:
    done = habitus("--redis-url", "redis://127.0.0.1:1/0", *words)
    assert done.returncode == 1
    assert done.stderr.startswith("habitus: Redis does not answer at redis://127.0.0.1:1/0")
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_a_recurrence_below_two_is_refused_at_start_up(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "habitus_worker", "worker"],
        env={"HABITUS_K": "1", "HABITUS_HOME": str(tmp_path), "PATH": ""}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "setting k" in done.stderr
