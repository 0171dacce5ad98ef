"""`habitus bench classify` measures deciding beside the cosine of embeddings, on the same queries."""

import json
from pathlib import Path

import pytest

from habitus_schema.catalog import all_pairs
from habitus_schema.vocabulary import Dimension
from habitus_worker.bench.classify import (
    COLD,
    COLD_MS,
    QUERIES,
    Cosine,
    Speed,
    Start,
    profile,
    quality,
    speed,
    starts,
)

DEV = Path(__file__).parents[2] / "data" / "policy_dev.jsonl"


def test_the_profile_has_one_pair_of_each_dimension() -> None:
    pairs = profile()
    assert len(pairs) == len(Dimension) == 33
    assert {pair.dimension for pair in pairs} == set(Dimension)
    assert set(pairs) <= set(all_pairs())


def test_both_systems_are_measured_on_a_short_a_long_and_a_huge_query() -> None:
    assert [len(query) for query in QUERIES.values()][1:] == [8000, 1_000_019]
    found = speed(2)
    assert {(each.system, each.query) for each in found} == {
        (system, query) for system in ("habitus", "cosine") for query in QUERIES
    }
    assert all(0 < each.median <= each.tail for each in found)
    assert {each.limit for each in found if each.system == "cosine"} == {None}


def test_fresh_interpreters_are_measured_beside_one_that_does_nothing() -> None:
    found = starts(1)
    assert [each.of for each in found] == list(COLD)
    assert [each.limit for each in found] == [None, None, COLD_MS, COLD_MS]
    assert all(each.median > 0 for each in found)


@pytest.mark.parametrize(
    ("found", "holds"),
    [
        (Speed("habitus", "short", 1.0, 3.0, 1.0), True),
        (Speed("habitus", "short", 1.1, 2.0, 1.0), False),
        (Speed("habitus", "short", 0.9, 3.1, 1.0), False),
        (Speed("cosine", "short", 9.0, 9.0, None), True),
        (Start("import and first decision", COLD_MS + 1, COLD_MS), False),
        (Start("python -c pass", 1000, None), True),
    ],
)
def test_only_what_has_a_limit_can_exceed_it(found: Speed | Start, holds: bool) -> None:
    assert found.holds is holds


def test_a_pair_is_nearest_to_its_own_meaning() -> None:
    tables, types = (pair for pair in profile() if pair.dimension in ("table_usage", "type_annotations"))
    scores = Cosine()("comparisons and options laid out as tables", [tables, types])
    assert scores[0] == pytest.approx(1.0, abs=1e-3)
    assert scores[1] < scores[0]


def test_on_labels_the_tables_are_right_more_often_than_the_cosine_at_its_best() -> None:
    rows = [json.loads(line) for line in DEV.read_text("utf-8").splitlines()[:60]]
    found = quality(rows)
    assert found["habitus"].rows == found["cosine"].rows == sum(len(row["policies"]) for row in rows)
    assert found["habitus"].micro > found["cosine"].micro > 0.33
    assert found["habitus"].over_use < found["cosine"].over_use
