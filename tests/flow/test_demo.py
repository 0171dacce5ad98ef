"""`habitus demo`: what a newcomer sees first."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


def _as_in_a_terminal() -> None:
    # What a shell starts in the background ignores Ctrl-C, and so would everything that these tests start.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


DEMO = [sys.executable, "-m", "habitus_worker", "demo"]


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    """Temporary folders go where we can look for leftovers; short, since a socket's path has a limit."""
    folder = Path(tempfile.mkdtemp(prefix="hd-", dir="/tmp"))
    yield {**os.environ, "TMPDIR": str(folder)}
    folder.rmdir()  # fails when the demo left anything


def test_it_shows_a_profile_five_kinds_of_refusal_and_three_queries_and_leaves_nothing(
    environment: dict[str, str],
) -> None:
    done = subprocess.run(DEMO, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    profile, _, rest = done.stdout.partition("What it did not take")
    log, _, queries = rest.partition("Three new queries")
    assert len(re.findall(r"promoted", profile)) >= 2
    assert len(set(re.findall(r" (?:parse|extract|gate|record|queue) +([A-Z_]{6,}) ", log))) >= 5
    assert queries.count("Decisions") == 3
    assert queries.count("<habitus-profile>") == 2
    assert queries.count("(nothing is added to the prompt)") == 1
    assert "10 submitted = 9 recorded + 1 duplicate + 0 dead-lettered + 0 in flight: holds" in queries
    assert re.search(r"Searched [\d,]+ bytes .*: 0 found", queries)


def test_ctrl_c_in_the_middle_stops_everything_and_leaves_nothing(environment: dict[str, str]) -> None:
    demo = subprocess.Popen(
        DEMO, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_as_in_a_terminal
    )
    folder = Path(environment["TMPDIR"])
    deadline = time.monotonic() + 60
    while not list(folder.glob("habitus-*/worker.log")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    demo.send_signal(signal.SIGINT)
    _, err = demo.communicate(timeout=60)
    assert demo.returncode != 0
    assert "Traceback" not in err
    processes = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(folder) not in processes
