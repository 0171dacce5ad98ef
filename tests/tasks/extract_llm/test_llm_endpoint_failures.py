"""An endpoint that fails in every way: the session is read all the same, and nothing of it gets out."""

import io
import logging
import time
import traceback
from collections.abc import Callable

import httpx
import pytest
from llm_endpoint import (
    Behaviour,
    Endpoint,
    cannot,
    drips,
    echoes,
    fails,
    finding,
    finds,
    never_answers,
    resets,
    says,
)

from habitus_schema.models import Extraction
from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.extract_llm.client import Allowance, LlmClient
from habitus_tasks.extract_llm.config import Api, LlmConfig, Masking
from habitus_tasks.extract_llm.dialects import Conversation
from habitus_tasks.extract_llm.extractor import LlmExtractor
from habitus_tasks.extract_llm.faults import Fault, LlmError
from habitus_tasks.extract_llm.limits import Breaker
from habitus_tasks.extract_llm.transport import MAX_ANSWER

Make = Callable[..., LlmExtractor]
CANARY = "zanzibarquux"
TABS = "indent_style=tabs"
TALK = Transcript(Format.HABITUS, "s", (Turn(Speaker.PERSON, "x", prose=f"tabs please, {CANARY}"),))
RIGHT = finds(finding(TABS))


def pairs(extraction: Extraction) -> list[str]:
    return [str(each.pair) for each in extraction.candidates]


@pytest.mark.parametrize(
    ("behaviour", "fault", "requests"),
    [
        (fails(401), Fault.REFUSED, 1),
        (fails(403), Fault.REFUSED, 1),
        (fails(404), Fault.REFUSED, 1),
        (fails(302, location="http://127.0.0.1:1/elsewhere"), Fault.REFUSED, 1),
        (fails(429), Fault.RATE_LIMITED, 2),
        (fails(503), Fault.SERVER_ERROR, 2),
        (fails(529), Fault.SERVER_ERROR, 2),
        (resets, Fault.UNREACHABLE, 2),
        (never_answers, Fault.TIMEOUT, 2),
        (drips, Fault.TIMEOUT, 2),
        (says("I would rather not."), Fault.BAD_ANSWER, 2),
        (says('{"findings": "none"}'), Fault.BAD_ANSWER, 2),
        (says('{"findings": [' + "[" * 20_000), Fault.BAD_ANSWER, 2),
        (says(" " * MAX_ANSWER), Fault.BAD_ANSWER, 2),
        (lambda handler, _: handler.reply(200, {"choices": []}), Fault.BAD_ANSWER, 2),
        (lambda handler, _: handler.reply(200, ["no", "object"]), Fault.BAD_ANSWER, 2),
    ],
)
def test_each_failure_has_its_closed_word_and_the_fallback_reads_the_session(
    asking: Make, endpoint: Endpoint, faults: list[Fault], behaviour: Behaviour, fault: Fault, requests: int
) -> None:
    endpoint.then(behaviour)
    patience = 0.3 if fault is Fault.TIMEOUT else 10.0
    assert asking(attempts=2, request_seconds=patience)(TALK) == Extraction()
    assert faults == [fault]
    assert len(endpoint.requests) == requests


def test_nobody_there_is_unreachable(faults: list[Fault]) -> None:
    config = LlmConfig("http://127.0.0.1:9/v1", "m", attempts=2, backoff_seconds=0.01)
    assert LlmExtractor(config, lambda _: Extraction(), faults.append)(TALK) == Extraction()
    assert faults == [Fault.UNREACHABLE]


@pytest.mark.parametrize("behaviour", [fails(429), fails(503), resets, says("nonsense")])
def test_what_passes_is_tried_again(
    asking: Make, endpoint: Endpoint, faults: list[Fault], behaviour: Behaviour
) -> None:
    endpoint.then(behaviour, RIGHT)
    assert pairs(asking()(TALK)) == [TABS]
    assert faults == []


def test_a_wait_that_the_endpoint_asks_for_is_kept_to_and_backoff_grows_without_one(endpoint: Endpoint) -> None:
    endpoint.then(fails(429, retry_after="7"), fails(503), fails(503), RIGHT)
    slept: list[float] = []
    config = LlmConfig(endpoint.url, "m", attempts=4, backoff_seconds=0.5, requests_per_minute=6000)
    client = LlmClient(config, sleep=slept.append)
    answer, _ = client.ask(Conversation("", [{"role": "user", "content": ""}], {}), Allowance(time.monotonic() + 60, 1))
    client.close()
    assert len(answer.findings) == 1
    assert slept[0] == 7
    assert 1 <= slept[1] <= 1.5
    assert 2 <= slept[2] <= 2.5


def test_a_wait_longer_than_the_session_has_is_not_begun(asking: Make, endpoint: Endpoint, faults: list[Fault]) -> None:
    endpoint.then(fails(429, retry_after="3600"))
    assert asking()(TALK) == Extraction()
    assert (faults, len(endpoint.requests)) == ([Fault.RATE_LIMITED], 1)


def test_a_session_has_one_deadline_whatever_a_request_may_take(
    asking: Make, endpoint: Endpoint, faults: list[Fault]
) -> None:
    endpoint.then(never_answers)
    asking(session_seconds=0.5, request_seconds=30.0, attempts=100)(TALK)
    assert faults == [Fault.TIMEOUT]
    assert len(endpoint.requests) <= 2


@pytest.mark.parametrize("status", [400, 422, 500])
@pytest.mark.parametrize(
    ("api", "refused", "forms"),
    [
        (Api.OPENAI, ("json_schema",), ["json_schema"] * 2 + ["json_object"]),
        (Api.OPENAI, ("json_schema", "json_object"), ["json_schema"] * 2 + ["json_object"] * 2 + ["plain"]),
        (Api.ANTHROPIC, ("json_schema",), ["json_schema"] * 2 + ["tool"]),
        (Api.ANTHROPIC, ("json_schema", "tool"), ["json_schema"] * 2 + ["tool"] * 2 + ["plain"]),
    ],
)
def test_the_form_of_the_answer_is_negotiated_down_once_and_remembered(
    asking: Make, endpoint: Endpoint, status: int, api: Api, refused: tuple[str, ...], forms: list[str]
) -> None:
    endpoint.then(cannot(*refused, status=status)(RIGHT))
    extractor = asking(api=api, attempts=1)
    assert pairs(extractor(TALK)) == [TABS]
    assert endpoint.forms == forms
    extractor(TALK)
    assert endpoint.forms == [*forms, forms[-1]]


def test_a_model_that_takes_no_temperature_is_asked_without_it(asking: Make, endpoint: Endpoint) -> None:
    def picky(handler: object, request: object) -> None:
        old = {"temperature", "max_tokens"} & request.body.keys()  # type: ignore[attr-defined]
        (fails(400) if old else RIGHT)(handler, request)  # type: ignore[arg-type]

    endpoint.then(picky)
    assert pairs(asking()(TALK)) == [TABS]
    assert endpoint.forms == ["json_schema", "json_schema"]
    assert endpoint.requests[1].body["max_completion_tokens"] > 0


def test_a_server_that_was_only_ill_is_asked_in_the_best_form_again(asking: Make, endpoint: Endpoint) -> None:
    endpoint.then(*[fails(500)] * 6, RIGHT)
    assert pairs(asking(attempts=2)(TALK)) == [TABS]
    assert endpoint.forms[-1] == "json_schema"


def test_the_breaker_spares_an_endpoint_that_keeps_failing_and_lets_one_session_try_it_later(
    asking: Make, endpoint: Endpoint, faults: list[Fault], monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.then(fails(503))
    now = [100.0]
    extractor = asking(attempts=1)
    monkeypatch.setattr(extractor, "_breaker", Breaker(2, 30.0, lambda: now[0]))
    for _ in range(4):
        assert extractor(TALK) == Extraction()
    assert faults == [Fault.SERVER_ERROR] * 2 + [Fault.CIRCUIT_OPEN] * 2
    assert len(endpoint.requests) == 2
    endpoint.then(RIGHT)
    now[0] += 30.0
    assert pairs(extractor(TALK)) == pairs(extractor(TALK)) == [TABS]


FINDING_OF_CANARIES = f'{{"findings": [{{"pair": "{CANARY}", "message": "{CANARY}"}}]}}'
ECHOING = [
    *map(echoes, (400, 401, 429, 500, 503, 200)),
    never_answers,
    resets,
    says(f"I refuse, {CANARY}"),
    says(FINDING_OF_CANARIES),
]


@pytest.mark.parametrize("api", Api)
@pytest.mark.parametrize("behaviour", ECHOING)
def test_no_byte_of_what_was_asked_or_answered_is_logged_printed_or_raised(
    endpoint: Endpoint, capfd: pytest.CaptureFixture[str], behaviour: Behaviour, api: Api
) -> None:
    """Even with every logger of the process wide open, as an operator's own set-up may have it."""
    endpoint.then(behaviour)
    stream, root = io.StringIO(), logging.getLogger()
    handler, level = logging.StreamHandler(stream), root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        config = LlmConfig(
            endpoint.url, "m", api, key=CANARY, masking=Masking.OFF, attempts=2,
            request_seconds=0.5 if behaviour is never_answers else 10.0,
            backoff_seconds=0.01, requests_per_minute=6000,
        )  # fmt: skip
        told: list[Fault] = []
        extraction = LlmExtractor(config, lambda _: Extraction(), told.append)(TALK)
        conversation = Conversation(CANARY, [{"role": "user", "content": CANARY}], {})
        try:
            LlmClient(config).ask(conversation, Allowance(time.monotonic() + 20, 10_000))
        except LlmError as error:
            shown = _everything_about(error)
        else:
            shown = ""
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    assert any(CANARY in str(request.body) for request in endpoint.requests)
    said = [stream.getvalue(), *capfd.readouterr(), shown, repr(extraction), repr(told), repr(config)]
    assert CANARY not in "".join(said)
    assert stream.getvalue() == ""


def _everything_about(error: BaseException) -> str:
    """The error as the most talkative of handlers would show it: text, arguments, traceback, and all it came from."""
    parts, chain = ["".join(traceback.format_exception(error))], [error]
    while chain:
        each = chain.pop()
        assert not isinstance(each, httpx.HTTPError)
        parts += [str(each), repr(each), repr(each.args), repr(vars(each))]
        chain += [other for other in (each.__cause__, each.__context__) if other is not None]
    return "".join(parts)
