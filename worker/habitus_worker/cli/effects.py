"""How `habitus effect` is printed."""

import math
from collections.abc import Sequence

from habitus_tasks.effect import Effect
from habitus_tasks.intervals import Rate, Ratio
from habitus_worker.cli.output import print_json, print_table, say


def print_effects(effects: Sequence[Effect], *, as_json: bool) -> None:
    """Prints one line for each dimension."""
    if as_json:
        for each in effects:
            print_json(effect_row(each))
        return
    print_table(
        "Corrections a session, before and after a pair was promoted",
        ["dimension", "people", "before", "sessions", "after", "sessions", "after/before", "what can be told"],
        [
            (
                each.dimension, each.people, rate(each.before), each.before.sessions, rate(each.after),
                each.after.sessions, interval(each.ratio), each.verdict,
            )
            for each in effects
        ],
        empty="nothing is promoted yet, so there is nothing to compare",
    )  # fmt: skip
    if effects:
        say("an interval that holds 1 is no evidence; this is no experiment: docs/log.md says how to read it")


def effect_row(each: Effect) -> dict[str, object]:
    """An effect as JSON; an infinite end of an interval is null."""
    found = (
        None if each.ratio is None else [_finite(each.ratio.value), _finite(each.ratio.low), _finite(each.ratio.high)]
    )
    return {
        "dimension": each.dimension, "people": each.people,
        "before": {"corrections": each.before.events, "sessions": each.before.sessions},
        "after": {"corrections": each.after.events, "sessions": each.after.sessions},
        "ratio": found[0] if found else None, "interval": found[1:] if found else None, "verdict": each.verdict,
    }  # fmt: skip


def rate(value: Rate) -> str:
    """Corrections a session, in figures."""
    return "-" if value.per_session is None else f"{value.per_session:.2f}"


def interval(value: Ratio | None) -> str:
    """A ratio with the ends of its interval, in figures."""
    if value is None:
        return "-"
    shown, low, high = ("∞" if math.isinf(part) else f"{part:.2f}" for part in (value.value, value.low, value.high))
    return f"{shown} ({low} to {high})"


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else round(value, 4)
