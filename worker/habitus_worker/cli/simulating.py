"""`habitus simulate`: scenarios through the real stages, in memory."""

from dataclasses import asdict
from typing import Any

from habitus_schema.errors import HabitusError
from habitus_schema.ids import IdKeys
from habitus_tasks.recurrence_eval import run_sessions
from habitus_tasks.simulate import simulate_observations
from habitus_worker.days import today


def simulate_line(line: dict[str, Any], observations: bool, key: IdKeys) -> dict[str, Any] | None:
    """The outcome of one scenario as the contract has it, or None when the line is no scenario."""
    k, steps = line.get("k", 2), line.get("observations" if observations else "sessions")
    if not isinstance(k, int) or not isinstance(steps, list):
        return None
    try:
        outcome = simulate_observations(k, steps, key=key) if observations else run_sessions(k, steps, key, today())
    except (HabitusError, TypeError, ValueError):
        return None
    return {
        "id": line.get("id"),
        "profile": [asdict(standing) for standing in outcome.profile],
        "rejections": [asdict(rejection) for rejection in outcome.rejections],
    }
