"""A real small model behind llama.cpp's own server, which shows that the plumbing holds. Its judgement is at chance.

Opt-in (`live_model` says what it needs): ``pytest -m live tests/classifier/llm``.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from live_model import live_model

from habitus_classifier import decide
from habitus_classifier.llm import Endpoint, FreeText, LanguageModel
from habitus_classifier.llm.chat import Form
from habitus_schema.pairs import Pair

pytestmark = [pytest.mark.live, pytest.mark.timeout(1800)]
DEV = Path(__file__).parents[2] / "data" / "policy_dev.jsonl"
QUERIES = 4


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with live_model(tmp_path_factory.mktemp("model")) as url:
        yield url


def endpoint(url: str) -> Endpoint:
    return Endpoint(url, "gemma", connections=2, module_seconds=120, query_seconds=900, top_k=3)


def test_a_small_model_gives_rankings_that_can_be_read(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    backend = LanguageModel(endpoint(url))
    right = judged = 0
    for line in DEV.read_text("utf-8").splitlines()[:QUERIES]:
        row = json.loads(line)
        pairs = [Pair.model_validate(each) for each in row["preferences"]][:2]
        items = decide(row["query"], pairs, backend=backend).items
        assert [item.pair for item in items] == pairs
        for item, gold in zip(items, row["policies"], strict=False):
            judged += 1
            right += item.policy == gold
    account = backend.chat.account
    seconds = sorted(account.seconds)
    with capsys.disabled():
        print(  # noqa: T201 - the result, for docs/classifier.md
            f"\n{judged} pairs, {right} right; {account.calls} calls, form {backend.chat.form.name}, "
            f"failures {dict(account.failures)}, {account.prompt_tokens} + {account.completion_tokens} tokens, "
            f"median {seconds[len(seconds) // 2]:.2f} s"
        )
    assert account.failures["unparseable"] <= account.calls / 10
    assert account.failures["timeout"] == account.failures["unreachable"] == 0
    assert backend.chat.form in Form


def test_a_small_model_judges_free_text(url: str) -> None:
    (decision,) = FreeText(endpoint(url)).classify("what is for dinner?", ["likes spicy food but avoids shellfish"])
    assert decision.parts
    assert not decision.failed
