"""The three modules, and what each may see."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_classifier import Module, built_in
from habitus_classifier.modules import cpe_intent, cpe_recall, mle, ranking
from habitus_schema.catalog import all_pairs
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import VALUES

pairs = st.sampled_from(all_pairs())
queries = st.one_of(
    st.text(max_size=200),
    st.sampled_from(
        [
            "write the tests for the parser in a table, no comments",
            "fasse das bitte kurz zusammen",
            "a letter to the town hall about the noise",
            "rename the flag and commit",
        ]
    ),
)


@given(queries, pairs, st.data())
def test_changing_only_the_value_never_changes_mle_or_recall(query: str, pair: Pair, data: st.DataObject) -> None:
    values = [str(value) for value in VALUES[pair.dimension]]
    other = Pair(dimension=pair.dimension, value=data.draw(st.sampled_from(values)))
    one, two = (built_in(query, [each])[0].rankings for each in (pair, other))
    assert one[Module.MLE] == two[Module.MLE]
    assert one[Module.CPE_RECALL] == two[Module.CPE_RECALL]


def test_no_module_has_a_parameter_for_more_than_it_may_see() -> None:
    assert list(inspect.signature(mle).parameters) == ["evidence", "group"]
    assert list(inspect.signature(cpe_recall).parameters) == ["evidence", "dimension"]
    assert list(inspect.signature(cpe_intent).parameters) == ["evidence", "dimension", "value"]


def test_intent_tells_the_values_of_a_dimension_apart() -> None:
    query = "which is better, a tent or a camper?"
    prefer, avoid = (
        built_in(query, [Pair(dimension="table_usage", value=value)])[0].rankings[Module.CPE_INTENT]
        for value in ("prefer", "avoid")
    )
    assert prefer != avoid


chances = st.floats(0, 1)


@given(chances, chances, chances)
def test_more_room_or_more_of_the_subject_never_puts_ignore_first(place: float, drive: float, more: float) -> None:
    if ranking(place, drive)[0] != "A":
        assert ranking(max(place, more), drive)[0] != "A"
        assert ranking(place, max(drive, more))[0] != "A"


@pytest.mark.parametrize(
    ("place", "drive", "order"), [(0.0, 0.0, "ABC"), (1.0, 0.0, "BAC"), (1.0, 1.0, "CAB"), (0.0, 1.0, "CAB")]
)
def test_certainty_ranks_as_it_must(place: float, drive: float, order: str) -> None:
    assert ranking(place, drive)[0] == order[0]


@given(chances, chances)
def test_a_ranking_names_each_policy_once(place: float, drive: float) -> None:
    assert sorted(ranking(place, drive)) == ["A", "B", "C"]
