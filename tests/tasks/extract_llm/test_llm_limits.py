"""How much and how often the endpoint is asked: turns, breaker, windows, budget, what the answer may be."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llm_endpoint import Endpoint, finding, finds

from habitus_schema.catalog import all_pairs
from habitus_schema.transcript import Format, Speaker, Transcript, Turn, TurnKind
from habitus_tasks.barriers import refusal
from habitus_tasks.extract.own import own_turns
from habitus_tasks.extract_llm.answer import Finding, read_answer, schema
from habitus_tasks.extract_llm.config import Api, LlmConfig, Masking
from habitus_tasks.extract_llm.dialects import headers_of, said, url_of
from habitus_tasks.extract_llm.faults import Fault, LlmError
from habitus_tasks.extract_llm.limits import Breaker, RateLimiter, tokens_of
from habitus_tasks.extract_llm.mask import Mask
from habitus_tasks.extract_llm.portions import MAX_CHARS, OVERLAP, entries_of, portions_of
from habitus_tasks.extract_llm.prompt import system, told_words


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@given(st.integers(1, 600), st.integers(1, 200))
def test_turns_are_given_out_at_most_so_often(per_minute: int, count: int) -> None:
    clock = Clock()
    limiter = RateLimiter(per_minute, clock, clock.sleep)
    for _ in range(count):
        limiter.take(until=1e9)
    burst = max(per_minute // 10, 1)
    assert clock.now - 100.0 == pytest.approx(max(count - burst, 0) * 60 / per_minute, abs=1e-6)


def test_a_turn_that_comes_too_late_is_refused_at_once_and_not_taken() -> None:
    clock = Clock()
    limiter = RateLimiter(1, clock, clock.sleep)
    limiter.take(until=100.0)
    for _ in range(3):
        with pytest.raises(LlmError) as refused:
            limiter.take(until=130.0)
        assert (refused.value.fault, clock.now) == (Fault.RATE_LIMITED, 100.0)
    limiter.take(until=160.0)
    assert clock.now == 160.0


def test_the_breaker_opens_after_failures_in_a_row_only_and_closes_on_a_success() -> None:
    clock = Clock()
    breaker = Breaker(2, 30.0, clock)
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    assert breaker.allows()
    breaker.failed()
    assert not breaker.allows()
    clock.sleep(30.0)
    assert breaker.allows()
    assert not breaker.allows(), "one at a time tries an endpoint that failed"
    breaker.failed()
    clock.sleep(29.0)
    assert not breaker.allows()
    clock.sleep(1.0)
    assert breaker.allows()
    breaker.succeeded()
    assert breaker.allows()


def talk(*words: str) -> Transcript:
    turns = [
        turn for said_ in words for turn in (Turn(Speaker.PERSON, said_, prose=said_), Turn(Speaker.ASSISTANT, "ok"))
    ]
    return Transcript(Format.HABITUS, "s", turns)


@given(st.lists(st.text("ab ", min_size=1, max_size=400), max_size=30), st.integers(200, 1000), st.integers(0, 9000))
def test_windows_hold_each_message_once_in_order_and_stay_within_the_budget(
    words: list[str], window: int, budget: int
) -> None:
    entries = entries_of(own_turns(talk(*words).turns), Mask(Masking.OFF), budget * 2)
    portions = portions_of(entries, window, budget, overhead=100)
    numbers = [number for portion in portions for number in portion.own]
    last = entries[-1].number if entries else 0
    assert numbers == list(range(last - len(numbers) + 1, last + 1)), "the latest, and none left out"
    assert sum(portion.tokens + 100 for portion in portions) <= max(budget, 0)
    for portion in portions:
        assert len(portion.entries) == 1 or sum(each.tokens for each in portion.entries) <= window
        first = portion.entries[0].number
        assert [each.number for each in portion.before] == list(range(max(first - OVERLAP, 1), first))


def test_a_message_before_a_window_is_shown_and_cannot_be_cited(asking: Any, endpoint: Endpoint) -> None:
    endpoint.then(finds(finding("indent_style=tabs", 1)))
    extraction = asking(window_tokens=30, masking=Masking.OFF)(talk("one " * 20, "two " * 20))
    assert len(endpoint.requests) == 2
    late, early = (json.loads(request.asked) for request in endpoint.requests)
    assert [each["number"] for each in late["earlier"]] == [1]
    assert [each["number"] for each in late["messages"]] == [2]
    assert (early["earlier"], [each["number"] for each in early["messages"]]) == ([], [1])
    assert [each.turn for each in extraction.candidates] == [0]


def test_tokens_that_the_endpoint_counts_end_a_session_early_at_its_start(asking: Any, endpoint: Endpoint) -> None:
    def costly(handler: Any, request: Any) -> None:
        handler.reply(200, {"choices": [{"message": {"content": '{"findings": []}'}}],
                            "usage": {"prompt_tokens": 1_000_000, "completion_tokens": 1}})  # fmt: skip

    endpoint.then(costly)
    asking(window_tokens=30)(talk("one " * 20, "two " * 20))
    (request,) = endpoint.requests
    assert [each["number"] for each in json.loads(request.asked)["messages"]] == [2]


def test_a_long_message_is_sent_by_its_start_and_end() -> None:
    own = own_turns(talk("first " * 3000 + "last " * 3000).turns)
    (entry,) = entries_of(own, Mask(Masking.OFF), 10**6)
    words = entry.sent["words"]
    assert len(words) <= MAX_CHARS + 10
    assert words.startswith("first first")
    assert words.rstrip().endswith("last")


def test_what_is_over_the_budget_is_not_even_masked() -> None:
    own = own_turns(talk(*(f"call halvorsen{number} now" for number in range(50))).turns)
    mask = Mask(Masking.WORDS)
    entries = entries_of(own, mask, budget=100)
    assert [each.number for each in entries] == list(range(51 - len(entries), 51))
    assert len(entries) < 10
    assert "halvorsen0" not in {mask.name(number) for number in range(100)}


def test_edits_and_empty_messages_are_not_sent() -> None:
    turns = (Turn(Speaker.PERSON, "", kind=TurnKind.EDIT, proposed="a", kept="b"), Turn(Speaker.PERSON, "x", prose=" "))
    assert entries_of(own_turns(turns), Mask(Masking.OFF), 10**6) == []


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_no_text_breaks_the_reading_of_an_answer(text: str) -> None:
    answer = read_answer(text)
    assert answer is None or isinstance(answer.findings, tuple)
    for api in Api:
        body = said(api, text.encode("utf-8", "replace"))
        assert body is None or isinstance(body.text, str)


def test_the_schema_allows_exactly_the_catalog_and_its_answers_validate() -> None:
    item = schema()["properties"]["findings"]["items"]
    assert item["properties"]["pair"]["enum"] == [str(pair) for pair in all_pairs()]
    assert set(item["required"]) == set(item["properties"]) == set(Finding.model_fields)
    for hold in item["properties"]["hold"]["enum"]:
        answer = read_answer(json.dumps({"findings": [finding(str(all_pairs()[0]), hold=hold)]}))
        assert answer is not None
        assert len(answer.findings) == 1


def test_a_finding_shows_nothing_of_itself() -> None:
    each = Finding.model_validate(finding("indent_style=tabs", note="for Halvorsen"))
    assert "Halvorsen" not in f"{each} {each!r}"


def test_every_word_that_the_model_is_told_may_stand_in_a_note() -> None:
    assert len(told_words()) > 500
    assert [word for word in told_words() if refusal(f"the person {word}")] == []
    assert " ".join(told_words()[:50]) in system()


@pytest.mark.parametrize(
    ("api", "base", "url"),
    [
        (Api.OPENAI, "https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
        (Api.OPENAI, "http://llm:8000/v1/", "http://llm:8000/v1/chat/completions"),
        (Api.OPENAI, "http://llm/v1/chat/completions", "http://llm/v1/chat/completions"),
        (Api.ANTHROPIC, "https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
        (Api.ANTHROPIC, "https://gateway.example/v1", "https://gateway.example/v1/messages"),
        (Api.ANTHROPIC, "https://gateway.example/x/messages", "https://gateway.example/x/messages"),
    ],
)
def test_the_url_is_made_of_a_base_or_taken_whole(api: Api, base: str, url: str) -> None:
    assert url_of(LlmConfig(base, "m", api)) == url


@pytest.mark.parametrize("api", Api)
def test_without_a_key_none_is_sent(api: Api) -> None:
    assert not {"authorization", "x-api-key"} & headers_of(LlmConfig("http://x", "m", api)).keys()


def test_the_estimate_of_tokens_is_on_the_high_side() -> None:
    assert tokens_of("keep your answers short and to the point, please") >= 11
    assert tokens_of("请把回答写短一点") >= 8
