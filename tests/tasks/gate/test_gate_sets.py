"""The bars of the gate on its labelled sets, and the score that `habitus eval gate` prints."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from habitus_tasks.gate_eval import GateScore, Tally, score

DATA = Path(__file__).parents[2] / "data"


def rows(name: str) -> list[Mapping[str, object]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


@pytest.fixture(scope="module", params=["gate_dev.jsonl", "gate_own.jsonl", "gate_other.jsonl", "gate_blind.jsonl"])
def scored(request: pytest.FixtureRequest) -> GateScore:
    return score(rows(request.param))


def test_private_notes_are_refused(scored: GateScore) -> None:
    assert scored.private.rows > 250
    assert scored.private.rate >= 0.985


def test_clean_notes_are_seldom_refused(scored: GateScore) -> None:
    assert scored.clean.rows > 200
    assert scored.clean.rate <= 0.06


def test_clean_notes_in_five_manners_are_seldom_refused() -> None:
    clean = score(rows("gate_clean_fresh.jsonl")).clean
    assert clean.rows == 150
    assert clean.rate <= 0.06


def test_every_payload_that_is_not_a_pair_is_refused(scored: GateScore) -> None:
    assert scored.payloads.rows > 10
    assert scored.payloads.rate == 1.0


def test_what_is_below_k_is_deferred(scored: GateScore) -> None:
    assert scored.confusion["deferred", "deferred"] == 2
    assert sum(scored.confusion.values()) == sum(tally.rows for tally in scored.kinds.values())


def test_a_judgement_costs_some_tens_of_json_lines(scored: GateScore) -> None:
    """A ratio, because a speed depends on the machine: it was about 20 where 20,000 a second was met."""
    assert 0 < scored.json_ratio < 60
    assert scored.notes_per_second > 0


def test_a_score_counts_by_group_kind_and_verdict() -> None:
    base = {"dimension_key": "planning", "dimension_value": "plan_first", "observed_across_distinct_contexts": 2}
    table = [
        {**base, "source_justification_note": "For Yusuf.", "verdict": "rejected", "kind": "person_name"},
        {**base, "source_justification_note": "For short.", "verdict": "rejected", "kind": "person_name"},
        {**base, "source_justification_note": "For Yusuf.", "verdict": "accepted", "kind": "clean"},
        {**base, "source_justification_note": None, "verdict": "accepted", "kind": "clean"},
        {**base, "dimension_value": "x", "verdict": "rejected", "kind": "unknown_value"},
    ]
    scored = score(iter(table))
    assert (scored.private, scored.clean, scored.payloads) == (Tally(2, 1), Tally(2, 1), Tally(1, 1))
    assert scored.kinds == {"person_name": Tally(2, 1), "clean": Tally(2, 1), "unknown_value": Tally(1, 1)}
    assert scored.confusion == {
        ("rejected", "rejected"): 2,
        ("rejected", "accepted"): 1,
        ("accepted", "rejected"): 1,
        ("accepted", "accepted"): 1,
    }
    assert (scored.private.rate, scored.payloads.rate) == (0.5, 1.0)


def test_an_empty_set_has_an_empty_score() -> None:
    assert score([]) == GateScore(Tally(), Tally(), Tally())
    assert Tally().rate == 0.0
