"""The language model as a backend, against a real HTTP server with scripted behaviours."""

import asyncio
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest
from model_server import ModelServer, Reply, Request, asked, form_of, module_of, ranking

from habitus_classifier import Reason, decide, decide_async
from habitus_classifier.llm import Endpoint, LanguageModel
from habitus_schema.catalog import all_pairs, meaning
from habitus_schema.errors import UsageError
from habitus_schema.pairs import Pair

QUERY = "how do magnets work"
PROSE, TABLES = Pair(dimension="list_style", value="prose"), Pair(dimension="preamble", value="none")
TWO = [PROSE, TABLES]


def model(server: ModelServer, **limits: float) -> LanguageModel:
    return LanguageModel(Endpoint(server.url, "stand-in", **limits))  # type: ignore[arg-type]


def by_module(**replies: Reply) -> Callable[[Request], Reply]:
    return lambda request: replies.get(module_of(request), Reply(ranking("CBA")))


def test_three_modules_judge_every_pair_and_their_votes_are_counted(model_server: ModelServer) -> None:
    model_server.script = by_module(mle=Reply(ranking("BCA")), cpe_recall=Reply(ranking("CBA")))
    item = decide(QUERY, [PROSE], backend=model(model_server)).items[0]
    assert item.rankings == {"mle": "BCA", "cpe_recall": "CBA", "cpe_intent": "CBA"}
    assert (item.policy, item.scores) == ("drive", {"ignore": 9, "support": 5, "drive": 4})
    assert sorted(map(module_of, model_server.requests)) == ["cpe_intent", "cpe_recall", "mle"]


def test_each_module_is_shown_its_own_part_and_no_ranking_as_an_example(model_server: ModelServer) -> None:
    decide("write a letter to my landlord about the heating", [PROSE], backend=model(model_server))
    shown = {module_of(request): asked(request) for request in model_server.requests}
    assert meaning(PROSE) in shown["cpe_intent"]
    assert "The answer is for: somebody else" in shown["cpe_intent"]
    assert "list style" in shown["cpe_recall"]
    assert "formatting" in shown["mle"]
    for module in ("mle", "cpe_recall"):
        assert "prose" not in shown[module]
        assert "somebody else" not in shown[module]
    assert "list style" not in shown["mle"]
    for text in shown.values():
        assert not any(order in text for order in ("ABC", "ACB", "BAC", "BCA", "CAB", "CBA", "A > B", "A, B, C"))


def test_the_value_of_a_pair_changes_nothing_that_mle_and_recall_are_sent(model_server: ModelServer) -> None:
    for value in ("bullets", "numbered"):
        decide(QUERY, [Pair(dimension="list_style", value=value)], backend=model(model_server))
    for module in ("mle", "cpe_recall"):
        first, second = model_server.of(module)
        assert first == second
    first, second = model_server.of("cpe_intent")
    assert first != second


@pytest.mark.parametrize("missing", ["mle", "cpe_recall", "cpe_intent"])
def test_two_of_three_modules_decide_when_one_never_answers(model_server: ModelServer, missing: str) -> None:
    model_server.script = by_module(**{missing: Reply(wait=None)})
    item = decide(QUERY, [PROSE], backend=model(model_server, module_seconds=0.3)).items[0]
    assert (item.policy, item.reason) == ("drive", Reason.VOTE)
    assert missing not in item.rankings


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=503, raw=b"busy"),
        Reply(status=401, raw=b"{}"),
        Reply(raw=b"<html>"),
        Reply(raw=b'{"choices": []}'),
        Reply(raw=b"[" * 100_000),
        Reply(raw=b" " * 1_100_000),
    ],
    ids=["busy", "key", "html", "no_choice", "nested", "huge"],
)
def test_when_all_calls_fail_every_pair_is_ignored(model_server: ModelServer, reply: Reply) -> None:
    model_server.script = lambda request: reply
    decisions = decide(QUERY, TWO, backend=model(model_server))
    assert [(item.policy, item.reason) for item in decisions.items] == [("ignore", Reason.TOO_FEW_MODULES)] * 2
    assert decisions.prompt == ""


def test_an_endpoint_that_is_not_there_gives_ignore() -> None:
    backend = LanguageModel(Endpoint("http://127.0.0.1:9/v1", "none"))
    assert {item.policy for item in decide(QUERY, TWO, backend=backend).items} == {"ignore"}
    assert backend.chat.account.failures == {"unreachable": 6}


@pytest.mark.parametrize(
    "text", ["", "I would say B.", '{"ranking": "BBA"}', '{"ranking": "B', '{"rank": "BCA"}', '{"ranking": 7}', "[1]"]
)
def test_an_answer_that_is_no_ranking_counts_as_ignore_first(model_server: ModelServer, text: str) -> None:
    model_server.script = lambda request: Reply(text)
    backend = model(model_server)
    item = decide(QUERY, [PROSE], backend=backend).items[0]
    assert set(item.rankings.values()) == {"ABC"}
    assert (item.policy, item.reason) == ("ignore", Reason.VOTE)
    assert backend.chat.account.failures == {"unparseable": 3}


@pytest.mark.parametrize(
    "text",
    [
        '{"ranking": "BCA"}',
        '```json\n{"ranking": "B > C > A"}\n```',
        '{"ranking": ["B", "C", "A"]}',
        "<think>A > B > C? No.</think>B > C > A",
        "My ranking: B > C > A, since it helps.",
        "bca",
    ],
)
def test_a_ranking_is_read_in_the_forms_that_models_give(model_server: ModelServer, text: str) -> None:
    model_server.script = lambda request: Reply(text)
    assert set(decide(QUERY, [PROSE], backend=model(model_server)).items[0].rankings.values()) == {"BCA"}


def test_two_rankings_in_one_answer_are_none(model_server: ModelServer) -> None:
    model_server.script = lambda request: Reply("A > B > C or B > C > A")
    assert set(decide(QUERY, [PROSE], backend=model(model_server)).items[0].rankings.values()) == {"ABC"}


@pytest.mark.parametrize(("served", "tried"), [("json_schema", 1), ("json_object", 2), ("text", 3)])
def test_structured_output_is_negotiated_down_once_and_remembered(
    model_server: ModelServer, served: str, tried: int
) -> None:
    def script(request: Request) -> Reply:
        order = ("json_schema", "json_object", "text")
        if order.index(form_of(request)) < order.index(served):
            return Reply(status=500, raw=b'{"error": "unknown response_format"}')
        return Reply(ranking("CBA"))

    model_server.script = script
    backend = model(model_server, connections=1)
    assert decide(QUERY, [PROSE], backend=backend).items[0].policy == "drive"
    assert len(model_server.requests) == 3 + tried - 1
    model_server.requests.clear()
    decide(QUERY, [PROSE], backend=backend)
    assert list(map(form_of, model_server.requests)) == [served] * 3


def test_the_schema_goes_with_both_structured_forms(model_server: ModelServer) -> None:
    model_server.script = lambda request: Reply(
        ranking("BCA"), status=200 if form_of(request) == "json_object" else 500
    )
    decide(QUERY, [PROSE], backend=model(model_server))
    first, later = (
        next(each["response_format"] for each in model_server.requests if form_of(each) == form)
        for form in ("json_schema", "json_object")
    )
    assert first["json_schema"]["schema"]["properties"]["ranking"]["enum"][0] == "ABC"
    assert "ranking" in later["schema"]["properties"]


def test_an_answer_that_was_cut_off_is_asked_for_with_more_room(model_server: ModelServer) -> None:
    def script(request: Request) -> Reply:
        if request["max_tokens"] < 100:
            return Reply('{"ranking": "C', finish="length")
        return Reply(ranking("CBA"))

    model_server.script = script
    assert decide(QUERY, [PROSE], backend=model(model_server, max_tokens=32)).items[0].policy == "drive"


def test_an_answer_that_is_always_cut_off_ends_as_unparseable(model_server: ModelServer) -> None:
    model_server.script = lambda request: Reply('{"ranking": "C', finish="length")
    assert decide(QUERY, [PROSE], backend=model(model_server)).items[0].policy == "ignore"
    assert max(request["max_tokens"] for request in model_server.requests) <= 4096


def test_a_conflict_that_intent_sees_closes_the_gate_whatever_the_vote(model_server: ModelServer) -> None:
    model_server.script = by_module(cpe_intent=Reply(ranking("CBA", "recipient")))
    item = decide(QUERY, [PROSE], backend=model(model_server)).items[0]
    assert (item.policy, item.reason) == ("ignore", Reason.RECIPIENT)
    assert item.rankings["mle"] == "CBA"


def test_only_the_best_of_a_long_profile_are_sent_and_the_others_ignored(model_server: ModelServer) -> None:
    pairs = [pair for pair in all_pairs() if pair.value in ("include", "none", "concise_direct", "prefer")]
    decisions = decide(QUERY, pairs, backend=model(model_server, top_k=2))
    assert len(model_server.requests) == 6
    reasons = [item.reason for item in decisions.items]
    assert reasons.count(Reason.VOTE) == 2
    assert Reason.FILTERED in reasons
    for item in decisions.items:
        assert item.reason is Reason.VOTE or item.policy == "ignore"


def test_all_pairs_are_judged_at_once_on_a_bounded_number_of_connections(model_server: ModelServer) -> None:
    model_server.script = lambda request: Reply(ranking("BAC"), wait=0.05)
    pairs = [pair for pair in all_pairs() if pair.value in ("concise_direct", "none", "prefer", "include")]
    decide(QUERY, pairs, backend=model(model_server, connections=3))
    assert model_server.most_at_once == 3


def test_the_deadline_of_a_query_ends_what_is_still_out(model_server: ModelServer) -> None:
    model_server.script = by_module(cpe_intent=Reply(wait=None), mle=Reply(wait=None))
    backend = model(model_server, query_seconds=0.4, module_seconds=60)
    item = decide(QUERY, [PROSE], backend=backend).items[0]
    assert (item.policy, item.reason) == ("ignore", Reason.TOO_FEW_MODULES)
    assert dict(item.rankings) == {"cpe_recall": "CBA"}


def test_all_pairs_at_drive_are_asked_once_more_and_stricter(model_server: ModelServer) -> None:
    def script(request: Request) -> Reply:
        return Reply(ranking("BCA" if "Be strict" in " ".join(asked(request).split()) else "CBA"))

    model_server.script = script
    decisions = decide(QUERY, TWO, backend=model(model_server))
    assert {item.policy for item in decisions.items} == {"support"}
    assert len(model_server.requests) == 12


def test_what_stays_at_drive_is_flagged_and_not_asked_a_third_time(model_server: ModelServer) -> None:
    model_server.script = lambda request: Reply(ranking("CBA"))
    assert decide(QUERY, TWO, backend=model(model_server)).all_drive
    assert len(model_server.requests) == 12


def test_one_pair_at_drive_is_not_suspicious(model_server: ModelServer) -> None:
    model_server.script = lambda request: Reply(ranking("CBA"))
    decide(QUERY, [PROSE], backend=model(model_server))
    assert len(model_server.requests) == 3


def test_a_stricter_round_that_fails_leaves_the_first(model_server: ModelServer) -> None:
    def script(request: Request) -> Reply:
        strict = "Be strict" in " ".join(asked(request).split())
        return Reply(status=503, raw=b"") if strict else Reply(ranking("CBA"))

    model_server.script = script
    assert {item.policy for item in decide(QUERY, TWO, backend=model(model_server)).items} == {"drive"}


def test_a_server_that_repeats_its_input_in_an_error_gets_it_nowhere(
    model_server: ModelServer, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    model_server.script = lambda request: Reply(status=400, raw=json.dumps({"error": asked(request)}).encode())
    backend = model(model_server)
    decisions = decide("the quokka invoice 4471", TWO, backend=backend)
    shown = caplog.text + "".join(capfd.readouterr()) + repr(decisions) + repr(backend) + repr(backend.chat.account)
    assert "quokka" not in shown
    assert backend.chat.account.failures == {"refused": 6}


def test_a_failed_call_is_sent_again_where_retries_are_set(
    model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("habitus_classifier.llm.chat.BACKOFF_SECONDS", 0.01)
    seen: list[Request] = []
    lock = threading.Lock()

    def script(request: Request) -> Reply:
        with lock:
            first = request not in seen
            seen.append(request)
        return Reply(status=429, raw=b"") if first else Reply(ranking("CBA"))

    model_server.script = script
    assert decide(QUERY, [PROSE], backend=model(model_server, retries=1)).items[0].policy == "drive"


def test_the_key_is_sent_and_tokens_are_counted(model_server: ModelServer) -> None:
    backend = LanguageModel(Endpoint(model_server.url, "stand-in", key="sk-1"))
    decide(QUERY, [PROSE], backend=backend)
    assert {headers["Authorization"] for headers in model_server.headers} == {"Bearer sk-1"}
    account = backend.chat.account
    assert (account.calls, account.prompt_tokens, account.completion_tokens) == (3, 150, 21)
    assert len(account.seconds) == 3


def test_a_query_of_a_megabyte_is_not_sent_whole(model_server: ModelServer) -> None:
    decide("word " * 200_000, [PROSE], backend=model(model_server))
    assert max(len(asked(request)) for request in model_server.requests) < 10_000


def test_connections_can_be_kept_over_queries(model_server: ModelServer) -> None:
    backend = model(model_server)

    async def both() -> list[str]:
        async with backend.kept_open():
            found = [await decide_async(QUERY, [PROSE], backend=backend) for _ in range(2)]
        found.append(await decide_async(QUERY, [PROSE], backend=backend))
        return [each.items[0].policy for each in found]

    assert asyncio.run(both()) == ["support"] * 3


def test_a_caller_who_gives_up_leaves_no_call_behind(model_server: ModelServer) -> None:
    model_server.script = lambda request: Reply(wait=None)
    complaints: list[object] = []

    async def giving_up() -> set[asyncio.Task[object]]:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(decide_async(QUERY, TWO, backend=model(model_server)), 0.3)
        await asyncio.sleep(0.05)
        return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]

    assert asyncio.run(giving_up()) == set()
    assert complaints == []


@pytest.mark.parametrize("wrong", [{"url": "ftp://x"}, {"url": "localhost:80"}, {"top_k": 0}, {"module_seconds": -1}])
def test_a_wrong_endpoint_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Endpoint(**({"url": "http://127.0.0.1", "model": "m"} | wrong))  # type: ignore[arg-type]


def test_without_the_extra_the_package_says_what_to_install() -> None:
    code = "import sys; sys.modules['httpx'] = None\nimport habitus_classifier.llm"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "habitus[llm]" in done.stderr
