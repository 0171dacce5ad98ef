"""The vote: sums, first places, then the most conservative."""

import dataclasses
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_classifier import Policy, aggregate_rankings
from habitus_classifier.vote import CONSERVATIVE, parse_ranking

ORDERS = ["".join(order) for order in permutations("ABC")]
orders = st.sampled_from(ORDERS)


@pytest.mark.parametrize(
    ("rankings", "policy", "scores"),
    [
        (["A>B>C", "A>B>C", "A>B>C"], Policy.IGNORE, (3, 6, 9)),
        (["B>C>A", "C>B>A", "B>C>A"], Policy.SUPPORT, (9, 4, 5)),
        (["C>B>A", "C>B>A", "C>B>A"], Policy.PREFERENCE_DRIVEN, (9, 6, 3)),
        (["B>C>A", "B>A>C", "B>C>A"], Policy.SUPPORT, (8, 3, 7)),
    ],
    ids=["food for a question on ESLint", "language for it", "vegan asks for dinner", "Portland for it"],
)
def test_the_worked_examples_of_the_description_hold(
    rankings: list[str], policy: Policy, scores: tuple[int, int, int]
) -> None:
    tally = aggregate_rankings(rankings)
    assert tally.policy is policy
    assert tuple(tally.scores[word] for word in ("ignore", "support", "drive")) == scores


def test_the_letters_of_the_policies_are_those_of_the_description() -> None:
    assert [(policy.name, policy.value) for policy in Policy] == [
        ("IGNORE", "A"),
        ("SUPPORT", "B"),
        ("PREFERENCE_DRIVEN", "C"),
    ]


@given(orders, orders, st.integers(0, 2))
def test_two_agreeing_modules_always_win(shared: str, other: str, place: int) -> None:
    rankings = [shared, shared]
    rankings.insert(place, other)
    assert aggregate_rankings(rankings).policy.value == shared[0]


@given(st.lists(orders, min_size=2, max_size=3))
def test_the_order_of_the_modules_does_not_matter(rankings: list[str]) -> None:
    assert aggregate_rankings(rankings) == aggregate_rankings(rankings[::-1])


@given(st.lists(orders, min_size=2, max_size=3))
def test_no_policy_has_a_lower_sum_than_the_winner(rankings: list[str]) -> None:
    tally = aggregate_rankings(rankings)
    assert tally.scores[tally.policy.word] == min(tally.scores.values())
    assert sum(tally.scores.values()) == 6 * len(rankings)


def test_of_the_216_votes_of_three_186_have_no_tie_and_12_end_in_a_three_way_tie() -> None:
    votes = [(one, two, three) for one in ORDERS for two in ORDERS for three in ORDERS]
    sums = [sorted(aggregate_rankings(vote).scores.values()) for vote in votes]
    assert sum(first < second for first, second, _ in sums) == 186
    cyclic = [
        vote
        for vote in votes
        if len({order[0] for order in vote}) == 3
        and len({*map(tuple, sums)})
        and set(aggregate_rankings(vote).scores.values()) == {6}
    ]
    assert len(cyclic) == 12
    assert {aggregate_rankings(vote).policy for vote in cyclic} == {Policy.IGNORE}


def test_a_tie_of_two_modules_goes_to_the_most_conservative() -> None:
    tally = aggregate_rankings(["BCA", "CBA"])
    assert tally.scores["support"] == tally.scores["drive"]
    assert tally.policy is Policy.SUPPORT


def test_a_tie_of_sums_goes_to_more_first_places() -> None:
    tally = aggregate_rankings(["CAB", "CAB", "ABC"])
    assert tally.policy is Policy.PREFERENCE_DRIVEN
    tied = aggregate_rankings(["CAB", "BAC", "CAB"])
    assert (tied.scores["ignore"], tied.scores["drive"]) == (6, 5)
    firsts = aggregate_rankings(["BAC", "BCA", "ACB"])  # A: 2+3+1, B: 1+1+3, C: 3+2+2
    assert firsts.policy is Policy.SUPPORT


@given(st.lists(orders, max_size=1))
def test_fewer_than_two_modules_are_no_vote(rankings: list[str]) -> None:
    assert aggregate_rankings(rankings).policy is Policy.IGNORE


@given(st.text())
def test_what_is_no_ranking_counts_as_the_conservative_one(text: str) -> None:
    parsed = parse_ranking(text)
    assert parsed in ORDERS
    if not set("ABC") & set(text.upper()):
        assert parsed == CONSERVATIVE


@pytest.mark.parametrize("text", ["AAB", "B>C", "B>C>A>A", "D>B>A", "", "BCA" + ">" * 99])
def test_near_misses_are_no_ranking(text: str) -> None:
    assert parse_ranking(text) == CONSERVATIVE


@pytest.mark.parametrize("text", ["B>C>A", "b > c > a", "B,C,A", "BCA", " B C A\n"])
def test_spellings_of_one_ranking_are_equal(text: str) -> None:
    assert parse_ranking(text) == "BCA"


def test_a_ranking_is_read_up_to_sixty_four_characters() -> None:
    assert parse_ranking("B>C>A" + " " * 59) == "BCA"
    assert parse_ranking("B>C>A" + " " * 60) == CONSERVATIVE


def test_nothing_can_be_changed_in_a_tally_or_hung_on_it() -> None:
    tally = aggregate_rankings(["BCA", "BCA"])
    with pytest.raises(dataclasses.FrozenInstanceError):
        tally.policy = Policy.IGNORE  # type: ignore[misc]
    assert not hasattr(tally, "__dict__")
