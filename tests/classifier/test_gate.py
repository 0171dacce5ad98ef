"""The gate before the vote, on evidence whose facets are given."""

import pytest

from habitus_classifier.contradictions import CONTRADICTIONS
from habitus_classifier.evidence import Evidence, evidence_of
from habitus_classifier.facets import FACETS, INDEX, asked
from habitus_classifier.gate import SURE, closed_by
from habitus_classifier.policy import Reason
from habitus_schema.catalog import all_pairs
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import VALUES, Dimension


def evidence(**facets: float) -> Evidence:
    vector = [0.0] * len(FACETS)
    for name, chance in facets.items():
        vector[INDEX[name]] = chance
    return evidence_of(vector)


def given(*pairs: str, **facets: float) -> Evidence:
    return evidence(**dict.fromkeys(pairs, 1.0), **facets)


@pytest.mark.parametrize("pair", all_pairs(), ids=str)
def test_asking_for_another_value_closes_it_and_asking_for_this_one_does_not(pair: Pair) -> None:
    own = str(pair)
    for other in VALUES[pair.dimension]:
        rival = asked(pair.dimension, str(other))
        expected = None if rival == own else Reason.CONTRADICTED
        assert closed_by(given(rival), pair.dimension, pair.value) is expected
    assert closed_by(evidence(), pair.dimension, pair.value) is None


@pytest.mark.parametrize("pair", all_pairs(), ids=str)
def test_what_is_asked_for_more_surely_than_its_rivals_stays(pair: Pair) -> None:
    rivals = CONTRADICTIONS[pair.dimension, pair.value]
    facets = dict.fromkeys(rivals, SURE + 0.1) | {str(pair): 1.0}
    assert closed_by(evidence(**facets), pair.dimension, pair.value) is None


def test_every_contradiction_names_a_facet_and_never_the_pair_itself() -> None:
    for (dimension, value), rivals in CONTRADICTIONS.items():
        assert set(rivals) <= set(INDEX)
        assert asked(dimension, value) not in rivals


@pytest.mark.parametrize(
    ("ask", "dimension", "value"),
    [
        ("verbosity_ceiling_tokens=150", Dimension.HEADING_USAGE, "use"),
        ("verbosity_ceiling_tokens=150", Dimension.LIST_STYLE, "bullets"),
        ("verbosity_ceiling_tokens=150", Dimension.RESPONSE_DENSITY, "detailed_explanatory"),
        ("list_style=prose", Dimension.TABLE_USAGE, "prefer"),
        ("clarification=assume_and_proceed", Dimension.PLANNING, "plan_first"),
        ("execution_packaging=multi_step", Dimension.TERMINAL_COMMAND_CHAINING, "chained"),
        ("response_density=concise_direct", Dimension.CODE_EXPLANATION, "with_explanation"),
    ],
)
def test_an_ask_of_one_dimension_may_contradict_a_pair_of_another(ask: str, dimension: Dimension, value: str) -> None:
    assert closed_by(given(ask), dimension, value) is Reason.CONTRADICTED


@pytest.mark.parametrize(("facet", "reason"), [("letter", Reason.RECIPIENT), ("medium", Reason.MEDIUM)])
@pytest.mark.parametrize(
    ("dimension", "value"),
    [
        (Dimension.CODE_FENCE_STYLE, "triple_backtick"),
        (Dimension.LIST_STYLE, "numbered"),
        (Dimension.TABLE_USAGE, "prefer"),
        (Dimension.HEADING_USAGE, "use"),
    ],
)
def test_a_recipient_or_a_medium_closes_what_it_cannot_carry(
    facet: str, reason: Reason, dimension: Dimension, value: str
) -> None:
    assert closed_by(given(facet), dimension, value) is reason
    assert closed_by(given(facet, asked(dimension, value)), dimension, value) is None


@pytest.mark.parametrize(
    ("dimension", "value"),
    [
        (Dimension.RESPONSE_DENSITY, "detailed_explanatory"),
        (Dimension.VERBOSITY_CEILING_TOKENS, "600"),
        (Dimension.VERBOSITY_CEILING_TOKENS, "1200"),
    ],
)
def test_what_is_too_long_for_a_slide_may_still_go_into_a_letter(dimension: Dimension, value: str) -> None:
    assert closed_by(given("medium"), dimension, value) is Reason.MEDIUM
    assert closed_by(given("letter"), dimension, value) is None
    assert closed_by(given("medium", asked(dimension, value)), dimension, value) is None


def test_a_letter_does_not_recap_itself() -> None:
    assert closed_by(given("letter"), Dimension.CLOSING_SUMMARY, "include") is Reason.RECIPIENT
    assert closed_by(given("letter"), Dimension.CLOSING_SUMMARY, "none") is None


@pytest.mark.parametrize("value", ["avoid"])
@pytest.mark.parametrize("dimension", [Dimension.TABLE_USAGE, Dimension.HEADING_USAGE, Dimension.EM_DASH_USAGE])
def test_a_recipient_does_not_close_what_leaves_something_out(dimension: Dimension, value: str) -> None:
    assert closed_by(given("letter"), dimension, value) is None


def test_what_a_letter_is_asked_to_have_more_of_is_not_closed() -> None:
    assert closed_by(given("letter", "emoji"), Dimension.EMOJI_USAGE, "allowed") is None
    assert closed_by(given("letter"), Dimension.EMOJI_USAGE, "allowed") is Reason.RECIPIENT


def test_what_is_held_back_until_asked_for_has_nothing_to_act_on_when_it_is() -> None:
    assert closed_by(given("tests"), Dimension.TEST_POLICY, "on_request") is Reason.MOOT
    assert closed_by(given("tests"), Dimension.TEST_POLICY, "tests_with_change") is None
