"""From an agent's teardown to the profile: the installed hook, the spool, a real worker, a real Redis."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from habitus_worker import cli
from habitus_worker.audit import audit
from habitus_worker.fleet import environment
from habitus_worker.ledger import Ledger
from habitus_worker.settings import Settings, read_settings
from habitus_worker.stack import run_once
from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.enrolment import Enrolment, enrol
from habitus_worker.teardown.hooks_json import hooks_of

Run = Callable[..., tuple[int, str, str]]
WISH = "zero_external_deps=True, please, always."
TASKS = {
    "5e55f00d-0000-4000-8000-000000000001": "the invoice total is off by one cent when the discount is rounded",
    "5e55f00d-0000-4000-8000-000000000002": "which herbs grow well in the shade of a north balcony in spring",
}


def _transcript(folder: Path, session: str, *said: str) -> Path:
    path = folder / "projects" / "-home-u-shop" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "type": "user", "uuid": f"{session[:-2]}{number:02d}", "sessionId": session, "isSidechain": False,
            "parentUuid": f"{session[:-2]}{number - 1:02d}" if number else None,
            "timestamp": "2026-11-20T10:00:00.000Z", "message": {"role": "user", "content": text},
        }
        for number, text in enumerate(said)
    ]  # fmt: skip
    for row in rows:
        row["uuid"] = f"{session}-{row['uuid']}"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    os.utime(path, (time.time() - 7200, time.time() - 7200))
    return path


def _end(folder: Path, session: str, path: Path) -> None:
    """What Claude Code does when a session ends: it runs the command of its settings in a shell."""
    hook = hooks_of((folder / "settings.json").read_text())["SessionEnd"]
    event = {
        "session_id": session, "transcript_path": str(path), "cwd": "/", "hook_event_name": "SessionEnd",
        "reason": "other",
    }  # fmt: skip
    done = subprocess.run(["/bin/sh", "-c", hook.command], input=json.dumps(event), capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture
def habitus(stack: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `habitus ...` against the stack, in this process; returns its exit code, stdout and stderr."""
    for name, value in environment(stack).items():
        if name.startswith("HABITUS_"):
            monkeypatch.setenv(name, value)
    monkeypatch.setattr("signal.signal", lambda *_: None)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["habitus", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Claude Code's own folder, of a person of their own."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    return tmp_path / "claude"


def _profile(habitus: Run, user: str) -> list[dict[str, Any]]:
    _, shown, _ = habitus("profile", "show", "--user", user, "--json")
    return [json.loads(line) for line in shown.splitlines()]


def _wait(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_sessions_that_end_reach_the_profile_on_their_own(
    stack: Settings, habitus: Run, drain: Callable[[], None], claude: Path
) -> None:
    submitted = Ledger(stack.redis, stack.payload_ttl).counts().submitted
    assert habitus("install", "claude-code", "--user", "hana")[0] == 0
    for session, task in TASKS.items():
        _end(claude, session, _transcript(claude, session, f"Please help: {task}.", WISH))
    _wait(lambda: not list((stack.home / "spool").glob("*.json")))
    drain()
    assert Ledger(stack.redis, stack.payload_ttl).counts().submitted == submitted + 2
    (row,) = _profile(habitus, "hana")
    assert (row["dimension"], row["value"], row["contexts"]) == ("dependency_policy", "stdlib_only", 2)
    assert habitus("install", "claude-code", "--uninstall")[0] == 0
    assert not (claude / "settings.json").exists()


def test_sessions_whose_hook_never_ran_are_swept_up_and_counted_once(
    stack: Settings, habitus: Run, drain: Callable[[], None], claude: Path
) -> None:
    enrol(stack.home, Agent.CLAUDE_CODE, Enrolment(user="ivo", folder=claude, since=0))
    for session, task in TASKS.items():
        _transcript(claude, session, f"Please help: {task}.", WISH)
    for _ in range(2):
        assert habitus("drain")[0] == 0
        drain()
    assert json.loads(habitus("import", "--agent", "claude-code", "--json")[1])["known"] == 2
    enrol(stack.home, Agent.CLAUDE_CODE, None)
    assert [row["contexts"] for row in _profile(habitus, "ivo")] == [2]
    status = json.loads(habitus("status", "--json")[1])
    assert status["holds"]


def test_an_import_may_be_run_twice_and_says_what_it_could_not_read(
    habitus: Run, drain: Callable[[], None], tmp_path: Path
) -> None:
    for session, task in TASKS.items():
        _transcript(tmp_path, session, f"Please help: {task}.", WISH)
    (tmp_path / "projects" / "broken.jsonl").write_text('{"swordfish": ')
    words = ("import", str(tmp_path), "--user", "kai", "--json")
    first, second = habitus(*words), habitus(*words)
    drain()
    assert (first[0], second[0]) == (1, 1)
    assert json.loads(first[1]) == {
        "files": 3, "handed_in": 2, "known": 0, "empty": 0, "passed_over": {"MALFORMED_TRANSCRIPT": 1}
    }  # fmt: skip
    assert json.loads(second[1])["known"] == 2
    assert "swordfish" not in first[1] + first[2]
    assert [row["contexts"] for row in _profile(habitus, "kai")] == [2]


def test_a_session_that_was_resumed_counts_with_its_last_word_and_once(
    habitus: Run, drain: Callable[[], None], tmp_path: Path
) -> None:
    session, task = next(iter(TASKS.items()))
    words = ("import", str(tmp_path), "--user", "lena")
    _transcript(tmp_path, session, f"Please help: {task}.", WISH)
    assert habitus(*words)[0] == 0
    drain()
    _transcript(tmp_path, session, f"Please help: {task}.", WISH, "fence_backtick_count=4, always.")
    assert habitus(*words)[0] == 0
    drain()
    explained = habitus("profile", "explain", "--user", "lena", "--json")[1]
    rows = [json.loads(line) for line in explained.splitlines()]
    assert {row["dimension"]: row["contexts"] for row in rows} == {"dependency_policy": 1, "code_fence_style": 1}


def test_a_session_that_ended_just_now_is_taken_by_one_run(
    habitus: Run, claude: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("now")
    assert habitus("--home", str(home), "install", "claude-code", "--user", "noa")[0] == 0
    session, other = TASKS
    path = _transcript(claude, session, WISH)
    _end(claude, session, path)
    _end(claude, other, claude / "projects" / "-home-u-shop" / f"{other}.jsonl")  # never written out
    os.utime(path)
    status, _, err = habitus("--home", str(home), "--redis-url", "", "--database-url", "", "up", "--once")
    assert (status, err) == (0, "1 sessions taken; 1 wait for a whole transcript: run this again later\n")


def test_what_ended_while_nothing_ran_waits_and_is_taken_at_once(
    habitus: Run, claude: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("once")
    assert habitus("--home", str(home), "install", "claude-code", "--user", "mia")[0] == 0
    for session, task in TASKS.items():
        _end(claude, session, _transcript(claude, session, f"Please help: {task}.", WISH))
    assert len(list((home / "spool").iterdir())) == 2
    assert run_once(read_settings(home=home, redis_url="", database_url="")) == 2
    assert list((home / "spool").iterdir()) == []
    found = audit([*TASKS.values(), *TASKS, "home-u-shop"], [home])
    assert found.clean, "when the sessions are taken, nothing of them or of where they lay is left"
