"""`habitus bench extract`: it measures extraction on sessions that are what they are said to be."""

import json
import subprocess
import sys

import pytest

from habitus_schema.transcript import Format
from habitus_tasks.parse import read_session
from habitus_worker.bench.extract import LIMIT_MS, OPERATIONS, Cost
from habitus_worker.bench.sessions import OWN_MESSAGES, sessions


def test_the_same_seed_gives_the_same_sessions_and_another_seed_others() -> None:
    assert sessions(3, 1) == sessions(3, 1)
    assert sessions(3, 1) != sessions(3, 2)


def test_each_session_has_so_many_own_messages_with_words() -> None:
    for envelope in sessions(5, 1):
        transcript = read_session(envelope, Format.HABITUS)
        assert transcript.own_messages == OWN_MESSAGES
        assert all(message["content"].strip() for message in envelope["messages"])


@pytest.mark.parametrize(("median", "limit", "holds"), [(29.9, 30.0, True), (30.1, 30.0, False), (99, None, True)])
def test_the_median_is_held_against_the_limit(median: float, limit: float | None, holds: bool) -> None:
    assert Cost("extract", median, 1, 200, 1, 1, 5, limit=limit).holds is holds


def test_the_command_prints_a_line_for_each_operation_and_its_exit_code_follows_the_limit() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "habitus_worker", "bench", "extract", "--sessions", "2", "--rounds", "1", "--json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    rows = {row["operation"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert tuple(rows) == OPERATIONS
    assert rows["json"]["median_ms"] < min(rows["encoder"]["median_ms"], rows["extract"]["median_ms"])
    assert rows["extract"]["limit"] == LIMIT_MS
    assert rows["json"]["times_json"] == rows["encoder"]["times_encoder"] == 1
    assert done.returncode == int(rows["extract"]["median_ms"] > LIMIT_MS)
