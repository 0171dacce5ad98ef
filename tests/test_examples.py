"""Each example runs as written, against a local endpoint, and hands on the lines and the question."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from model_server import ModelServer, Reply

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(example: Path, server: ModelServer, query: str) -> str:
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    environment |= {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none", "OPENAI_MODEL": "stand-in"}
    done = subprocess.run(
        [sys.executable, str(example), query], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_is_one_for_each_of_the_three() -> None:
    assert [each.stem for each in EXAMPLES] == ["langgraph_habits", "openai_agents_habits", "plain_httpx"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.stem)
def test_an_example_hands_on_the_lines_that_apply_and_the_question_word_for_word(
    model_server: ModelServer, example: Path
) -> None:
    model_server.script = lambda request: Reply("By train.")
    query = "train or plane to Rome?  compare them"
    assert run(example, model_server, query) == "By train.\n"
    (request,) = model_server.requests
    system, user = request["messages"]
    assert system["role"] == "system"
    assert "<habitus-profile>" in system["content"]
    assert "table" in system["content"]
    assert (user["role"], user["content"]) == ("user", query)


LIGHT = [each for each in EXAMPLES if not each.stem.startswith("openai")]


@pytest.mark.parametrize("example", LIGHT, ids=lambda each: each.stem)
def test_an_example_adds_nothing_where_nothing_applies(model_server: ModelServer, example: Path) -> None:
    model_server.script = lambda request: Reply("Bonjour le monde")
    run(example, model_server, "good morning, how are you?")
    (request,) = model_server.requests
    assert "<habitus-profile>" not in str(request["messages"])
