"""When evidence becomes a habit. Pure: no clock, no database. `docs/promotion.md` has the worked cases.

The rule (design: recurrence and promotion), for one subject and one dimension, over the evidence inside the window:
a value is promoted when at least K distinct task contexts give it, and either it leads every rival by at least K
contexts, or the K most recent contexts that speak on the dimension all say it. Days have no order inside them, so all
contexts of the K-th most recent day must say it too.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum

from habitus_schema.errors import UsageError
from habitus_schema.models import Status

MIN_K = 2
"""Invariant 5: one context is never a habit."""


@dataclass(frozen=True, slots=True)
class PromotionRule:
    """K contexts inside a window of days. Evidence counts up to and including the day `window_days` after its own.

    Raises:
        UsageError: when K is below 2 or the window is shorter than a day.
    """

    k: int = MIN_K
    window_days: int = 180

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < MIN_K:
            raise UsageError("K, the number of distinct task contexts, must be an integer of at least 2")
        if isinstance(self.window_days, bool) or not isinstance(self.window_days, int) or self.window_days < 1:
            raise UsageError("the promotion window must be an integer of at least 1 day")

    def expiry(self, day: date) -> date:
        """The first day on which evidence of `day` no longer counts; the end of time for a very late day."""
        room = (date.max - day).days
        return day + timedelta(days=min(self.window_days + 1, room))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one task context says for one value.

    Attributes:
        standing: the last day on which it was said as a standing habit of general scope, if it was.
    """

    value: str
    context: str
    first_day: date
    last_day: date
    standing: date | None = None


@dataclass(frozen=True, slots=True)
class Incumbent:
    """The value that holds the dimension, as it stood at the end of `as_of`."""

    value: str
    status: Status
    as_of: date


class Reason(StrEnum):
    """Why a value does or does not hold its dimension."""

    LEADS = "leads"
    """At least K contexts, and at least K more than any rival."""
    RECENT = "recent"
    """The K most recent contexts all say it."""
    INCUMBENT = "incumbent"
    """It was promoted before, still has K contexts, and no rival has taken its place."""
    BELOW_K = "below_k"
    """Fewer than K contexts inside the window."""
    HELD_BACK = "held_back"
    """At least K contexts, but a rival holds it back."""
    EXPIRED = "expired"
    """All its evidence is older than the window."""
    PINNED = "pinned"
    """The person put it there; given by `habitus_tasks.profile.explain` only."""
    BLOCKED = "blocked"
    """The person does not want it learned; given by `habitus_tasks.profile.explain` only."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """How the dimension stands.

    Attributes:
        value, status: the value that holds the dimension, or None.
        contexts: for each value with evidence inside the window, its distinct contexts.
        reasons: for each value with any evidence.
    """

    value: str | None = None
    status: Status | None = None
    contexts: Mapping[str, int] = field(default_factory=dict)
    reasons: Mapping[str, Reason] = field(default_factory=dict)


def settle(evidence: Iterable[Evidence], incumbent: Incumbent | None, rule: PromotionRule, today: date) -> Settlement:
    """Applies the rule once, at the end of `today`.

    Evidence of later days is not looked at. A standing statement for a rival, made since the incumbent was settled,
    leaves the holder contested; it is settled again once the rule promotes it and it was said again after that day.
    """
    known = [each for each in evidence if each.first_day <= today]
    live = [each for each in known if each.last_day <= today < rule.expiry(each.last_day)]
    counts = _counts(live)
    recent, leader = _recent(live, counts, rule.k), _leader(counts, rule.k)
    winner = recent or leader
    stays = incumbent is not None and counts.get(incumbent.value, 0) >= rule.k
    holder = winner or (incumbent.value if incumbent and stays else None)
    reasons = {each.value: Reason.EXPIRED for each in known}
    reasons |= {value: Reason.HELD_BACK if count >= rule.k else Reason.BELOW_K for value, count in counts.items()}
    if holder is None:
        return Settlement(contexts=counts, reasons=reasons)
    reasons[holder] = Reason.RECENT if recent else Reason.LEADS if leader else Reason.INCUMBENT
    status = _status(live, holder, incumbent, promoted=winner == holder)
    return Settlement(holder, status, counts, reasons)


def _counts(live: Iterable[Evidence]) -> dict[str, int]:
    contexts: dict[str, set[str]] = defaultdict(set)
    for each in live:
        contexts[each.value].add(each.context)
    return {value: len(names) for value, names in contexts.items()}


def _leader(counts: Mapping[str, int], k: int) -> str | None:
    """The value with at least K contexts and at least K more than every rival."""
    ranked = sorted(counts.items(), key=lambda item: -item[1])
    if not ranked or ranked[0][1] < k:
        return None
    return ranked[0][0] if len(ranked) == 1 or ranked[0][1] - ranked[1][1] >= k else None


def _recent(live: Sequence[Evidence], counts: Mapping[str, int], k: int) -> str | None:
    """The value that the K most recent contexts all say, with every other context of the K-th one's day."""
    last_word: dict[str, tuple[date, frozenset[str]]] = {}
    for each in live:
        day, said = last_word.get(each.context, (date.min, frozenset[str]()))
        if each.last_day > day:
            last_word[each.context] = (each.last_day, frozenset({each.value}))
        elif each.last_day == day:
            last_word[each.context] = (day, said | {each.value})
    if len(last_word) < k:
        return None
    boundary = sorted((day for day, _ in last_word.values()), reverse=True)[k - 1]
    said = frozenset().union(*(values for day, values in last_word.values() if day >= boundary))
    (value, *others) = said
    return None if others or counts[value] < k else value


def _status(live: Iterable[Evidence], holder: str, incumbent: Incumbent | None, *, promoted: bool) -> Status:
    challenge, own = date.min, date.min
    for each in live:
        if each.value == holder:
            own = max(own, each.last_day)
        elif each.standing:
            challenge = max(challenge, each.standing)
    holds_on = incumbent is not None and incumbent.value == holder
    if incumbent is not None and holds_on and incumbent.status is Status.PROMOTED and challenge <= incumbent.as_of:
        return Status.PROMOTED
    answered = challenge == date.min or (promoted and own > challenge)
    return Status.PROMOTED if answered else Status.CONTESTED
