"""`habitus audit`: finds what it is given, says where and how many, never what."""

import json
import subprocess
from collections.abc import Callable
from datetime import date

from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.pipeline import Caller
from habitus_worker.keys import load_keys
from habitus_worker.ledger import connect
from habitus_worker.seal import Submission, seal
from habitus_worker.settings import Settings

Run = Callable[..., "subprocess.CompletedProcess[str]"]
TODAY = date(2026, 11, 1)
LEAK = "renata.oliveira@leak.example"


def test_a_clean_deployment_is_called_clean(habitus: Run) -> None:
    done = habitus("audit", "--json", stdin="a private string\nanother private string\n")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["strings"], found["places"]) == (2, {})
    assert found["bytes_read"] > 10_000


def test_a_leak_is_shown_by_its_place_and_never_by_its_text(stack: Settings, habitus: Run) -> None:
    connect(stack.redis).set("habitus:leak", LEAK)
    (stack.home / "left.log").write_text(f"x {LEAK} y")
    try:
        done = habitus("audit", stdin=f"{LEAK}\n")
    finally:
        connect(stack.redis).delete("habitus:leak")
        (stack.home / "left.log").unlink()
    assert done.returncode == 1
    assert "left.log" in done.stdout
    assert "redis value" in done.stdout
    assert LEAK not in done.stdout + done.stderr


def test_a_leak_in_a_sealed_payload_is_found_with_the_keys_of_the_deployment(stack: Settings, habitus: Run) -> None:
    leak = "quentin.varga@leak.example"  # one of its own: the append-only file may still hold the other
    said = Transcript(Format.HABITUS, "s", (Turn(Speaker.PERSON, f"write to {leak}"),))
    (stack.home / "left.log").write_bytes(seal(Submission(said, Caller("ada", day=TODAY)), load_keys(stack.keys).seal))
    try:
        done = habitus("audit", "--json", stdin=f"{leak}\n")
    finally:
        (stack.home / "left.log").unlink()
    assert done.returncode == 1
    assert json.loads(done.stdout)["places"] == {f"sealed payload in {stack.home / 'left.log'}": 1}


def test_without_keys_it_says_that_it_opens_nothing(stack: Settings, habitus: Run) -> None:
    stack.keys.rename(stack.home / "away")
    try:
        done = habitus("audit", stdin="a private string\n")
    finally:
        (stack.home / "away").rename(stack.keys)
    assert done.returncode == 0
    assert "not opened" in done.stderr


def test_without_a_string_to_look_for_it_is_wrong_usage(habitus: Run) -> None:
    assert habitus("audit", stdin="ab\n").returncode == 2
