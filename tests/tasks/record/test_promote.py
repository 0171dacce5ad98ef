"""The rule as one pure function, and as it is replayed over the days: worked cases are in test_promotion_docs.py."""

from dataclasses import FrozenInstanceError, fields
from datetime import date, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from habitus_schema.errors import UsageError
from habitus_schema.models import Status
from habitus_tasks.history import Vote, replay, span
from habitus_tasks.promote import Evidence, Holder, Incumbent, PromotionRule, Reason, settle

START = date(2026, 1, 1)


def on(day: int) -> date:
    return START + timedelta(days=day)


votes = st.builds(
    Vote,
    value=st.sampled_from("uvw"),
    context=st.sampled_from("ABCDEFGH"),
    day=st.integers(0, 30).map(on),
    standing=st.booleans(),
)
histories = st.lists(votes, max_size=14)
held = histories.map(
    lambda history: [Vote("v", context, on(28 + number)) for number, context in enumerate("ABCD")] + history
)
"""Histories in which `v` mostly ends as the value that holds the dimension."""
rules = st.builds(PromotionRule, k=st.integers(2, 4), window_days=st.sampled_from([5, 12, 180]))
days = st.integers(0, 60).map(on)
soon = st.integers(31, 34).map(on)
agreeing = st.builds(Vote, st.just("v"), st.sampled_from("ABCDEFGH"), st.integers(0, 34).map(on), st.booleans())


@given(histories, rules, days, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(history: list[Vote], rule: PromotionRule, today: date, random) -> None:  # type: ignore[no-untyped-def]
    shuffled = random.sample(history, len(history))
    assert replay(shuffled, rule, today) == replay(history, rule, today)


@given(histories, rules, days)
def test_a_duplicate_never_changes_the_outcome(history: list[Vote], rule: PromotionRule, today: date) -> None:
    assert replay(history + history, rule, today) == replay(history, rule, today)


@given(held, agreeing, rules, soon)
def test_more_agreeing_evidence_never_demotes(
    history: list[Vote], more: Vote, rule: PromotionRule, today: date
) -> None:
    before = replay(history, rule, today)
    assume(before.value == more.value)
    after = replay([*history, more], rule, today)
    assert after.value == before.value
    if before.status is Status.PROMOTED:
        assert after.status is Status.PROMOTED


@given(histories, rules, days)
def test_what_holds_a_dimension_has_k_contexts_inside_the_window(
    history: list[Vote], rule: PromotionRule, today: date
) -> None:
    settlement = replay(history, rule, today)
    live = [vote for vote in history if vote.day <= today and (today - vote.day).days <= rule.window_days]
    for value in "uvw":
        contexts = len({vote.context for vote in live if vote.value == value})
        assert settlement.contexts.get(value, 0) == contexts
        if settlement.value == value:
            assert contexts >= rule.k


@given(histories, rules, days)
def test_a_value_that_leads_by_k_or_has_the_last_k_contexts_holds_the_dimension(
    history: list[Vote], rule: PromotionRule, today: date
) -> None:
    settlement = replay(history, rule, today)
    if settlement.value is None:
        counts = sorted([*settlement.contexts.values(), 0, 0])
        assert counts[-1] < rule.k or counts[-1] - counts[-2] < rule.k


@given(histories, rules, days)
def test_contexts_beyond_the_evidence_never_appear_and_the_future_does_not_count(
    history: list[Vote], rule: PromotionRule, today: date
) -> None:
    past = [vote for vote in history if vote.day <= today]
    assert replay(history, rule, today) == replay(past, rule, today)


@given(histories, rules)
def test_everything_expires_once_the_window_has_passed(history: list[Vote], rule: PromotionRule) -> None:
    late = on(31 + rule.window_days)
    settlement = replay(history, rule, late)
    assert settlement.value is None
    assert set(settlement.reasons.values()) <= {Reason.EXPIRED}


@given(held, rules, soon)
def test_the_day_a_value_expires_is_the_day_it_is_gone(history: list[Vote], rule: PromotionRule, today: date) -> None:
    value = str(replay(history, rule, today).value)
    assume(value != "None")
    found = span(history, value, rule, today)
    assert found is not None
    assert found.expires is not None
    day_before = replay(history, rule, found.expires - timedelta(days=1))
    assert day_before.contexts.get(value, 0) >= rule.k
    assert replay(history, rule, found.expires).value != value


@given(held, rules, soon)
def test_settling_again_on_the_same_evidence_changes_nothing(
    history: list[Vote], rule: PromotionRule, today: date
) -> None:
    settlement = replay(history, rule, today)
    assume(settlement.value is not None)
    last = {(vote.value, vote.context, vote.standing): vote for vote in sorted(history, key=lambda vote: vote.day)}
    evidence = [Evidence(vote.value, vote.context, vote.day, vote.standing) for vote in last.values()]
    incumbent = Incumbent(str(settlement.value), settlement.status or Status.PROMOTED, today)
    again = settle(evidence, incumbent, rule, today)
    assert (again.value, again.status, again.contexts) == (settlement.value, settlement.status, settlement.contexts)


@pytest.mark.parametrize("k", [1, 0, -1, True, None, "2", 2.0])
def test_k_below_two_or_not_an_integer_is_refused(k: object) -> None:
    with pytest.raises(UsageError):
        PromotionRule(k=k)  # type: ignore[arg-type]


@pytest.mark.parametrize("window", [0, -5, True, None, 1.5])
def test_a_window_of_less_than_a_day_is_refused(window: object) -> None:
    with pytest.raises(UsageError):
        PromotionRule(window_days=window)  # type: ignore[arg-type]


def test_the_rule_is_two_contexts_in_a_hundred_and_eighty_days_unless_told_otherwise() -> None:
    assert PromotionRule() == PromotionRule(k=2, window_days=180)
    assert PromotionRule(window_days=1).window_days == 1


def test_nothing_can_be_changed_in_what_is_settled_or_hung_on_it() -> None:
    evidence, incumbent = Evidence("v", "A", on(0)), Incumbent("v", Status.PROMOTED, on(0))
    holder = Holder("v", Status.PROMOTED, on(0), Reason.LEADS)
    for each in (PromotionRule(), evidence, incumbent, holder, settle([], None, PromotionRule(), on(0))):
        with pytest.raises(FrozenInstanceError):
            setattr(each, fields(each)[0].name, None)
        assert not hasattr(each, "__dict__")


def test_evidence_of_tomorrow_does_not_count_today() -> None:
    rule = PromotionRule(window_days=10)
    assert [rule.covers(on(5), on(day)) for day in (4, 5, 15, 16)] == [False, True, True, False]
    assert rule.expiry(on(5)) == on(16)


def test_evidence_counts_up_to_and_including_the_last_day_of_the_window() -> None:
    rule = PromotionRule(k=2, window_days=180)
    pair = [Evidence("v", "A", on(0)), Evidence("v", "B", on(0))]
    assert settle(pair, None, rule, on(180)).value == "v"
    assert settle(pair, None, rule, on(181)).value is None


def test_days_at_the_ends_of_the_calendar_are_no_error() -> None:
    rule = PromotionRule(k=2, window_days=10_000_000)
    ends = [Vote("v", "A", date.min), Vote("v", "B", date.max)]
    assert replay(ends, rule, date.max).value == "v"


def test_an_incumbent_stays_while_a_rival_is_not_promoted_in_its_place() -> None:
    rule = PromotionRule(k=2)
    evidence = [Evidence("v", "A", on(1)), Evidence("v", "B", on(2)), Evidence("w", "C", on(3))]
    incumbent = Incumbent("v", Status.PROMOTED, on(2))
    assert settle(evidence, None, rule, on(3)).value is None
    assert settle(evidence, incumbent, rule, on(3)).value == "v"
    assert settle(evidence, incumbent, rule, on(3)).reasons == {"v": Reason.INCUMBENT, "w": Reason.BELOW_K}


def settled(story: str, incumbent: Incumbent | None = None, *, today: int = 3) -> tuple[str | None, Status | None]:
    """Of evidence written as "day context value", '!' for a standing statement: what holds the dimension."""
    evidence = [
        Evidence(value.rstrip("!"), context, on(int(day)), value.endswith("!"))
        for day, context, value in map(str.split, story.split(", "))
    ]
    found = settle(evidence, incumbent, PromotionRule(k=2, window_days=180), on(today))
    return found.value, found.status


def test_evidence_of_later_days_is_not_looked_at() -> None:
    assert settled("1 A v, 5 B v", today=3) == (None, None)
    assert settled("1 A v, 5 B v", today=5) == ("v", Status.PROMOTED)


def test_evidence_is_of_one_task_unless_it_says_that_it_stands() -> None:
    assert not Evidence("v", "A", on(0)).standing


def test_a_challenge_from_before_the_incumbent_was_settled_is_over() -> None:
    promoted, contested = Incumbent("v", Status.PROMOTED, on(3)), Incumbent("v", Status.CONTESTED, on(3))
    for day in (2, 3):
        story = f"1 A v, 1 B v, {day} C w!"
        assert settled(story, promoted) == ("v", Status.PROMOTED)
        assert settled(story, contested) == ("v", Status.CONTESTED)
    assert settled("1 A v, 1 B v, 4 C w!", promoted, today=4) == ("v", Status.CONTESTED)
    another = Incumbent("u", Status.PROMOTED, on(3))
    assert settled("1 A v, 1 B v, 1 C v, 1 D v, 2 E w!", another) == ("v", Status.CONTESTED)


def test_a_challenge_is_answered_on_a_later_day_by_a_value_that_the_rule_promotes() -> None:
    assert settled("1 A v, 1 B v, 1 C v, 2 D v, 2 E w!") == ("v", Status.CONTESTED)
    assert settled("1 A v, 1 B v, 1 C v, 3 D v, 2 E w!") == ("v", Status.PROMOTED)
    contested = Incumbent("v", Status.CONTESTED, on(2))
    assert settled("1 A v, 2 C w!, 3 B v", contested) == ("v", Status.CONTESTED)


def test_a_value_with_k_contexts_that_a_rival_keeps_out_is_held_back() -> None:
    evidence = [Evidence(value, context, on(1)) for value, context in ("vA", "vB", "wC", "wD", "xE")]
    reasons = {"v": Reason.HELD_BACK, "w": Reason.HELD_BACK, "x": Reason.BELOW_K}
    assert settle(evidence, None, PromotionRule(), on(1)).reasons == reasons
