"""Scoring an extraction set: what is a hit, and what is listed."""

from typing import Any

import pytest

from habitus_schema.models import Candidate, Extraction, Scope, Signal
from habitus_schema.pairs import Pair
from habitus_schema.transcript import Transcript
from habitus_tasks.extract.evaluate import Count, score

BRIEF = {"dimension": "response_density", "value": "concise_direct", "signal": "standing", "scope": "general"}


def row(name: str, labels: list[dict[str, str]], *tags: str) -> dict[str, Any]:
    session = {"session_id": name, "user_id": "u", "messages": [{"role": "user", "content": "keep it short, always"}]}
    return {"id": name, "format": "habitus", "session": session, "labels": labels, "tags": list(tags), "private": []}


def finding(*pairs: tuple[str, str], scope: Scope = Scope.GENERAL) -> Any:
    found = tuple(Candidate(Pair(dimension=d, value=v), Signal.STANDING, scope, 0) for d, v in pairs)

    def extractor(transcript: Transcript) -> Extraction:
        return Extraction(found)

    return extractor


def test_a_hit_is_dimension_value_and_scope() -> None:
    right = score([row("a", [BRIEF])], finding(("response_density", "concise_direct")))
    assert (right.overall.true, right.overall.false, right.overall.missed) == (1, 0, 0)
    other_scope = score([row("a", [BRIEF])], finding(("response_density", "concise_direct"), scope=Scope.ENTITY))
    assert (other_scope.overall.true, other_scope.overall.false, other_scope.overall.missed) == (0, 1, 1)


def test_false_candidates_are_listed_by_id_and_pair_alone() -> None:
    result = score([row("s7", [])], finding(("table_usage", "avoid")))
    assert result.false == [("s7", "table_usage", "avoid", "general")]
    assert "keep it short" not in str(result.as_dict())


def test_label_free_sessions_are_counted_by_tag() -> None:
    result = score([row("a", [], "one_off"), row("b", [BRIEF])], finding())
    assert (result.free, result.clean, result.free_by_tag) == (1, 1, {"one_off": (1, 1)})


def test_slices_go_by_dimension_signal_language_tag_and_format() -> None:
    result = score([row("a", [BRIEF], "lang:de", "sloppy")], finding()).as_dict()["slices"]
    assert {kind: list(names) for kind, names in result.items()} == {
        "dimension": ["response_density"],
        "signal": ["standing"],
        "language": ["de"],
        "format": ["habitus"],
        "tag": ["sloppy"],
    }


def test_a_session_that_cannot_be_read_is_named_and_counts_as_empty() -> None:
    broken = {**row("x", [BRIEF]), "session": {}}
    result = score([broken], finding(("table_usage", "avoid")))
    assert (result.unread, result.overall.missed, result.overall.false) == (["x"], 1, 0)


@pytest.mark.parametrize(
    ("count", "rates"),
    [(Count(), (1.0, 1.0, 1.0)), (Count(3, 1, 2), (0.75, 0.6, 6 / 9)), (Count(0, 0, 2), (1.0, 0.0, 0.0))],
)
def test_rates_follow_from_the_counts(count: Count, rates: tuple[float, float, float]) -> None:
    assert (count.precision, count.recall, count.f1) == pytest.approx(rates)
