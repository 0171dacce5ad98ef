"""Whose a session is: who was named on the command line, else who its envelope names, else the default."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
WISH = "zero_external_deps=True, please, always."
"""A literal spelling: what is tested here is the flow, whatever the extractor's model makes of prose."""


def _session(name: str, user: str, tenant: str) -> dict[str, Any]:
    message = {"role": "user", "content": f"the {name} thing: {WISH}"}
    names = {"user_id": user, "tenant_id": tenant}
    return {
        **{key: value for key, value in names.items() if value},
        "session_id": name, "task_context": name, "ended_at": "2026-11-20T10:00:00Z", "messages": [message],
    }  # fmt: skip


@pytest.fixture
def two_of(tmp_path: Path) -> Callable[..., str]:
    """Writes a file with two sessions, in two contexts, of each (user, tenant)."""

    def write(*people: tuple[str, str]) -> str:
        path = tmp_path / "sessions.jsonl"
        rows = [_session(f"{user}{tenant}{at}", user, tenant) for user, tenant in people for at in "ab"]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(path)

    return write


@pytest.fixture
def habits(habitus: Run, drain: Callable[[], None]) -> Callable[..., int]:
    """How many habits a person has, once all is counted."""

    def count(user: str, tenant: str = "default") -> int:
        drain()
        shown = habitus("profile", "show", "--user", user, "--tenant", tenant, "--json")
        return len(shown.stdout.splitlines())

    return count


@pytest.mark.parametrize("command", ["submit", "import"])
def test_people_whom_the_envelopes_name_stay_apart(
    habitus: Run, habits: Callable[..., int], two_of: Callable[..., str], command: str
) -> None:
    one, other = f"{command}-hal", f"{command}-ida"
    path = two_of((one, ""), (other, f"{command}-north"))
    done = habitus(command, path)
    assert done.returncode == 0, done.stderr
    assert [habits(one), habits(other, f"{command}-north"), habits(other)] == [1, 1, 0]


@pytest.mark.parametrize("command", ["submit", "import"])
def test_who_is_named_on_the_command_line_outranks_the_envelopes(
    habitus: Run, habits: Callable[..., int], two_of: Callable[..., str], command: str
) -> None:
    said, inside = f"{command}-jan", f"{command}-kim"
    path = two_of((inside, "inside"))
    done = habitus(command, path, "--user", said, "--tenant", "said")
    assert done.returncode == 0, done.stderr
    assert [habits(said, "said"), habits(inside, "inside"), habits(said), habits(inside)] == [1, 0, 0, 0]


def test_an_imported_session_that_names_nobody_is_the_login_names(
    habitus: Run, habits: Callable[..., int], two_of: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "lea")
    assert habitus("import", two_of(("", ""))).returncode == 0
    assert habits("lea") == 1


def test_a_submitted_session_that_names_nobody_is_refused_unless_somebody_is_named(
    habitus: Run, two_of: Callable[..., str]
) -> None:
    done = habitus("submit", two_of(("", "")))
    assert done.returncode == 1
    assert "it names nobody; say whose it is with --user" in done.stderr
    assert done.stderr.endswith("0 submitted, 2 refused\n")
