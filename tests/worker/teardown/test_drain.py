"""Draining the spool: read again, hand in, and only then remove; wait for what is late, and give up with a reason."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from habitus_hook.spool import put
from habitus_schema.codes import Code
from habitus_schema.errors import UnavailableError
from habitus_schema.models import Rejection
from habitus_worker.settings import Settings
from habitus_worker.teardown import intake
from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.drain import EMPTY_SECONDS, FIRST_WAIT, SETTLE_SECONDS, Drain
from habitus_worker.teardown.enrolment import Enrolment, enrol
from habitus_worker.teardown.intake import Desk
from habitus_worker.teardown.spool import SCRATCH_SECONDS, entries, spool_of
from habitus_worker.teardown.sweep import sweep
from habitus_worker.teardown.taken import Taken

Write = Callable[..., Path]
DAY = 86_400.0


@pytest.fixture
def drain(setup: Settings) -> Drain:
    return Drain(setup)


@pytest.fixture
def spool(setup: Settings) -> Path:
    return spool_of(setup.home)


def note(spool: Path, session: str, path: Path | str = "", event: str = "end", agent: str = "claude-code") -> Path:
    return Path(put(str(spool), agent, event, session, str(path)))


def left(spool: Path) -> int:
    return len(entries(spool))


def test_a_session_that_ended_is_handed_in_and_its_entry_goes(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, kept: Any
) -> None:
    note(spool, "s1", write("s1", "keep it short"))
    assert drain.run(desk, taken).handed_in == 1
    assert kept.sessions == [("s1", ["keep it short"])]
    assert (kept.callers[0].user, kept.callers[0].tenant) == ("ada", "default")
    assert list(spool.iterdir()) == []


def test_an_entry_stays_until_redis_has_taken_the_session(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, kept: Any
) -> None:
    note(spool, "s1", write("s1", "keep it short"))
    kept.refusing = 2
    for _ in range(2):
        with pytest.raises(UnavailableError):
            drain.run(desk, taken)
        assert left(spool) == 1
    drain.run(desk, taken)
    assert (left(spool), len(kept.sessions)) == (0, 1)


def test_a_drain_that_dies_between_handing_in_and_removing_does_no_harm(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, kept: Any
) -> None:
    entry = note(spool, "s1", write("s1", "keep it short"))
    body = entry.read_bytes()
    drain.run(desk, taken)
    entry.write_bytes(body)
    assert drain.run(desk, taken).handed_in == 0
    assert (left(spool), len(kept.sessions)) == (0, 1)


def test_a_transcript_that_is_not_there_yet_is_waited_for(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, claude: Path, kept: Any
) -> None:
    note(spool, "s1", claude / "projects" / "-w" / "s1.jsonl")
    assert (drain.run(desk, taken).waiting, left(spool)) == (1, 1)
    write("s1", "keep it short")
    assert drain.run(desk, taken).handed_in == 0, "an entry that waits is not tried at once"
    assert drain.run(desk, taken, time.time() + FIRST_WAIT).handed_in == 1
    assert left(spool) == 0


def test_a_transcript_that_never_comes_is_given_up_with_a_reason(
    drain: Drain, desk: Desk, spool: Path, taken: Taken, claude: Path
) -> None:
    entry = note(spool, "s1", claude / "gone.jsonl")
    os.utime(entry, (time.time() - DAY + 60, time.time() - DAY + 60))
    assert drain.run(desk, taken).waiting == 1
    done = drain.run(desk, taken, time.time() + 120)
    assert (done.waiting, done.given_up) == (0, {"TRANSCRIPT_MISSING": 1})
    assert taken.passed() == {"TRANSCRIPT_MISSING": 1}
    assert left(spool) == 0


def test_an_entry_is_tried_once_however_old_it_is(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, kept: Any
) -> None:
    entry = note(spool, "s1", write("s1", "keep it short"))
    os.utime(entry, (0, 0))
    drain.run(desk, taken)
    assert len(kept.sessions) == 1


def test_a_transcript_that_is_still_being_written_is_waited_for(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, kept: Any
) -> None:
    path = write("s1", "keep it short", ago=0)
    note(spool, "s1", path)
    assert drain.run(desk, taken).waiting == 1
    write("s1", "keep it short", "and no tables", ago=0)
    later = time.time() + SETTLE_SECONDS + FIRST_WAIT
    drain.run(desk, taken, later)
    assert kept.sessions == [("s1", ["keep it short", "and no tables"])]


def test_a_transcript_that_says_nothing_yet_is_waited_for(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, kept: Any
) -> None:
    """The hook may fire before the agent has written the messages out."""
    path = write("s1")
    path.write_text('{"type": "summary", "summary": "x", "leafUuid": "y"}\n')
    os.utime(path, (0, 0))
    note(spool, "s1", path)
    assert drain.run(desk, taken).waiting == 1
    write("s1", "keep it short")
    drain.run(desk, taken, time.time() + FIRST_WAIT)
    assert kept.sessions == [("s1", ["keep it short"])]
    assert left(spool) == 0


def test_a_session_in_which_nothing_is_said_is_let_go(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, kept: Any
) -> None:
    path = write("s1")
    path.write_text('{"type": "summary", "summary": "x", "leafUuid": "y"}\n')
    os.utime(path, (0, 0))
    note(spool, "s1", path)
    drain.run(desk, taken)
    done = drain.run(desk, taken, time.time() + EMPTY_SECONDS)
    assert (left(spool), kept.sessions) == (0, [])
    assert done.given_up == {"NOTHING_SAID": 1}


def test_what_is_no_transcript_is_waited_for_and_then_given_up(
    drain: Drain, desk: Desk, spool: Path, write: Write, taken: Taken
) -> None:
    path = write("s1")
    path.write_text("swordfish is no JSON\n")
    os.utime(path, (0, 0))
    note(spool, "s1", path)
    assert drain.run(desk, taken).waiting == 1
    done = drain.run(desk, taken, time.time() + DAY)
    assert done.given_up == {"MALFORMED_TRANSCRIPT": 1}
    assert "swordfish" not in repr(done) + repr(taken.passed())


def test_a_file_that_holds_another_session_counts_as_that_one_and_the_named_one_is_looked_for(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, kept: Any
) -> None:
    """Hooks got an old id and path (claude-code 9188): the id inside the records is the one to trust."""
    other = write("s2", "no emoji")
    write("s1", "keep it short")
    note(spool, "s1", other)
    done = drain.run(desk, taken)
    assert sorted(kept.sessions) == [("s1", ["keep it short"]), ("s2", ["no emoji"])]
    assert done.given_up == {"OTHER_SESSION": 1}
    assert left(spool) == 0


def test_the_end_of_a_turn_is_not_the_end_of_a_session(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, setup: Settings, kept: Any
) -> None:
    note(spool, "s1", write("s1", "keep it short", ago=60), "turn")
    assert drain.run(desk, taken).waiting == 1
    drain.run(desk, taken, time.time() + setup.quiet_seconds)
    assert len(kept.sessions) == 1


def test_the_entries_of_all_turns_of_a_session_are_one(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, kept: Any
) -> None:
    path = write("s1", "keep it short")
    for _ in range(3):
        note(spool, "s1", path, "turn")
    assert left(spool) == 1
    drain.run(desk, taken)
    assert (list(spool.iterdir()), len(kept.sessions)) == ([], 1)


def test_a_codex_session_is_found_by_its_id(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, setup: Settings, tmp_path: Path, kept: Any
) -> None:
    """`notify`, and SessionEnd where the path is null, tell the id alone."""
    samples = Path(__file__).parents[2] / "data" / "transcripts"
    day = tmp_path / "codex" / "sessions" / "2026" / "09" / "01"
    day.mkdir(parents=True)
    path = day / "rollout-2026-09-01T09-00-00-c0de-1.jsonl"
    path.write_bytes((samples / "codex_rollout_legacy.jsonl").read_bytes())
    os.utime(path, (0, 0))
    enrol(setup.home, Agent.CODEX, Enrolment(user="ada", folder=tmp_path / "codex", since=0))
    note(spool, "c0de-1", event="turn", agent="codex")
    drain.run(desk, taken)
    assert [name for name, _said in kept.sessions] == ["c0de-1"]


def test_a_session_that_was_resumed_is_handed_in_again_as_it_has_grown(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, kept: Any
) -> None:
    note(spool, "s1", write("s1", "keep it short"))
    drain.run(desk, taken)
    note(spool, "s1", write("s1", "keep it short", "and no tables"))
    drain.run(desk, taken)
    assert kept.sessions == [("s1", ["keep it short"]), ("s1", ["keep it short", "and no tables"])]


def test_the_sweep_does_not_hand_in_again_what_came_by_the_hook(
    drain: Drain, desk: Desk, spool: Path, write: Write, setup: Settings, taken: Taken, kept: Any
) -> None:
    note(spool, "s1", write("s1", "keep it short"))
    drain.run(desk, taken)
    assert sweep(setup, desk, taken).handed_in == 0
    assert len(kept.sessions) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"", b"swordfish", b"[]", b'{"version": 2}', b"\0" * 100, b"{" * 50_000, b"x" * 100_000,
        b'{"version": 1, "agent": "claude-code", "event": "end", "session": "../../x", "path": ""}',
        b'{"version": 1, "agent": "claude-code", "event": "end", "session": "", "path": "swordfish"}',
        b'{"version": 1, "agent": "claude-code", "event": "end", "session": "", "path": ""}',
    ],
    ids=range(10),
)  # fmt: skip
def test_an_entry_that_no_hook_wrote_is_counted_and_removed(
    drain: Drain, desk: Desk, spool: Path, taken: Taken, body: bytes
) -> None:
    spool.mkdir()
    (spool / "1.json").write_bytes(body)
    done = drain.run(desk, taken)
    assert (done.given_up, left(spool)) == ({"BROKEN_ENTRY": 1}, 0)
    assert "swordfish" not in repr(done)


@pytest.mark.timeout(20)
def test_a_pipe_in_place_of_a_transcript_does_not_hang_the_worker(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, claude: Path
) -> None:
    claude.mkdir()
    os.mkfifo(claude / "pipe.jsonl")
    note(spool, "s1", claude / "pipe.jsonl")
    note(spool, "s2", claude)
    assert drain.run(desk, taken, time.time() + DAY).given_up == {"NOT_A_FILE": 2}


def test_what_a_killed_hook_left_half_written_goes_after_a_while(
    drain: Drain, desk: Desk, taken: Taken, spool: Path
) -> None:
    spool.mkdir()
    fresh, old = spool / ".2-1", spool / ".1-1"
    for file in (fresh, old):
        file.write_text("{")
    os.utime(old, (0, time.time() - SCRATCH_SECONDS - 60))
    assert drain.run(desk, taken).waiting == 0
    assert list(spool.iterdir()) == [fresh]


def test_nothing_of_an_entry_shows_in_its_repr(spool: Path) -> None:
    note(spool, "s1", "/home/ada/swordfish.jsonl")
    assert "swordfish" not in repr(entries(spool))


def test_the_notes_of_what_was_taken_tell_no_file_and_no_person(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, setup: Settings
) -> None:
    note(spool, "s1", write("s1", "keep it short"))
    drain.run(desk, taken)
    notes = (setup.home / "teardown.db").read_bytes()
    assert not any(word in notes for word in (b"projects", b"s1.jsonl", b"ada", b"short"))


def test_a_transcript_that_is_too_large_is_given_up_at_once(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time does not mend it, and each try would read it whole."""
    monkeypatch.setattr(intake, "read", lambda _stream, _format: iter([Rejection(code=Code.TOO_LARGE)]))
    note(spool, "s1", write("s1", "keep it short"))
    assert drain.run(desk, taken).given_up == {"TOO_LARGE": 1}
    assert left(spool) == 0


def test_a_transcript_that_moved_is_found_by_its_session(
    drain: Drain, desk: Desk, taken: Taken, spool: Path, write: Write, claude: Path, kept: Any
) -> None:
    write("s1", "keep it short")
    note(spool, "s1", claude / "projects" / "-elsewhere" / "s1.jsonl")
    drain.run(desk, taken)
    assert kept.sessions == [("s1", ["keep it short"])]
