"""`habitus eval rpeval` against a real HTTP server: the vote, L1, the baselines, going on after a stop."""

import json
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Reply, Request, asked, ranking
from typer.testing import CliRunner

from habitus_worker.cli import app

SINGLE = [
    {"question": "dinner?", "persona": "is vegan", "intent_type": "dominate"},
    {"question": "a film?", "persona": "is vegan", "intent_type": "ignore"},
]
MULTI = [{"question": "lunch?", "persona": ["is vegan", "owns a dog"], "intent_type": "CA"}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "explicit_preference"
    path.mkdir()
    (path / "single_testset.json").write_text(json.dumps(SINGLE))
    (path / "multi_testset.json").write_text(json.dumps(MULTI))
    return tmp_path


def script(request: Request) -> Reply:
    """A model that knows what a vegan eats, cannot split, and says A to everything when asked at once."""
    text = asked(request)
    if '"policies"' in text:
        return Reply(json.dumps({"policies": "A" * text.count("is vegan") + "A" * text.count("owns a dog")}))
    if '"preferences"' in text:
        return Reply("I cannot")
    meal = "dinner" in text or "lunch" in text
    return Reply(ranking("CBA" if meal and "vegan" in text else "ABC"))


def run(server: ModelServer, folder: Path, *more: str) -> tuple[int, dict[str, Any], str]:
    line = ["eval", "rpeval", str(folder), "--endpoint", server.url, "--results", str(folder / "results.jsonl")]
    done = CliRunner().invoke(app, [*line, "--json", *more])
    return done.exit_code, json.loads(done.stdout) if done.stdout else {}, done.stderr


def test_the_vote_l1_and_the_baselines_are_printed_side_by_side(model_server: ModelServer, folder: Path) -> None:
    model_server.script = script
    code, report, _ = run(model_server, folder)
    rows = {row["system"]: row for row in report["explicit_preference"]}
    assert code == 0
    assert list(rows) == ["vote", "L1", "always ignore", "preference only"]
    assert rows["vote"]["single"].startswith("1.000 [")
    assert rows["vote"]["single"].endswith("2/2")
    assert rows["vote"]["macro"].endswith("1/1")
    assert rows["L1"]["single"].endswith("1/2")
    assert rows["L1"]["micro"].endswith("1/2")
    assert rows["always ignore"]["micro_lko"].endswith("1/2")
    assert rows["always ignore"]["micro_ia"] == ""
    vote, l1 = report["cost"]
    assert (vote["answers"], l1["answers"], l1["calls"], l1["prompt_tokens"]) == (3, 3, 3, 150)
    assert vote["calls"] > 12


def test_a_run_that_stopped_goes_on_and_asks_nothing_twice(model_server: ModelServer, folder: Path) -> None:
    model_server.script = script
    run(model_server, folder)
    path = folder / "results.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:20])
    model_server.requests.clear()
    code, report, _ = run(model_server, folder)
    assert code == 0
    assert len([each for each in model_server.requests if '"policies"' in asked(each)]) <= 1
    assert [row["answers"] for row in report["cost"]] == [3, 3]
    model_server.requests.clear()
    run(model_server, folder)
    assert model_server.requests == []


def test_results_hold_no_word_of_the_records(model_server: ModelServer, folder: Path) -> None:
    model_server.script = script
    run(model_server, folder)
    text = (folder / "results.jsonl").read_text()
    assert not any(word in text for word in ("vegan", "dinner", "dog", "film"))


def test_results_of_another_model_are_not_continued(model_server: ModelServer, folder: Path) -> None:
    model_server.script = script
    run(model_server, folder)
    done = CliRunner().invoke(
        app,
        ["eval", "rpeval", str(folder), "--endpoint", model_server.url, "--model", "other",
         "--results", str(folder / "results.jsonl")],
    )  # fmt: skip
    assert "another model or other data" in str(done.exception)


def test_an_answer_that_cannot_be_read_is_wrong(model_server: ModelServer, folder: Path) -> None:
    model_server.script = lambda request: Reply("let me think")
    code, report, _ = run(model_server, folder)
    rows = {row["system"]: row for row in report["explicit_preference"]}
    assert code == 0
    assert rows["vote"]["single"].endswith("0/2")
    assert rows["L1"]["micro"].endswith("0/2")


def test_records_without_an_answer_are_named_and_asked_for_again(
    model_server: ModelServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("habitus_classifier.llm.chat.BACKOFF_SECONDS", 0.01)
    model_server.script = lambda request: script(request) if "lunch" not in asked(request) else Reply(status=503)
    code, report, stderr = run(model_server, folder, "--at-once", "1")
    assert code == 1
    assert "2 answers are missing" in stderr
    model_server.script = script
    code, report, _ = run(model_server, folder)
    assert code == 0
    assert report["explicit_preference"][0]["macro"].endswith("1/1")


def test_an_endpoint_that_never_answers_ends_the_run(
    model_server: ModelServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("habitus_classifier.llm.chat.BACKOFF_SECONDS", 0.01)
    model_server.script = lambda request: Reply(status=401)
    done = CliRunner().invoke(
        app, ["eval", "rpeval", str(folder), "--endpoint", model_server.url, "--results", str(folder / "r.jsonl")]
    )
    assert "gives no answers" in str(done.exception)


def test_the_command_says_what_it_needs(folder: Path) -> None:
    assert "--endpoint" in str(CliRunner().invoke(app, ["eval", "rpeval", str(folder)]).exception)
