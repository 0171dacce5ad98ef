"""The rule applied day by day over all the votes of one dimension, so that the order of arrival cannot matter.

`settle` lets an incumbent stay, so its outcome depends on what was decided before. Were that read from the profile as
it happens to stand, two workers, or a session that arrives late, could end elsewhere with the same votes. So each
decision is computed anew from the votes, by the days on which they were cast.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from habitus_tasks.promote import Holder, PromotionRule, Settlement, decide, settlement
from habitus_tasks.tally import Tally


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
    tally = Tally(rule)
    holder: Holder | None = None
    for holder in _days(tally, votes, rule, today):  # noqa: B007 - the last one counts
        pass
    return settlement(tally, holder, rule)


def held_since(votes: Iterable[Vote], value: str, rule: PromotionRule, today: date) -> date | None:
    """The day from which on `value` has held its dimension without a break until `today`; None when it does not.

    A day on which it was contested counts as held.
    """
    since: date | None = None
    for holder in _days(Tally(rule), votes, rule, today):
        if holder is None or holder.value != value:
            since = None
        elif since is None:
            since = holder.as_of
    return since


def _days(tally: Tally, votes: Iterable[Vote], rule: PromotionRule, today: date) -> Iterator[Holder | None]:
    """The holder at the end of each day on which it may have changed, the last one `today`."""
    by_day: dict[date, list[Vote]] = defaultdict(list)
    for vote in votes:
        if vote.day <= today:
            by_day[vote.day].append(vote)
    expiries = (rule.expiry(day) for day in by_day)
    holder: Holder | None = None
    for day in sorted({*by_day, *(expiry for expiry in expiries if expiry <= today), today}):
        tally.move_to(day)
        for vote in by_day.get(day, ()):
            tally.hear(vote.value, vote.context, day, standing=vote.standing)
        holder = decide(tally, holder, rule, day)
        yield holder


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
    live = [vote for vote in votes if vote.value == value and rule.covers(vote.day, today)]
    if not live:
        return None
    last = {vote.context: vote.day for vote in sorted(live, key=lambda vote: vote.day)}
    days = sorted(last.values(), reverse=True)
    expires = rule.expiry(days[rule.k - 1]) if len(days) >= rule.k else None
    return Span(len(days), min(vote.day for vote in live), days[0], expires)
