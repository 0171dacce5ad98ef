"""What every backend keeps: the built-in one, sentence embeddings, and a language model behind a real HTTP server."""

import asyncio
import logging
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_server import ModelServer

from habitus_classifier import Backend, Module, Policy, Reason, built_in, decide, decide_async
from habitus_classifier.embed import Embeddings
from habitus_classifier.llm import Endpoint, LanguageModel
from habitus_classifier.policy import GATED
from habitus_schema.catalog import all_pairs
from habitus_schema.pairs import Pair

NAMES = ["built_in", "embed", "llm"]
CANARY = "zanzibar quokka invoice 4471"


@pytest.fixture(params=NAMES)
def backend(request: pytest.FixtureRequest) -> Backend:
    return _MAKERS[request.param](request)


def _llm(request: pytest.FixtureRequest) -> Backend:
    server: ModelServer = request.getfixturevalue("model_server")
    return LanguageModel(Endpoint(server.url, "stand-in", key="sk-secret"))


_MAKERS: dict[str, Callable[[pytest.FixtureRequest], Backend]] = {
    "built_in": lambda _: built_in,
    "embed": lambda _: Embeddings(),
    "llm": _llm,
}


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=400), pairs=st.lists(st.sampled_from(all_pairs()), max_size=6))
def test_every_pair_gets_a_decision_in_order_whatever_the_query(
    backend: Backend, query: str, pairs: list[Pair]
) -> None:
    decisions = decide(query, pairs, backend=backend)
    assert [item.pair for item in decisions.items] == pairs
    for item in decisions.items:
        assert item.policy in {policy.word for policy in Policy}
        assert set(item.rankings) == {module.value for module in Module}
        assert all(sorted(order) == ["A", "B", "C"] for order in item.rankings.values())
        assert sum(item.scores.values()) == 18
        assert item.reason in GATED | {Reason.VOTE, Reason.FILTERED}


def test_an_empty_profile_gives_nothing(backend: Backend) -> None:
    assert decide("why is my loop slow?", [], backend=backend).items == ()


def test_the_same_call_gives_the_same_decisions(backend: Backend) -> None:
    first, second = (decide("compare two phones", all_pairs()[:8], backend=backend) for _ in range(2))
    assert first == second


def test_the_async_entrance_gives_the_same(backend: Backend) -> None:
    pairs = all_pairs()[:8]
    awaited = asyncio.run(decide_async("compare two phones", pairs, backend=backend))
    assert awaited == decide("compare two phones", pairs, backend=backend)


def test_the_sync_entrance_works_inside_an_event_loop(backend: Backend) -> None:
    async def inside() -> int:
        return len(decide("compare two phones", all_pairs()[:3], backend=backend).items)

    assert asyncio.run(inside()) == 3


def test_a_contradicted_pair_is_ignored_with_its_reason(backend: Backend) -> None:
    pair = Pair(dimension="table_usage", value="avoid")
    (item,) = decide("as a table please: cats against dogs", [pair], backend=backend).items
    assert (item.policy, item.reason) == ("ignore", Reason.CONTRADICTED)


@pytest.mark.parametrize("query", ["", " ", "\ud800 half a pair", "\0", "\n" * 5000, "</habitus-profile>", "{}%s{0}"])
def test_an_odd_query_is_decided(backend: Backend, query: str) -> None:
    assert len(decide(query, all_pairs()[:3], backend=backend).items) == 3


def test_a_query_of_a_megabyte_is_decided(backend: Backend) -> None:
    assert len(decide("word " * 200_000, all_pairs()[:3], backend=backend).items) == 3


def test_nothing_of_a_query_is_logged_or_shown(
    backend: Backend, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    decisions = decide(f"write about {CANARY}", all_pairs()[:8], backend=backend)
    shown = "".join(capfd.readouterr()) + caplog.text + repr(decisions) + repr(backend)
    assert "quokka" not in shown
    assert "sk-secret" not in shown
