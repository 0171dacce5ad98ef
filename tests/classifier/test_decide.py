"""One call from a query and a profile to decisions."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_classifier import Judgement, Module, Policy, Reason, decide, decide_async
from habitus_classifier import modules as built_in_modules
from habitus_classifier.policy import GATED
from habitus_schema.catalog import all_pairs
from habitus_schema.pairs import Pair

WORDS = {policy.word for policy in Policy}


def pair(text: str) -> Pair:
    dimension, _, value = text.partition("=")
    return Pair(dimension=dimension, value=value)


def one(query: str, text: str) -> str:
    return decide(query, [pair(text)]).items[0].policy


def backend(rankings: Mapping[Module, str | None], gate: Reason | None = None):  # type: ignore[no-untyped-def]
    def judge(query: str, pairs: Sequence[Pair]) -> list[Judgement]:
        return [Judgement(gate, rankings) for _ in pairs]

    return judge


ALL = dict.fromkeys(Module, "CBA")


@given(st.text(max_size=3000), st.lists(st.sampled_from(all_pairs()), max_size=40))
def test_every_pair_gets_a_decision_in_order_whatever_the_query(query: str, pairs: list[Pair]) -> None:
    decisions = decide(query, pairs)
    assert [item.pair for item in decisions.items] == pairs
    for item in decisions.items:
        assert item.policy in WORDS
        assert set(item.rankings) == {"mle", "cpe_recall", "cpe_intent"}
        assert all(sorted(order) == ["A", "B", "C"] for order in item.rankings.values())
        assert sum(item.scores.values()) == 18
        assert item.reason in Reason
        assert item.reason not in GATED or item.policy == "ignore"


def test_an_empty_profile_gives_nothing() -> None:
    decisions = decide("why is my loop slow?", [])
    assert (decisions.items, decisions.all_drive, decisions.prompt) == ((), False, "")


def test_the_same_call_gives_the_same_decisions() -> None:
    assert decide("compare two phones", all_pairs()) == decide("compare two phones", all_pairs())


def test_decisions_cannot_be_changed() -> None:
    decisions = decide("hello", all_pairs()[:1])
    with pytest.raises(FrozenInstanceError):
        decisions.prompt = "x"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        decisions.items[0].policy = "drive"  # type: ignore[misc]


def test_the_async_entrance_gives_the_same() -> None:
    query = "draft a note to my landlord"
    assert asyncio.run(decide_async(query, all_pairs())) == decide(query, all_pairs())


@pytest.mark.parametrize("missing", list(Module))
def test_a_module_that_failed_is_left_out_and_the_other_two_decide(missing: Module) -> None:
    item = decide("x", all_pairs()[:1], backend=backend(ALL | {missing: None})).items[0]
    assert item.policy == "drive"
    assert missing.value not in item.rankings
    assert item.scores == {"ignore": 6, "support": 4, "drive": 2}


def test_with_one_module_left_the_pair_is_ignored() -> None:
    only = {Module.MLE: "CBA", Module.CPE_RECALL: None, Module.CPE_INTENT: None}
    item = decide("x", all_pairs()[:1], backend=backend(only)).items[0]
    assert (item.policy, item.reason) == ("ignore", Reason.TOO_FEW_MODULES)


def test_a_built_in_module_that_breaks_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(built_in_modules, "mle", broken)
    item = decide("hello", all_pairs()[:1]).items[0]
    assert set(item.rankings) == {"cpe_recall", "cpe_intent"}


def test_a_closed_gate_ignores_what_all_modules_would_drive() -> None:
    item = decide("x", all_pairs()[:1], backend=backend(ALL, Reason.CONTRADICTED)).items[0]
    assert (item.policy, item.reason) == ("ignore", Reason.CONTRADICTED)
    assert item.rankings == {"mle": "CBA", "cpe_recall": "CBA", "cpe_intent": "CBA"}
    assert item.scores["drive"] == 3


def test_an_unparseable_ranking_counts_as_ignore_first() -> None:
    item = decide("x", all_pairs()[:1], backend=backend(dict.fromkeys(Module, "I think B fits"))).items[0]
    assert item.policy == "ignore"
    assert set(item.rankings.values()) == {"ABC"}


def test_all_pairs_at_drive_is_flagged() -> None:
    assert decide("x", all_pairs()[:2], backend=backend(ALL)).all_drive
    assert not decide("x", all_pairs()[:1], backend=backend(ALL)).all_drive
    assert not decide("x", all_pairs()[:2], backend=backend(ALL, Reason.MOOT)).all_drive


@pytest.mark.parametrize(
    ("query", "text", "policy"),
    [
        ("what should I cook tonight with pumpkin?", "type_annotations=include", "ignore"),
        ("write a commit message for the renamed setting", "commit_message_style=conventional", "drive"),
        ("refactor this function:\ndef f(x):\n    return x", "code_delivery=full_file", "drive"),
        ("why does my script stop after an hour?", "response_density=concise_direct", "support"),
        ("explain recursion in depth, with all the background", "response_density=concise_direct", "ignore"),
        ("as a table please: cats against dogs", "table_usage=avoid", "ignore"),
        ("as a table please: cats against dogs", "table_usage=prefer", "drive"),
        ("erkläre mir ausführlich die Inflation", "response_density=concise_direct", "ignore"),
        ("用表格比较火车和飞机", "table_usage=avoid", "ignore"),
        ("write a letter to my insurance about the broken window", "code_fence_style=triple_backtick", "ignore"),
        ("add unit tests for the date helper", "test_policy=on_request", "ignore"),
    ],
)
def test_settled_cases_of_the_labelling_rules(query: str, text: str, policy: str) -> None:
    assert one(query, text) == policy


def test_the_reasons_of_the_gate_are_told_apart() -> None:
    def reason(query: str, text: str) -> Reason:
        return decide(query, [pair(text)]).items[0].reason

    assert reason("put it in a table", "table_usage=avoid") is Reason.CONTRADICTED
    assert reason("write a formal letter to my landlord", "heading_usage=use") is Reason.RECIPIENT
    assert reason("an instagram caption for our summer party", "heading_usage=use") is Reason.MEDIUM
    assert reason("explain inflation in two sentences", "heading_usage=use") is Reason.CONTRADICTED
    assert reason("friendlier please, it is an invitation: dinner, friday", "emoji_usage=allowed") is Reason.VOTE
    assert reason("write unit tests for the cart", "test_policy=on_request") is Reason.MOOT
    assert reason("how do magnets work", "heading_usage=use") is Reason.VOTE
