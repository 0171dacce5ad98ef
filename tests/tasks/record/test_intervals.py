"""Intervals: the published values, and the properties that make one an interval."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from habitus_tasks.intervals import Rate, _share, ratio, ratio_over_people

COUNTS = st.integers(0, 60)


@pytest.mark.parametrize(
    ("events", "total", "low", "high"),
    # Clopper-Pearson at 95 %, as beta quantiles give them (Brown, Cai and DasGupta, Statistical Science 16, 2001, (4)).
    [(0, 5, 0.0, 0.5218), (5, 5, 0.4782, 1.0), (3, 10, 0.0667, 0.6525), (10, 100, 0.0490, 0.1762), (1, 1, 0.025, 1.0)],
)
def test_a_share_has_its_published_exact_interval(events: int, total: int, low: float, high: float) -> None:
    assert _share(events, total) == pytest.approx((low, high), abs=1e-4)


@settings(max_examples=40)
@given(first=COUNTS, second=COUNTS, before=st.integers(1, 400), after=st.integers(1, 400))
def test_the_ratio_lies_in_its_interval_and_turns_over_with_its_sides(
    first: int, second: int, before: int, after: int
) -> None:
    found = ratio(Rate(first, before), Rate(second, after))
    if first + second == 0:
        assert found is None
        return
    assert found is not None
    assert found.low <= found.value <= found.high
    turned = ratio(Rate(second, after), Rate(first, before))
    assert turned is not None
    if 0 < found.high < math.inf:
        assert turned.low == pytest.approx(1 / found.high, rel=1e-6, abs=1e-9)


def test_more_sessions_make_a_narrower_interval() -> None:
    widths = [
        found.high - found.low
        for size in (1, 4, 16, 1000)
        if (found := ratio(Rate(20 * size, 100 * size), Rate(10 * size, 100 * size)))
    ]
    assert widths == sorted(widths, reverse=True)
    assert len(widths) == 4


def test_without_a_session_on_a_side_there_is_no_ratio() -> None:
    assert ratio(Rate(3, 0), Rate(1, 5)) is None
    assert ratio(Rate(3, 5), Rate(0, 0)) is None
    assert ratio_over_people([]) is None


def test_people_who_differ_widen_the_interval_and_never_narrow_it() -> None:
    alike = [(Rate(5, 10), Rate(3, 10))] * 40
    differ = [(Rate(10, 10), Rate(6, 10)), (Rate(0, 10), Rate(0, 10))] * 15 + [(Rate(5, 10), Rate(3, 10))] * 10
    exact = ratio(Rate(200, 400), Rate(120, 400))
    found = [ratio_over_people(each) for each in (alike, differ)]
    assert exact is not None
    assert found[0] == pytest.approx(exact)
    assert found[1] is not None
    assert found[1].low <= exact.low
    assert found[1].high >= exact.high


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    chance, held, rounds = random.Random(3), 0, 150
    for _ in range(rounds):
        before, after = (sum(chance.random() < rate for _ in range(60)) for rate in (0.4, 0.2))
        found = ratio(Rate(before, 60), Rate(after, 60))
        held += found is not None and found.low <= 0.5 <= found.high
    assert held / rounds >= 0.95
