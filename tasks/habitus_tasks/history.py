"""The rule applied day by day over all the votes of one dimension, so that the order of arrival cannot matter.

`settle` lets an incumbent stay, so its outcome depends on what was decided before. Were that read from the profile as
it happens to stand, two workers, or a session that arrives late, could end elsewhere with the same votes. So each
decision is computed anew from the votes, by the days on which they were cast.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from habitus_tasks.promote import Evidence, Incumbent, PromotionRule, Settlement, settle


@dataclass(frozen=True, slots=True)
class Vote:
    """What one session says: a value, in a task context, on a day.

    Attributes:
        standing: whether it was a standing statement of general scope, which may contest another value.
    """

    value: str
    context: str
    day: date
    standing: bool = False


def replay(votes: Iterable[Vote], rule: PromotionRule, today: date) -> Settlement:
    """How the dimension stands at the end of `today`, given everything said until then, in any order.

    The rule is applied at the end of every day on which something was said or something expired, and of `today`.
    """
    by_day: dict[date, list[Vote]] = defaultdict(list)
    for vote in votes:
        by_day[vote.day].append(vote)
    days = {today} | {day for day in by_day if day <= today}
    days |= {rule.expiry(day) for day in by_day if rule.expiry(day) <= today}
    heard: dict[tuple[str, str], Evidence] = {}
    incumbent: Incumbent | None = None
    settlement = Settlement()
    for day in sorted(days):
        for vote in by_day.get(day, ()):
            heard[vote.value, vote.context] = _with(heard.get((vote.value, vote.context)), vote)
        settlement = settle(heard.values(), incumbent, rule, day)
        incumbent = None
        if settlement.value is not None and settlement.status is not None:
            incumbent = Incumbent(settlement.value, settlement.status, day)
    return settlement


@dataclass(frozen=True, slots=True)
class Span:
    """What the window holds for one value.

    Attributes:
        expires: the first day on which fewer than K contexts are left, if nothing more is said; None when there are
            fewer already.
    """

    contexts: int
    first_day: date
    last_day: date
    expires: date | None


def span(votes: Iterable[Vote], value: str, rule: PromotionRule, today: date) -> Span | None:
    """The contexts and days inside the window on `today` that give `value`; None when nothing does."""
    live = [vote for vote in votes if vote.value == value and vote.day <= today < rule.expiry(vote.day)]
    if not live:
        return None
    last = {vote.context: vote.day for vote in sorted(live, key=lambda vote: vote.day)}
    days = sorted(last.values(), reverse=True)
    expires = rule.expiry(days[rule.k - 1]) if len(days) >= rule.k else None
    return Span(len(days), min(vote.day for vote in live), days[0], expires)


def _with(evidence: Evidence | None, vote: Vote) -> Evidence:
    standing = vote.day if vote.standing else None
    if evidence is None:
        return Evidence(vote.value, vote.context, vote.day, vote.day, standing)
    return replace(evidence, last_day=vote.day, standing=standing or evidence.standing)
