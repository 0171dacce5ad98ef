"""Preferences in free text: split, judged by the language model, and put into the prompt."""

import asyncio
import json

from model_server import ModelServer, Reply, Request, asked, module_of, ranking

from habitus_classifier import Policy, Reason, build_generation_prompt, classify_preference
from habitus_classifier.llm import Endpoint, FreeText

QUERY = "what could I cook tonight?"
COMPOUND = "likes spicy food but avoids shellfish"
PARTS = [
    {"statement": "likes spicy food", "subject": "spiciness", "area": "meals"},
    {"statement": "avoids shellfish", "subject": "seafood", "area": "meals"},
]


def free_text(server: ModelServer, **limits: float) -> FreeText:
    return FreeText(Endpoint(server.url, "stand-in", **limits))  # type: ignore[arg-type]


def script(request: Request) -> Reply:
    """Splits, drives shellfish and supports the rest."""
    if module_of(request) == "split":
        return Reply(json.dumps({"preferences": PARTS}))
    return Reply(ranking("CBA" if "shellfish" in asked(request) or "seafood" in asked(request) else "BAC"))


def test_a_compound_preference_is_split_and_each_part_judged(model_server: ModelServer) -> None:
    model_server.script = script
    (decision,) = free_text(model_server).classify(QUERY, [COMPOUND])
    assert [(each.part.statement, each.policy) for each in decision.parts] == [
        ("likes spicy food", Policy.SUPPORT),
        ("avoids shellfish", Policy.PREFERENCE_DRIVEN),
    ]
    assert decision.policy is Policy.PREFERENCE_DRIVEN
    assert not decision.failed


def test_mle_is_shown_the_area_recall_the_subject_and_intent_the_statement(model_server: ModelServer) -> None:
    model_server.script = script
    free_text(model_server).classify(QUERY, [COMPOUND])
    for module, own, others in (
        ("mle", "meals", ("shellfish", "seafood")),
        ("cpe_recall", "seafood", ("shellfish", "meals")),
        ("cpe_intent", "avoids shellfish", ("seafood", "meals")),
    ):
        shown = [asked(request) for request in model_server.of(module)]
        assert any(own in text for text in shown)
        assert not any(other in text for text in shown for other in others)


def test_without_an_answer_that_splits_the_conjunction_does(model_server: ModelServer) -> None:
    def broken(request: Request) -> Reply:
        return Reply("no idea") if module_of(request) == "split" else Reply(ranking("BCA"))

    model_server.script = broken
    (decision,) = free_text(model_server).classify(QUERY, [COMPOUND])
    assert [each.part.statement for each in decision.parts] == ["likes spicy food", "avoids shellfish"]
    assert len(model_server.of("cpe_intent")) == 2


def test_a_preference_is_split_once_and_not_once_a_query(model_server: ModelServer) -> None:
    model_server.script = script
    judge = free_text(model_server)
    for _ in range(2):
        judge.classify(QUERY, [COMPOUND])
    assert len(model_server.of("split")) == 1


def test_all_modules_failing_is_ignore(model_server: ModelServer) -> None:
    model_server.script = lambda request: Reply(status=503, raw=b"")
    (decision,) = free_text(model_server).classify(QUERY, [COMPOUND])
    assert decision.policy is Policy.IGNORE
    assert decision.failed
    assert {each.judgement.gate for each in decision.parts} == {None}


def test_a_deadline_holds_for_splitting_too(model_server: ModelServer) -> None:
    model_server.script = lambda request: Reply(wait=None)
    (decision,) = free_text(model_server, query_seconds=0.2, module_seconds=60).classify(QUERY, [COMPOUND])
    assert decision.failed


def test_a_conflict_ignores_the_part(model_server: ModelServer) -> None:
    def conflicting(request: Request) -> Reply:
        kind = module_of(request)
        return (
            script(request) if kind == "split" else Reply(ranking("CBA", "query" if kind == "cpe_intent" else "none"))
        )

    model_server.script = conflicting
    (decision,) = free_text(model_server).classify(QUERY, [COMPOUND])
    assert decision.policy is Policy.IGNORE
    assert {each.judgement.gate for each in decision.parts} == {Reason.CONTRADICTED}


def test_the_words_of_a_preference_are_in_no_repr(model_server: ModelServer) -> None:
    model_server.script = script
    judge = free_text(model_server)
    decisions = asyncio.run(judge.classify_async(QUERY, [COMPOUND]))
    assert "shellfish" not in repr(decisions) + repr(judge)


def test_classify_preference_takes_the_backend(model_server: ModelServer) -> None:
    model_server.script = script
    assert classify_preference(QUERY, COMPOUND, free_text(model_server)) is Policy.PREFERENCE_DRIVEN


def test_statements_go_into_the_prompt_by_their_policy_and_the_query_verbatim(model_server: ModelServer) -> None:
    model_server.script = script
    (decision,) = free_text(model_server).classify(QUERY, [COMPOUND])
    prompt = build_generation_prompt(QUERY, [(each.part.statement, each.policy) for each in decision.parts])
    assert prompt.index("avoids shellfish") < prompt.index("likes spicy food")
    assert prompt.endswith(f"</habitus-profile>\n\n{QUERY}")
