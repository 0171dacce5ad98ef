"""`habitus import` as a person runs it: Ctrl-C stops it in one line, and the next run goes on where it was."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from habitus_worker.keys import create_keys
from habitus_worker.ledger import IN_FLIGHT, Ledger, connect
from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.backfill import MOST_IN_FLIGHT
from habitus_worker.teardown.enrolment import Enrolment, enrol

Write = Callable[..., Path]
Call = Callable[..., tuple[int, str, str]]


def _import(redis_url: str, home: Path, claude: Path) -> "subprocess.Popen[str]":
    environment = {**os.environ, "HABITUS_HOME": str(home), "HABITUS_REDIS_URL": redis_url}
    return subprocess.Popen(
        [sys.executable, "-m", "habitus_worker", "import", str(claude), "--user", "ada", "--json"],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_ctrl_c_stops_it_and_the_next_run_goes_on(redis_url: str, tmp_path: Path, claude: Path, write: Write) -> None:
    create_keys(tmp_path / "home" / "keys.json")
    for number in range(10):
        write(f"s{number}", "hello", ago=10 - number)
    redis = connect(redis_url)
    redis.zadd(IN_FLIGHT, {f"before {number}": 0 for number in range(MOST_IN_FLIGHT - 6)})
    process = _import(redis_url, tmp_path / "home", claude)
    deadline = time.monotonic() + 60
    while Ledger(redis_url, 3600).counts().submitted < 6:  # then it waits: no worker is there
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (1, "")
    assert err.splitlines() == ["stopped; run it again and it goes on where it was"]
    redis.delete(IN_FLIGHT)  # as if a worker had taken them
    out, _ = _import(redis_url, tmp_path / "home", claude).communicate(timeout=60)
    done = json.loads(out)
    assert done["known"] in (6, 5), "at most the one under way is handed in twice"
    assert (done["files"], done["handed_in"]) == (10, 10 - done["known"])


def test_without_a_redis_it_is_one_clear_line(
    call: Call, tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_keys(tmp_path / "data" / "keys.json")
    monkeypatch.setenv("HABITUS_REDIS_URL", "redis://127.0.0.1:1/0")
    path = write("s1", "hello")
    enrol(tmp_path / "data", Agent.CLAUDE_CODE, Enrolment(user="ada", folder=path.parents[2], since=0))
    for words in (("import",), ("import", str(path)), ("drain",)):
        code, out, err = call(*words)
        assert (code, out, len(err.splitlines())) == (1, "", 1)
        assert err.startswith("habitus: Redis does not answer")


def test_a_drain_with_nothing_to_do_says_so(call: Call, tmp_path: Path) -> None:
    create_keys(tmp_path / "data" / "keys.json")
    assert call("drain") == (0, "", "0 handed in\n")
    assert call("drain", "--json")[1] == '{"handed_in": 0, "waiting": 0, "given_up": {}}\n'
