"""When evidence becomes a habit. Pure: no clock, no database. `docs/promotion.md` has the worked cases.

The rule (design: recurrence and promotion), for one subject and one dimension, over the evidence inside the window:
a value is promoted when at least K distinct task contexts give it, and either it leads every rival by at least K
contexts, or the K most recent contexts that speak on the dimension all say it. Days have no order inside them, so all
contexts of the K-th most recent day must say it too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from habitus_schema.models import Status
from habitus_tasks.rule import MIN_K, PromotionRule
from habitus_tasks.tally import Tally


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one task context says for one value.

    Attributes:
        last_day: the day on which it was said last.
        standing: whether it was said then as a standing habit of general scope.
    """

    value: str
    context: str
    last_day: date
    standing: bool = False


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
    """Applies the rule once, at the end of `today`. Evidence of later days is not looked at.

    A standing statement for a rival, made since the incumbent was settled, leaves the holder contested; it is settled
    again once the rule promotes it and it was said again after that day.
    """
    tally = Tally(rule)
    for each in sorted(evidence, key=lambda each: each.last_day):
        if each.last_day <= today:
            tally.hear(each.value, each.context, each.last_day, standing=each.standing)
    tally.move_to(today)
    holder = decide(tally, incumbent, rule, today)
    return settlement(tally, holder, rule)


@dataclass(frozen=True, slots=True)
class Holder(Incumbent):
    """An incumbent with the reason why it holds the dimension."""

    reason: Reason


def decide(tally: Tally, incumbent: Incumbent | None, rule: PromotionRule, today: date) -> Holder | None:
    """The value that holds the dimension at the end of `today`. `tally` has moved to that day."""
    recent, leader = tally.recent(), tally.leader()
    winner = recent or leader
    stays = incumbent.value if incumbent and tally.contexts.get(incumbent.value, 0) >= rule.k else None
    value = winner or stays
    if value is None:
        return None
    reason = Reason.RECENT if recent else Reason.LEADS if leader else Reason.INCUMBENT
    challenge = tally.challenged(value, today)
    if incumbent is not None and incumbent.value == value and incumbent.status is Status.PROMOTED:
        challenge = challenge if challenge > incumbent.as_of else date.min
    answered = challenge == date.min or (winner is not None and tally.said[value] > challenge)
    return Holder(value, Status.PROMOTED if answered else Status.CONTESTED, today, reason)


def settlement(tally: Tally, holder: Holder | None, rule: PromotionRule) -> Settlement:
    """The whole account of a decision."""
    reasons = dict.fromkeys(tally.said, Reason.EXPIRED)
    for value, count in tally.contexts.items():
        reasons[value] = Reason.HELD_BACK if count >= rule.k else Reason.BELOW_K
    if holder is None:
        return Settlement(contexts=dict(tally.contexts), reasons=reasons)
    reasons[holder.value] = holder.reason
    return Settlement(holder.value, holder.status, dict(tally.contexts), reasons)


__all__ = [
    "MIN_K",
    "Evidence",
    "Holder",
    "Incumbent",
    "PromotionRule",
    "Reason",
    "Settlement",
    "decide",
    "settle",
    "settlement",
]
