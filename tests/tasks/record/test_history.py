"""The replay against the rule read word for word, day after day, with nothing kept up between the days."""

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from habitus_schema.models import Status
from habitus_tasks.history import Vote, replay
from habitus_tasks.promote import PromotionRule

START = date(2026, 1, 1)
Standing = tuple[str | None, Status | None]

votes = st.builds(
    Vote,
    value=st.sampled_from("uvw"),
    context=st.sampled_from("ABCDEF"),
    day=st.integers(0, 25).map(lambda number: START + timedelta(days=number)),
    standing=st.booleans(),
)
rules = st.builds(PromotionRule, k=st.integers(2, 3), window_days=st.sampled_from([3, 8, 15, 180]))


def by_definition(history: list[Vote], rule: PromotionRule, today: date) -> Standing:
    holder: str | None = None
    contested = False
    settled_on = date.min
    for number in range((today - START).days + 1):
        day = START + timedelta(days=number)
        live = [vote for vote in history if 0 <= (day - vote.day).days <= rule.window_days]
        counts = {value: len({vote.context for vote in live if vote.value == value}) for value in "uvw"}
        winner = most_recent(live, rule.k) or leading(counts, rule.k)
        before, holder = holder, winner or (holder if holder and counts[holder] >= rule.k else None)
        if holder is None:
            contested, settled_on = False, date.min
            continue
        if holder != before:
            contested, settled_on = False, date.min
        own = max(vote.day for vote in live if vote.value == holder)
        challenges = [vote.day for vote in live if vote.standing and vote.value != holder]
        newer = [challenge for challenge in challenges if contested or challenge > settled_on]
        contested = bool(newer) and not (winner and own > max(newer))
        settled_on = day
    return holder, (Status.CONTESTED if contested else Status.PROMOTED) if holder else None


def leading(counts: dict[str, int], k: int) -> str | None:
    for value, count in counts.items():
        if count >= k and all(count - other >= k for rival, other in counts.items() if rival != value):
            return value
    return None


def most_recent(live: list[Vote], k: int) -> str | None:
    last = {context: max(v.day for v in live if v.context == context) for context in {v.context for v in live}}
    if len(last) < k:
        return None
    boundary = sorted(last.values(), reverse=True)[k - 1]
    said = {vote.value for vote in live if vote.day == last[vote.context] >= boundary}
    return said.pop() if len(said) == 1 else None


@settings(max_examples=400, deadline=None)
@given(st.lists(votes, max_size=14), rules, st.integers(0, 45))
def test_the_replay_is_the_rule_applied_on_every_day(history: list[Vote], rule: PromotionRule, days: int) -> None:
    today = START + timedelta(days=days)
    settlement = replay(history, rule, today)
    assert (settlement.value, settlement.status) == by_definition(history, rule, today)
