"""The sweep finds sessions whose hook never fired, once each, and looks at nothing from before it was asked to."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from habitus_schema.errors import UnavailableError, UsageError
from habitus_worker.settings import Settings
from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.enrolment import FILE, Enrolment, enrol, enrolment, enrolments
from habitus_worker.teardown.intake import Desk
from habitus_worker.teardown.sweep import sweep
from habitus_worker.teardown.taken import Taken

Write = Callable[..., Path]


def test_a_session_without_a_hook_is_found_by_its_file(
    setup: Settings, desk: Desk, taken: Taken, write: Write, kept: Any
) -> None:
    """0 of 35 sessions ever completed (claude-mem 1486): no SessionEnd at all, only files on disk."""
    write("s1", "keep it short")
    assert sweep(setup, desk, taken).handed_in == 1
    assert sweep(setup, desk, taken).handed_in == 0
    assert kept.sessions == [("s1", ["keep it short"])]


def test_the_oldest_session_is_handed_in_first(
    setup: Settings, desk: Desk, taken: Taken, write: Write, kept: Any
) -> None:
    for session, ago in (("b", 9000), ("c", 7000), ("a", 11_000)):
        write(session, "hello", ago=ago)
    sweep(setup, desk, taken)
    assert [name for name, _said in kept.sessions] == ["a", "b", "c"]


def test_a_session_that_is_going_on_is_left_alone(
    setup: Settings, desk: Desk, taken: Taken, write: Write, kept: Any
) -> None:
    write("s1", "hello", ago=setup.quiet_seconds - 60)
    assert sweep(setup, desk, taken).handed_in == 0
    assert sweep(setup, desk, taken, time.time() + 120).handed_in == 1


def test_a_session_that_goes_on_after_a_sweep_is_found_again(
    setup: Settings, desk: Desk, taken: Taken, write: Write, kept: Any
) -> None:
    write("s1", "hello")
    sweep(setup, desk, taken)
    write("s1", "hello", "and no tables", ago=0)
    sweep(setup, desk, taken, time.time() + setup.quiet_seconds + 1)
    assert kept.sessions[-1] == ("s1", ["hello", "and no tables"])


def test_what_was_there_before_the_person_installed_habitus_is_not_read(
    setup: Settings, desk: Desk, taken: Taken, write: Write, claude: Path, kept: Any
) -> None:
    enrol(setup.home, Agent.CLAUDE_CODE, None)
    enrol(setup.home, Agent.CLAUDE_CODE, Enrolment(user="ada", folder=claude, since=time.time() - 5000))
    write("old", "hello", ago=6000)
    write("new", "hello", ago=4000)
    sweep(setup, desk, taken)
    assert [name for name, _said in kept.sessions] == ["new"]


def test_an_agent_that_is_not_installed_is_not_swept(
    setup: Settings, desk: Desk, taken: Taken, write: Write, kept: Any
) -> None:
    write("s1", "hello")
    enrol(setup.home, Agent.CLAUDE_CODE, None)
    sweep(setup, desk, taken)
    assert kept.sessions == []
    assert enrolment(setup.home, Agent.CLAUDE_CODE).since == float("inf")


def test_a_sweep_that_redis_stops_goes_on_where_it_was(
    setup: Settings, desk: Desk, taken: Taken, write: Write, kept: Any
) -> None:
    for session, ago in (("a", 9000), ("b", 8000), ("c", 7000)):
        write(session, "hello", ago=ago)
    sweep_once = desk.take
    calls = []

    def counted(path: Path, *args: Any, **kwargs: Any) -> Any:
        calls.append(path.stem)
        kept.refusing = int(path.stem == "b" and calls.count("b") == 1)
        return sweep_once(path, *args, **kwargs)

    desk.take = counted  # type: ignore[method-assign]
    with pytest.raises(UnavailableError):
        sweep(setup, desk, taken)
    sweep(setup, desk, taken)
    assert [name for name, _said in kept.sessions] == ["a", "b", "c"]


def test_a_sub_agents_transcript_and_a_file_of_another_kind_are_not_looked_at(
    setup: Settings, desk: Desk, taken: Taken, write: Write, kept: Any
) -> None:
    write("s1", "hello", name="agent-1234.jsonl")
    write("s2", "hello", name="subagents/agent-5.jsonl")
    write("s3", "hello", name="notes.md")
    assert sweep(setup, desk, taken).passed_over == []
    assert kept.sessions == []


def test_a_broken_file_is_counted_once_and_does_not_hold_up_the_others(
    setup: Settings, desk: Desk, taken: Taken, write: Write, kept: Any
) -> None:
    broken = write("a", ago=9000)
    broken.write_text("swordfish")
    os.utime(broken, (time.time() - 9000, time.time() - 9000))
    write("b", "hello", ago=8000)
    swept = sweep(setup, desk, taken)
    assert (swept.handed_in, swept.passed_over) == (1, ["MALFORMED_TRANSCRIPT"])
    assert sweep(setup, desk, taken).passed_over == []
    assert taken.passed() == {"MALFORMED_TRANSCRIPT": 1}


def test_a_sweep_of_what_is_known_reads_no_file(
    setup: Settings, desk: Desk, taken: Taken, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        write(f"s{number}", "hello", ago=8000 + number)
    sweep(setup, desk, taken)
    looked = []
    monkeypatch.setattr(desk, "take", lambda *args, **kwargs: looked.append(args))
    sweep(setup, desk, taken)
    assert looked == []


def test_a_note_about_agents_that_is_broken_is_refused_in_one_line(setup: Settings) -> None:
    (setup.home / FILE).write_text('{"claude-code": {"user": "swordfish"}}')
    with pytest.raises(UsageError) as refused:
        enrolments(setup.home)
    assert "swordfish" not in str(refused.value)


def test_the_note_about_agents_is_for_its_owner_alone(setup: Settings) -> None:
    assert (setup.home / FILE).stat().st_mode & 0o077 == 0
