"""The commands that need no service: what they print, what they refuse, how they exit."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from habitus_schema.transcript import Format
from habitus_worker import cli

Call = Callable[..., tuple[int, str, str]]
SAMPLES = Path(__file__).parent.parent / "data" / "transcripts"


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """Runs `habitus ...` in this process; returns its exit code, stdout and stderr."""
    monkeypatch.setenv("HABITUS_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("signal.signal", lambda *_: None)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["habitus", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


def _file(tmp_path: Path, *rows: Any) -> str:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return str(path)


NOTE = {
    "id": "n1",
    "dimension_key": "list_style",
    "dimension_value": "bullets",
    "observed_across_distinct_contexts": 3,
    "source_justification_note": "",
}


def test_extract_prints_the_promised_fields_for_each_session(call: Call) -> None:
    code, out, _ = call("extract", str(SAMPLES / "claude_code_session.jsonl"), "--json")
    (row,) = map(json.loads, out.splitlines())
    assert code == 0
    assert list(row) == ["session", "format", "messages", "own_messages", "candidates", "rejections"]
    assert row["format"] == "claude_code"
    assert row["messages"] > row["own_messages"] > 0
    for candidate in row["candidates"]:
        assert list(candidate) == ["dimension", "value", "signal", "scope"]


def test_extract_gives_a_broken_file_a_line_and_still_runs_the_others(call: Call, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{nothing")
    code, out, err = call("extract", str(broken), str(SAMPLES / "gemini_session.json"), "no.json", "--json")
    first, second = map(json.loads, out.splitlines())
    assert code == 1
    assert [(r["stage"], r["code"]) for r in first["rejections"]] == [("parse", "MALFORMED_TRANSCRIPT")]
    assert second["format"] == "gemini_cli"
    assert err == "habitus: no such file: no.json\n"


def test_extract_makes_no_files(call: Call, tmp_path: Path) -> None:
    call("extract", str(SAMPLES / "gemini_session.json"), "--json")
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("changes", "verdict", "reason"),
    [
        ({}, "accepted", None),
        ({"observed_across_distinct_contexts": 1}, "deferred", None),
        ({"dimension_key": "colour"}, "rejected", "UNKNOWN_DIMENSION"),
        ({"dimension_value": "Bullets"}, "rejected", "UNKNOWN_VALUE"),
        ({"source_justification_note": "mail renata@example.com"}, "rejected", "PRIVATE_EMAIL"),
    ],
)
def test_gate_prints_one_verdict_a_line(
    call: Call, tmp_path: Path, changes: dict[str, Any], verdict: str, reason: str | None
) -> None:
    code, out, _ = call("gate", _file(tmp_path, NOTE | changes), "--json")
    row = json.loads(out)
    assert code == 0
    assert list(row) == ["id", "verdict", "code", "detector"]
    assert row["verdict"] == verdict
    if reason:
        assert row["code"] == reason
    assert "renata" not in out


def test_gate_refuses_a_line_that_is_no_object_by_its_number(call: Call, tmp_path: Path) -> None:
    code, out, err = call("gate", _file(tmp_path, NOTE, "hunter2", NOTE), "--json")
    assert code == 1
    assert len(out.splitlines()) == 2
    assert "line 2: not a JSON object" in err
    assert "hunter2" not in err


def test_classify_prints_rankings_and_scores_for_each_preference(call: Call, tmp_path: Path) -> None:
    row = {
        "id": "q1",
        "query": "write the commit message for these changes",
        "preferences": [{"dimension": "commit_message_style", "value": "conventional"}],
    }
    code, out, _ = call("classify", "--batch", _file(tmp_path, row), "--json")
    answer = json.loads(out)
    (decision,) = answer["decisions"]
    assert code == 0
    assert decision["policy"] == "drive"
    assert set(decision["rankings"]) == {"mle", "cpe_recall", "cpe_intent"}
    assert all(sorted(ranking) == ["A", "B", "C"] for ranking in decision["rankings"].values())
    assert sum(decision["scores"].values()) == 18
    assert "Conventional Commits" in answer["prompt"]


def test_classify_refuses_a_preference_outside_the_catalog_by_its_line(call: Call, tmp_path: Path) -> None:
    row = {"id": "q", "query": "hi", "preferences": [{"dimension": "list_style", "value": "hunter2"}]}
    code, out, err = call("classify", "--batch", _file(tmp_path, row), "--json")
    assert (code, out) == (1, "")
    assert "line 1" in err
    assert "hunter2" not in err


def test_classify_without_a_person_or_a_batch_is_wrong_usage(call: Call) -> None:
    code, _, err = call("classify", "hello")
    assert code == 2
    assert "--user" in err


OBSERVED = {
    "user": "ada", "session": "s1", "context": "c1", "day": "2026-11-01", "dimension": "list_style",
    "value": "bullets", "signal": "standing", "scope": "general",
}  # fmt: skip


def test_simulate_counts_observations_through_the_real_record_code(call: Call, tmp_path: Path) -> None:
    twice = [OBSERVED, OBSERVED | {"session": "s2", "context": "c2"}]
    code, out, _ = call(
        "simulate", _file(tmp_path, {"id": "x", "k": 2, "observations": twice}), "--observations", "--json"
    )
    answer = json.loads(out)
    assert code == 0
    assert [(p["dimension"], p["value"], p["contexts"], p["status"]) for p in answer["profile"]] == [
        ("list_style", "bullets", 2, "promoted")
    ]
    assert "ada" not in answer["profile"][0]["subject"]


def test_simulate_runs_whole_sessions_with_their_literal_spellings(call: Call, tmp_path: Path) -> None:
    def session(name: str) -> dict[str, Any]:
        return {
            "session_id": name, "user_id": "ada", "task_context": name, "ended_at": "2026-11-01T10:00:00Z",
            "messages": [{"role": "user", "content": f"the {name} thing: zero_external_deps=True, always"}],
        }  # fmt: skip

    scenario = {"id": "x", "k": 2, "sessions": [session("mill"), session("harbour")]}
    _, out, _ = call("simulate", _file(tmp_path, scenario), "--json")
    assert [(p["dimension"], p["status"]) for p in json.loads(out)["profile"]] == [("dependency_policy", "promoted")]


@pytest.mark.parametrize("row", ["[]", '{"id": 1, "k": 1, "sessions": []}', '{"k": 2}', '{"k": "2", "sessions": []}'])
def test_simulate_refuses_what_is_no_scenario(call: Call, tmp_path: Path, row: str) -> None:
    code, out, err = call("simulate", _file(tmp_path, row), "--json")
    assert (code, out) == (1, "")
    assert "line 1: not a scenario" in err


def test_eval_gate_prints_its_figures(call: Call, tmp_path: Path) -> None:
    rows = [NOTE | {"verdict": "accepted", "kind": "clean_plain"}]
    code, out, _ = call("eval", "gate", _file(tmp_path, *rows), "--json")
    assert code == 0
    assert json.loads(out)["refused_for_nothing"] == 0.0


def test_eval_refuses_rows_of_another_form(call: Call, tmp_path: Path) -> None:
    code, _, err = call("eval", "recurrence", _file(tmp_path, {"id": 1}))
    assert code == 1
    assert "row 1 is no scenario" in err


def test_a_profile_command_refuses_a_pair_outside_the_catalog(call: Call) -> None:
    code, _, err = call("profile", "pin", "list_style=stars", "--user", "ada")
    assert code == 2
    assert "dimension=value" in err
    assert "stars" not in err


def test_an_unknown_command_is_wrong_usage(call: Call) -> None:
    assert call("bogus")[0] == 2


def test_an_unexpected_failure_shows_its_class_and_nothing_else(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("renata.oliveira@example.com")

    monkeypatch.setattr("habitus_worker.cli.pure.json_lines", broken)
    code, out, err = call("gate", "x", "--json")
    assert (code, out) == (1, "")
    assert err == "habitus: internal error (RuntimeError): please report how you got here\n"


def test_config_prints_settings_with_passwords_masked(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HABITUS_DATABASE_URL", "postgresql+psycopg://u:s3cret@h/db")
    code, out, _ = call("config", "--json")
    assert code == 0
    assert json.loads(out)["database_url"] == "postgresql+psycopg://u:***@h/db"


def test_extract_reads_every_sample(call: Call) -> None:
    samples = sorted(str(path) for path in SAMPLES.iterdir() if path.suffix in (".md", ".json", ".jsonl"))
    code, out, err = call("extract", *samples, "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert len(rows) >= len(samples)
    assert {row["format"] for row in rows} >= set(Format) - {Format.HABITUS}


NAMING = [["profile", "show"], ["forget"], ["submit", "-"], ["classify", "a query"], ["import", "."]]


@pytest.mark.parametrize("command", NAMING)
@pytest.mark.parametrize("option", ["--user", "--tenant"])
def test_an_empty_name_is_refused_as_wrong_usage(call: Call, command: list[str], option: str) -> None:
    other = [] if option == "--user" else ["--user", "ada"]
    code, _, err = call(*command, *other, option, " ")
    assert (code, "must not be empty" in err) == (2, True)


def test_an_empty_query_is_refused_as_wrong_usage(call: Call) -> None:
    code, _, err = call("classify", "--user", "ada", " ")
    assert (code, "the query is empty" in err) == (2, True)


@pytest.mark.parametrize("action", ["retry", "drop"])
def test_which_dead_letters_is_to_be_said(call: Call, action: str) -> None:
    code, out, err = call("deadletters", action)
    assert (code, out, err) == (2, "", "habitus: name tickets, or --all\n")


@pytest.mark.parametrize("command", ["extract", "gate"])
def test_a_pipe_that_is_named_is_refused_and_not_waited_for(call: Call, tmp_path: Path, command: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code, _, err = call(command, str(pipe))
    assert (code, err) == (
        1, f"habitus: {pipe} is not a regular file: name one, or give a pipe on stdin and name -\n",
    )  # fmt: skip


def _habitus(words: str, tmp_path: Path, **more: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -m habitus_worker --home "$1" {words}', sys.executable, str(tmp_path)],
        capture_output=True, text=True, check=False, timeout=60, **more,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_a_pipe_on_stdin_is_read_by_either_name(tmp_path: Path, name: str) -> None:
    done = _habitus(f"extract {name} --json", tmp_path, input=(SAMPLES / "gemini_session.json").read_text())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["format"] == "gemini_cli"


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_a_standard_stream_that_is_closed_is_no_failure(tmp_path: Path, closed: str) -> None:
    done = _habitus(f"config {closed}", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_stdin_that_is_closed_reads_as_empty(tmp_path: Path) -> None:
    done = _habitus("gate - <&-", tmp_path)
    assert "internal error" not in done.stderr


@pytest.mark.parametrize("words", [["up"], ["up", "--once"]])
@pytest.mark.parametrize("how", ["flag", "environment", "file"])
def test_up_is_refused_where_the_settings_name_the_redis_of_a_deployment(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], how: str
) -> None:
    flags: list[str] = []
    if how == "flag":
        flags = ["--redis-url", "redis://nobody.invalid:1/0"]
    elif how == "environment":
        monkeypatch.setenv("HABITUS_REDIS_URL", "redis://nobody.invalid:1/0")
    else:
        (tmp_path / "habitus.toml").write_text('redis_url = "redis://nobody.invalid:1/0"\n')
        flags = ["--config", str(tmp_path / "habitus.toml")]
    code, _, err = call(*flags, *words)
    assert code == 2
    assert "HABITUS_REDIS_URL" in err
    assert "habitus worker" in err
    assert not (tmp_path / "home").exists()
