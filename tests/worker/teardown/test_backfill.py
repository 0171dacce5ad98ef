"""Backfill: the oldest first, once each, resumable at any file, bad files counted and passed over."""

import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from habitus_schema.errors import HabitusError, UnavailableError
from habitus_worker.teardown import backfill as module
from habitus_worker.teardown.agents import LAYOUTS, Agent
from habitus_worker.teardown.backfill import Imported, Task, backfill, of_agent, of_path
from habitus_worker.teardown.intake import Desk, Owner

Write = Callable[..., Path]
ADA = Owner("ada", "default")


def tasks(claude: Path, owner: Owner = ADA) -> list[Task]:
    return [Task(found, format_, owner) for found, format_ in of_agent(Agent.CLAUDE_CODE, claude)]


def run(
    desk: Desk, claude: Path, owner: Owner = ADA, step: Callable[[], None] = lambda: None, *, again: bool = False
) -> Imported:
    return backfill(tasks(claude, owner), desk, lambda: 0, step, again=again)


@pytest.fixture
def three(write: Write) -> None:
    for session, ago in (("newest", 100), ("oldest", 9000), ("middle", 5000)):
        write(session, "hello", ago=ago)


@pytest.mark.usefixtures("three")
def test_the_newest_session_is_handed_in_last(desk: Desk, claude: Path, kept: Any) -> None:
    done = run(desk, claude)
    assert [name for name, _said in kept.sessions] == ["oldest", "middle", "newest"]
    assert (done.files, done.handed_in, done.known) == (3, 3, 0)


@pytest.mark.usefixtures("three")
def test_a_second_run_hands_nothing_in(desk: Desk, claude: Path, kept: Any) -> None:
    run(desk, claude)
    done = run(desk, claude)
    assert (done.files, done.handed_in, done.known) == (3, 0, 3)
    assert len(kept.sessions) == 3


@pytest.mark.usefixtures("three")
def test_a_second_run_that_is_told_so_hands_all_in_again(desk: Desk, claude: Path, kept: Any) -> None:
    run(desk, claude)
    assert run(desk, claude, again=True).handed_in == 3


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("stop_at", [1, 2, 3])
def test_one_that_is_stopped_goes_on_where_it_was(desk: Desk, claude: Path, kept: Any, stop_at: int) -> None:
    steps = iter(range(1, 10))

    def stop() -> None:
        if next(steps) == stop_at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(desk, claude, step=stop)
    assert len(kept.sessions) == stop_at
    assert run(desk, claude).known == stop_at
    assert [name for name, _said in kept.sessions] == ["oldest", "middle", "newest"]


@pytest.mark.usefixtures("three")
def test_one_that_redis_stops_goes_on_where_it_was(desk: Desk, claude: Path, kept: Any) -> None:
    kept.refusing = 1
    with pytest.raises(UnavailableError):
        run(desk, claude)
    assert run(desk, claude).handed_in == 3


@pytest.mark.usefixtures("three")
def test_another_person_s_import_of_the_same_folder_is_their_own(desk: Desk, claude: Path, kept: Any) -> None:
    run(desk, claude)
    assert run(desk, claude, Owner("bob", "default")).handed_in == 3
    assert run(desk, claude, Owner("ada", "north")).handed_in == 3


def test_a_bad_file_is_counted_and_passed_over(desk: Desk, claude: Path, write: Write, kept: Any) -> None:
    write("a").write_text("swordfish")
    write("b")
    (claude / "projects" / "-w" / "b.jsonl").write_bytes(b"\0" * 1000)
    write("c", "hello")
    locked = write("d", "hello")
    locked.chmod(0)
    done = run(desk, claude)
    refused = 1 if os.geteuid() else 0  # root may read anything
    assert done.handed_in == 2 - refused
    assert done.passed_over == Counter({"MALFORMED_TRANSCRIPT": 2}) + Counter({"NOT_READABLE": refused})
    assert "swordfish" not in repr(done)
    assert run(desk, claude).passed_over == done.passed_over, "what was not taken is said again"


def test_a_session_in_which_the_person_says_nothing_is_not_handed_in(
    desk: Desk, claude: Path, write: Write, kept: Any
) -> None:
    write("a").write_text('{"type": "summary", "summary": "x", "leafUuid": "y"}\n')
    done = run(desk, claude)
    assert (done.empty, done.handed_in, kept.sessions) == (1, 0, [])
    assert run(desk, claude).empty == 1, "it may say something later"


def test_a_folder_of_no_agents_is_read_by_content(desk: Desk, kept: Any) -> None:
    samples = Path(__file__).parents[2] / "data" / "transcripts"
    found = [Task(each, format_, ADA) for each, format_ in of_path(samples, None)]
    done = backfill(found, desk, lambda: 0, lambda: None)
    assert done.passed_over == {}
    assert done.files == len(list(samples.glob("*.*")))
    assert done.handed_in >= done.files - 1


def test_a_compressed_rollout_is_a_transcript_and_a_sub_agent_s_file_is_none() -> None:
    codex, claude = LAYOUTS[Agent.CODEX], LAYOUTS[Agent.CLAUDE_CODE]
    assert codex.is_transcript("rollout-2026-09-01T09-00-00-c0de-1.jsonl.zst")
    assert codex.is_transcript_of("rollout-2026-09-01T09-00-00-c0de-1.jsonl", "c0de-1")
    assert not codex.is_transcript_of("rollout-2026-09-01T09-00-00-c0de-1.jsonl", "c0de-2")
    assert not codex.is_transcript("history.jsonl")
    assert not claude.is_transcript("agent-1.jsonl")


def test_nothing_at_a_path_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(HabitusError, match="no such file or folder"):
        of_path(tmp_path / "nowhere", None)


def test_a_long_history_waits_for_the_worker_and_says_when_there_is_none(
    desk: Desk, claude: Path, write: Write, kept: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a", "hello")
    backlog = iter([300, 250, 100, 0])
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    assert backfill(tasks(claude), desk, lambda: next(backlog), lambda: None).handed_in == 1
    monkeypatch.setattr(module, "STALLED_SECONDS", 0.0)
    with pytest.raises(HabitusError, match="no worker takes sessions"):
        backfill(tasks(claude), desk, lambda: 300, lambda: None)
