"""The query-time hook: what it prints, and that nothing makes it fail, hang or block a prompt."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import habitus_hook
from habitus_schema.ids import Kind
from habitus_schema.pairs import Pair
from habitus_worker.keys import create_keys, load_keys
from habitus_worker.user_prompt import run

PROGRAM = Path(habitus_hook.__file__).with_name("__main__.py")
PROSE = Pair(dimension="response_density", value="concise_direct")
QUERY = "why does my script stop after an hour?"
SLOW = 20
"""Seconds after which a hook that should end on its own counts as hanging: a busy machine is no bug."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder with keys and a profile of one pair for ada."""
    create_keys(tmp_path / "keys.json")
    _database(tmp_path, "promoted")
    return tmp_path


def _database(home: Path, status: str) -> None:
    ids = load_keys(home / "keys.json").ids
    with sqlite3.connect(home / "habitus.db") as connection:
        connection.execute("CREATE TABLE profile (tenant, subject, dimension, value, status, expires)")
        person = ids.keyed(Kind.TENANT, "default"), ids.keyed(Kind.SUBJECT, "default", "ada")
        row = (*person, PROSE.dimension.value, PROSE.value, status, None)
        connection.execute("INSERT INTO profile VALUES (?, ?, ?, ?, ?, ?)", row)
    connection.close()


def event(prompt: object = QUERY, name: str = "UserPromptSubmit") -> bytes:
    """As both agents send it; Codex adds a turn and a model, and may give no transcript."""
    fields: dict[str, Any] = {
        "session_id": "s-1", "transcript_path": None, "cwd": "/", "permission_mode": "default",
        "hook_event_name": name, "prompt": prompt, "turn_id": "t-1", "model": "m",
    }  # fmt: skip
    return json.dumps(fields).encode()


def hook(home: Path, stdin: bytes, user: str = "ada", **environment: str) -> subprocess.CompletedProcess[bytes]:
    words = [sys.executable, "-I", str(PROGRAM), "user-prompt", "--home", str(home), "--user", user]
    return subprocess.run(
        words, input=stdin, capture_output=True, timeout=SLOW, check=False, env=os.environ | environment
    )


def answer(home: Path, stdin: bytes, user: str = "ada") -> bytes:
    """What the hook prints where the machine gives it time: the same body, in a process of its own."""
    code = (
        "import os, time; from habitus_worker.user_prompt import run\n"
        f"os.write(1, run(['--home', {str(home)!r}, '--user', {user!r}], time.monotonic() + {SLOW}))"
    )
    done = subprocess.run([sys.executable, "-c", code], input=stdin, capture_output=True, timeout=SLOW, check=True)
    return done.stdout


def silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_it_prints_the_lines_that_apply_in_the_form_of_both_agents(home: Path) -> None:
    output = json.loads(answer(home, event()))
    assert list(output) == ["hookSpecificOutput"]
    assert output["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    context = output["hookSpecificOutput"]["additionalContext"]
    assert context.startswith("<habitus-profile>\n")
    assert context.endswith("\n</habitus-profile>")


def test_it_prints_nothing_when_nothing_applies(home: Path) -> None:
    assert answer(home, event("explain recursion in depth, with all the background")) == b""
    assert answer(home, event(), user="bob") == b""


def test_the_program_prints_what_its_body_gives_or_nothing_where_its_time_was_too_short(home: Path) -> None:
    expected = answer(home, event())
    printed = [hook(home, event()) for _ in range(5)]
    assert {(done.returncode, done.stderr) for done in printed} == {(0, b"")}
    assert {done.stdout for done in printed} <= {expected, b""}


def test_a_hook_that_was_started_too_slowly_prints_nothing(home: Path) -> None:
    code = (
        "import time; time.sleep(0.4); import sys; from habitus_worker.user_prompt import main\n"
        f"sys.argv = ['hook', '--home', {str(home)!r}, '--user', 'ada']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], input=event(), capture_output=True, timeout=SLOW, check=False)
    assert silent(done)


def test_a_contested_pair_is_left_out(tmp_path: Path) -> None:
    create_keys(tmp_path / "keys.json")
    _database(tmp_path, "contested")
    assert answer(tmp_path, event()) == b""


@pytest.mark.parametrize(
    "stdin",
    [
        b"", b"{", b"null", b"[1]", b"\xff\xfe", b"{}", event(7), event(None), event(name="SessionEnd"),
        b'{"prompt": ' + b"[" * 200_000, event() + b"}", b" " * 5_000_000,
    ],
    ids=[
        "empty", "half", "null", "list", "no_text", "no_fields", "number", "none", "other_event", "nested", "more",
        "huge",
    ],
)  # fmt: skip
def test_whatever_comes_on_stdin_it_exits_0_and_prints_nothing(home: Path, stdin: bytes) -> None:
    assert silent(hook(home, stdin))


def test_a_folder_without_keys_or_database_is_silent(tmp_path: Path) -> None:
    assert silent(hook(tmp_path, event()))
    create_keys(tmp_path / "keys.json")
    assert silent(hook(tmp_path, event()))
    assert not (tmp_path / "habitus.db").exists()


def test_keys_open_to_others_are_silent(home: Path) -> None:
    (home / "keys.json").chmod(0o644)
    assert silent(hook(home, event()))


def test_a_database_that_is_locked_or_never_answers_is_silent(home: Path) -> None:
    connection = sqlite3.connect(home / "habitus.db", isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    assert silent(hook(home, event()))
    connection.close()


def test_a_server_that_accepts_and_never_answers_is_silent(home: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"postgresql+psycopg://a@127.0.0.1:{server.getsockname()[1]}/b"
        assert silent(hook(home, event(), HABITUS_DATABASE_URL=url))


def test_a_pipe_that_is_never_closed_does_not_hold_it(home: Path) -> None:
    words = [sys.executable, "-I", str(PROGRAM), "user-prompt", "--home", str(home), "--user", "ada"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.wait(SLOW) == 0
        assert process.stdout is not None
        assert process.stdout.read() == b""


def test_an_event_is_answered_though_the_pipe_stays_open(home: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, event())
    deadline = time.monotonic() + SLOW
    assert run(["--home", str(home), "--user", "ada"], deadline, reading)
    assert time.monotonic() < deadline
    os.close(reading)
    os.close(writing)


def test_nothing_of_a_prompt_or_a_query_is_kept_or_shown(home: Path) -> None:
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    output = answer(home, event(f"{QUERY} zanzibar quokka"))
    assert b"quokka" not in output
    assert {path.name: path.read_bytes() for path in home.iterdir()} == before


def test_the_command_is_as_silent_as_the_fast_program(home: Path) -> None:
    words = [sys.executable, "-m", "habitus_worker", "--home", str(home), "hook", "user-prompt", "--user", "ada"]
    done = subprocess.run(words, input=event(), capture_output=True, timeout=SLOW, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout in {answer(home, event()), b""}


def test_it_loads_neither_a_command_line_nor_a_queue_nor_a_database_toolkit(home: Path) -> None:
    heavy = ("typer", "rich", "celery", "redis", "sqlalchemy", "cryptography", "pydantic_settings", "pydantic", "httpx")
    code = (
        "import sys, time; from habitus_worker import user_prompt as hook\n"
        f"out = hook.run(['--home', {str(home)!r}, '--user', 'ada'], time.monotonic() + {SLOW})\n"
        f"print(bool(out), [each for each in {heavy} if each in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], input=event(), capture_output=True, timeout=SLOW, check=False)
    assert done.stdout.split(b"\n")[0] == b"True []"
