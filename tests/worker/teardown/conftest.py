"""Transcripts, histories, and a taker of sessions that keeps them."""

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from habitus_schema.errors import UnavailableError
from habitus_schema.ids import IdKey
from habitus_schema.transcript import Speaker, Transcript
from habitus_tasks.pipeline import Caller
from habitus_worker import cli
from habitus_worker.settings import Settings, read_settings
from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.enrolment import Enrolment, enrol
from habitus_worker.teardown.intake import Desk
from habitus_worker.teardown.taken import Taken

HOUR = 3600.0


class Kept:
    """Takes sessions as a submitter does, or refuses them as one does whose Redis is down."""

    def __init__(self) -> None:
        self.sessions: list[tuple[str, list[str]]] = []
        self.callers: list[Caller] = []
        self.refusing = 0
        """How many of the next sessions are refused."""

    def submit(self, transcript: Transcript, caller: Caller) -> str:
        if self.refusing:
            self.refusing -= 1
            raise UnavailableError("Redis does not answer")
        own = [turn.text for turn in transcript.turns if turn.speaker is Speaker.PERSON]
        self.sessions.append((transcript.session_id, own))
        self.callers.append(caller)
        return "0" * 32


def lines(session: str, *said: str) -> str:
    """A Claude Code session in which the person says these."""
    rows = [
        {
            "type": "user", "uuid": f"{session}-{number}", "parentUuid": f"{session}-{number - 1}" if number else None,
            "sessionId": session, "timestamp": "2026-11-20T10:00:00.000Z", "cwd": "/w", "version": "2.1.290",
            "message": {"role": "user", "content": text},
        }
        for number, text in enumerate(said)
    ]  # fmt: skip
    return "".join(json.dumps(row) + "\n" for row in rows)


Write = Callable[..., Path]
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    """Claude Code's own folder."""
    return tmp_path / "claude"


@pytest.fixture
def write(claude: Path) -> Write:
    """Writes a session into the history, last changed so many seconds ago."""

    def make(session: str, *said: str, ago: float = HOUR, name: str = "") -> Path:
        path = claude / "projects" / "-w" / (name or f"{session}.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(lines(session, *said))
        os.utime(path, (time.time() - ago, time.time() - ago))
        return path

    return make


@pytest.fixture
def setup(tmp_path: Path, claude: Path) -> Settings:
    """A data folder in which Claude Code is installed, since for ever."""
    settings = read_settings(home=tmp_path / "home", redis_url="", database_url="")
    enrol(settings.home, Agent.CLAUDE_CODE, Enrolment(user="ada", folder=claude, since=0))
    return settings


@pytest.fixture
def taken(setup: Settings) -> Iterator[Taken]:
    with Taken(setup.home, IdKey("k1", bytes(32))) as taken:
        yield taken


@pytest.fixture
def desk(kept: Kept, taken: Taken) -> Desk:
    return Desk(lambda: kept, taken)


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """Runs `habitus ...` in this process, as a person with a home of their own; returns exit code, stdout, stderr."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HABITUS_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("signal.signal", lambda *_: None)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["habitus", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


@pytest.fixture(scope="session")
def new_kept() -> Callable[[], Kept]:
    return Kept


@pytest.fixture(scope="session")
def make_lines() -> Callable[..., str]:
    return lines
