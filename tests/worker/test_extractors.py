"""The settings choose the extractor; what cannot work is refused at start-up."""

import json
from pathlib import Path

import pytest
from llm_endpoint import fails, finding, finds, llm_endpoint
from pydantic import SecretStr
from typer.testing import CliRunner

from habitus_schema.errors import UsageError
from habitus_tasks.extract import extract
from habitus_tasks.extract_llm.extractor import LlmExtractor
from habitus_worker.cli import app
from habitus_worker.extractors import extractor_of
from habitus_worker.fleet import environment
from habitus_worker.settings import Settings, read_settings

WHOLE = {"extractor": "llm", "llm_endpoint": "http://127.0.0.1:9/v1", "llm_model": "m"}


def of(**settings: object) -> object:
    read = read_settings(**settings)
    return extractor_of(read, read.task_seconds)


def test_the_embedded_extractor_is_the_default() -> None:
    assert of() is extract
    assert of(llm_endpoint="http://127.0.0.1:9/v1", llm_model="m") is extract


def test_an_llm_is_asked_when_the_settings_say_so() -> None:
    assert isinstance(of(**WHOLE), LlmExtractor)


@pytest.mark.parametrize(
    ("change", "setting"),
    [
        ({"llm_endpoint": ""}, "llm_endpoint"),
        ({"llm_endpoint": "ftp://llm"}, "llm_endpoint"),
        ({"llm_endpoint": "https://user:secret@llm/v1"}, "llm_endpoint"),
        ({"llm_model": ""}, "llm_model"),
        ({"llm_session_seconds": 101}, "llm_session_seconds"),
        ({"llm_mask": "some"}, "llm_mask"),
        ({"extractor": "oracle"}, "extractor"),
    ],
)
def test_settings_that_cannot_work_are_refused_by_name_and_without_their_value(
    change: dict[str, object], setting: str
) -> None:
    with pytest.raises(UsageError, match=f"setting {setting}") as refused:
        of(**{**WHOLE, **change})
    assert "secret" not in str(refused.value)


def test_a_worker_process_gets_the_key_and_nobody_else_sees_it() -> None:
    settings: Settings = read_settings(**WHOLE, llm_key="sk-swordfish")
    assert isinstance(settings.llm_key, SecretStr)
    assert environment(settings)["HABITUS_LLM_KEY"] == "sk-swordfish"
    assert environment(settings)["HABITUS_EXTRACTOR"] == "llm"
    assert "swordfish" not in repr(settings) + str(settings.model_dump(mode="json"))


def test_the_commands_that_need_no_service_ask_it_too(tmp_path: Path) -> None:
    session = {"session_id": "s", "messages": [{"role": "user", "content": "a matter of taste"}]}
    pair = {"dimension": "quote_style", "value": "single", "signal": "standing", "scope": "general"}
    row = {"id": "x", "format": "habitus", "session": session, "labels": [pair], "tags": []}
    (tmp_path / "s.json").write_text(json.dumps(session))
    (tmp_path / "set.jsonl").write_text(json.dumps(row))
    with llm_endpoint() as endpoint:
        env = {**{f"HABITUS_{name.upper()}": value for name, value in WHOLE.items()}, "HABITUS_HOME": str(tmp_path)}
        env["HABITUS_LLM_ENDPOINT"] = endpoint.url + "/v1"
        endpoint.then(finds(finding("quote_style=single", signal="standing")))
        shown = CliRunner().invoke(app, ["extract", str(tmp_path / "s.json"), "--json"], env=env)
        assert json.loads(shown.stdout)["candidates"] == [pair]
        scored = CliRunner().invoke(app, ["eval", "extraction", str(tmp_path / "set.jsonl"), "--json"], env=env)
        assert [json.loads(scored.stdout)[name] for name in ("true", "false", "missed")] == [1, 0, 0]
        endpoint.then(fails(401))
        told = CliRunner().invoke(app, ["extract", str(tmp_path / "s.json"), "--json"], env=env)
        assert "the LLM did not help (REFUSED): the embedded extractor read the session" in told.stderr
        assert json.loads(told.stdout)["candidates"] == []
