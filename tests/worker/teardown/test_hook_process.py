"""The hook as an agent runs it: one entry, exit 0, nothing printed, whatever happens."""

import json
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.drain import Drain
from habitus_worker.teardown.intake import Desk
from habitus_worker.teardown.ours import teardown_words
from habitus_worker.teardown.spool import entries, spool_of
from habitus_worker.teardown.sweep import sweep

EVENT = {
    "session_id": "5e55-1",
    "transcript_path": "/home/u/.claude/projects/-w/5e55-1.jsonl",
    "cwd": "/home/u/shop",
    "hook_event_name": "SessionEnd",
    "reason": "prompt_input_exit",
}
NOTIFIED = {
    "type": "agent-turn-complete",
    "thread-id": "c0de-2",
    "turn-id": "t1",
    "cwd": "/w/api",
    "input-messages": ["the launch code is swordfish"],
    "last-assistant-message": "Done with swordfish.",
}


def run(home: Path, stdin: bytes = b"", *more: str, agent: Agent = Agent.CLAUDE_CODE, **popen: Any) -> list[Any]:
    """Runs the installed command; it must exit 0 and print nothing. Returns the entries in the spool."""
    done = subprocess.run(
        [*teardown_words(agent, home), *more], input=stdin, capture_output=True, timeout=20, check=False, **popen
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    folder = spool_of(home)
    return [json.loads(path.read_bytes()) for path in sorted(folder.glob("*.json"))] if folder.is_dir() else []


def test_an_entry_says_where_the_transcript_lies_and_nothing_else(tmp_path: Path) -> None:
    (entry,) = run(tmp_path, json.dumps(EVENT).encode())
    day = entry.pop("day")
    assert entry == {
        "version": 1, "agent": "claude-code", "format": "claude_code", "event": "end", "session": "5e55-1",
        "path": EVENT["transcript_path"],
    }  # fmt: skip
    assert len(day) == 10


def test_the_spool_is_for_its_owner_alone(tmp_path: Path) -> None:
    run(tmp_path, json.dumps(EVENT).encode(), umask=0)
    folder = spool_of(tmp_path)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_codex_tells_the_session_without_a_path(tmp_path: Path) -> None:
    told = json.dumps({**EVENT, "transcript_path": None, "session_id": "c0de-2"}).encode()
    (entry,) = run(tmp_path, told, agent=Agent.CODEX)
    assert (entry["session"], entry["path"], entry["event"]) == ("c0de-2", "", "end")


def test_what_codex_puts_on_the_command_line_gives_an_entry_without_a_word_of_it(tmp_path: Path) -> None:
    (entry,) = run(tmp_path, b"", json.dumps(NOTIFIED), agent=Agent.CODEX)
    assert (entry["agent"], entry["session"], entry["event"]) == ("codex", "c0de-2", "turn")
    assert "swordfish" not in json.dumps(entry)


@pytest.mark.parametrize(
    "stdin",
    [
        b"",
        b"not json {swordfish}",
        b"{" * 5000,
        b"[1, 2]}",
        b'"5e55-1"',
        b'{"session_id": 7, "transcript_path": ["x"]}',
        b'{"session_id": "a b; rm -rf ~", "transcript_path": "relative.jsonl"}',
        b'{"session_id": "", "transcript_path": "/x\\u0000y.jsonl"}',
        b"\xff\xfe\x00" * 100,
        b'{"session_id": "' + b"x" * 1_000_000 + b'"}',
        json.dumps(EVENT).encode() + b" {}",
    ],
    ids=range(11),
)
def test_garbage_on_stdin_gives_no_entry(tmp_path: Path, stdin: bytes) -> None:
    assert run(tmp_path, stdin) == []


def test_a_closed_stdin_gives_no_entry(tmp_path: Path) -> None:
    words = teardown_words(Agent.CLAUDE_CODE, tmp_path)
    done = subprocess.run(["/bin/sh", "-c", 'exec "$@" <&-', "sh", *words], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def _with_open_stdin(home: Path, told: bytes) -> float:
    started = time.monotonic()
    with subprocess.Popen(
        teardown_words(Agent.CLAUDE_CODE, home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(told)
        process.stdin.flush()
        assert process.wait(20) == 0
        assert process.stdout.read() == b""
    return time.monotonic() - started


def test_a_stdin_that_is_never_closed_does_not_hold_it_up(tmp_path: Path) -> None:
    _with_open_stdin(tmp_path, json.dumps(EVENT, indent=1).encode() + b"\n")
    assert len(entries(spool_of(tmp_path))) == 1


@pytest.mark.parametrize("told", [b"", b'{"session_id": "5e55-1"'])
def test_a_stdin_that_never_says_it_all_is_given_up(tmp_path: Path, told: bytes) -> None:
    _with_open_stdin(tmp_path, told)
    assert entries(spool_of(tmp_path)) == []


def test_a_disk_without_room_leaves_nothing_half_written(tmp_path: Path) -> None:
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))  # a write goes through in part, the next one not at all

    assert run(tmp_path, json.dumps(EVENT).encode(), preexec_fn=full) == []
    assert list(spool_of(tmp_path).iterdir()) == []


def test_a_spool_that_cannot_be_made_is_passed_over(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("a file where the folder should be")
    assert run(home, json.dumps(EVENT).encode()) == []


def test_neither_a_redis_that_is_down_nor_one_that_never_answers_is_touched(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        assert len(run(tmp_path, json.dumps(EVENT).encode(), env={"HABITUS_REDIS_URL": url})) == 1
        silent.settimeout(0)
        with pytest.raises(BlockingIOError):
            silent.accept()


def test_a_module_of_the_same_name_in_the_folder_it_starts_in_is_not_run(tmp_path: Path) -> None:
    for name in ("os.py", "select.py", "_json.py", "habitus_hook.py", "time.py"):
        (tmp_path / name).write_text("import sys; sys.exit(7)")
    environment = {"PYTHONPATH": str(tmp_path), "PYTHONSTARTUP": str(tmp_path / "os.py")}
    assert len(run(tmp_path / "home", json.dumps(EVENT).encode(), cwd=tmp_path, env=environment)) == 1


@pytest.mark.parametrize("words", [[], ["--help"], ["user-prompt"], ["claude-code", "--spool"]])
def test_no_command_line_makes_it_fail(words: list[str], tmp_path: Path) -> None:
    program = teardown_words(Agent.CLAUDE_CODE, tmp_path)[:4]
    done = subprocess.run([*program, *words], input=b"", env={"HOME": str(tmp_path)}, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_signals_of_a_terminal_that_closes_do_not_end_it(tmp_path: Path) -> None:
    with subprocess.Popen(teardown_words(Agent.CLAUDE_CODE, tmp_path), stdin=subprocess.PIPE) as process:
        assert process.stdin
        closing = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
        _wait(lambda: all(_ignores(process.pid, each) for each in closing))
        for each in closing:
            process.send_signal(each)
        process.stdin.write(json.dumps(EVENT).encode())
        process.stdin.close()
        assert process.wait(20) == 0
    assert len(entries(spool_of(tmp_path))) == 1


def _ignores(pid: int, number: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    if not status.exists():  # no such thing on this system: the clock must do
        time.sleep(0.3)
        return True
    (mask,) = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("SigIgn:")]
    return bool(int(mask, 16) >> (number - 1) & 1)


def _wait(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_it_loads_nothing_that_starts_slowly(tmp_path: Path) -> None:
    words = teardown_words(Agent.CLAUDE_CODE, tmp_path)
    (tmp_path / "look.py").write_text(
        f"import sys, os; sys.path.append({os.path.dirname(os.path.dirname(words[3]))!r})\n"
        "before = set(sys.modules)\n"
        "from habitus_hook.teardown import main, run\n"
        f"run(['claude-code', '--spool', {str(tmp_path / 's')!r}])\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    told = json.dumps(EVENT).encode()
    done = subprocess.run([*words[:3], str(tmp_path / "look.py")], input=told, capture_output=True, check=True)
    ours = {"habitus_hook", "habitus_hook.event", "habitus_hook.spool", "habitus_hook.teardown"}
    assert set(done.stdout.decode().split()) - ours <= {"_json", "select"}
    assert entries(tmp_path / "s")


KILLED = """
import os, select, signal, sys
sys.path.append({root!r})
steps = [0]
def deadly(function):
    def step(*args, **kwargs):
        steps[0] += 1
        number = steps[0]
        if number == {at}:
            os.kill(os.getpid(), signal.SIGKILL)
        try:
            return function(*args, **kwargs)
        finally:
            if -number == {at}:
                os.kill(os.getpid(), signal.SIGKILL)
    return step
for name in ("read", "umask", "makedirs", "mkdir", "open", "fsync", "close", "rename", "unlink"):
    setattr(os, name, deadly(getattr(os, name)))
write = os.write
os.write = deadly(lambda fd, data: write(fd, data[:40]))  # in pieces: each is a step
from habitus_hook import teardown
sys.argv = ["habitus-hook", "claude-code", "--spool", {spool!r}]
teardown.main()
"""


def _killed_at(at: int, spool: Path, told: bytes) -> bool:
    """Runs the hook, killed before its step number `at`, or after its step number `-at`. Whether it came that far."""
    root = os.path.dirname(os.path.dirname(teardown_words(Agent.CODEX, spool)[3]))
    code = KILLED.format(root=root, at=at, spool=str(spool))
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=told, capture_output=True, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode == -signal.SIGKILL


@pytest.mark.parametrize("after", [False, True])
def test_killed_at_any_step_it_loses_nothing(
    after: bool, write: Any, setup: Any, taken: Any, desk: Desk, kept: Any
) -> None:
    """Either a whole entry is there, from which the session is handed in, or the sweep finds the session."""
    path, folder = write("5e55-1", "keep it short"), spool_of(setup.home)
    told = json.dumps({**EVENT, "transcript_path": str(path)}).encode()
    step, written, long_ago = 0, 0, time.time() - 1000 * 3600
    while step < 100:
        step += 1
        now = long_ago + step * 3600
        os.utime(path, (now, now))  # a new state: not known from the step before
        if not _killed_at(-step if after else step, folder, told):
            break
        handed_in = len(kept.sessions)
        drained = Drain(setup).run(desk, taken)
        assert (drained.given_up, drained.waiting) == ({}, 0)
        written += len(kept.sessions) - handed_in
        sweep(setup, desk, taken, now + setup.quiet_seconds)
        assert kept.sessions[handed_in:] == [("5e55-1", ["keep it short"])]
    assert 10 < step < 100
    assert written == (1 if after else 0), "the entry is there from the moment it is renamed, and not before"
