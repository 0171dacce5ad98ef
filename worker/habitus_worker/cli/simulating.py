"""`habitus simulate`: scenarios through the real stages, in memory."""

from datetime import date
from typing import Any

from habitus_schema.errors import HabitusError
from habitus_schema.ids import IdKey
from habitus_schema.transcript import Format
from habitus_tasks.pipeline import Caller, digest
from habitus_tasks.simulate import Simulation, simulate_observations, simulate_records


def simulate_line(line: dict[str, Any], observations: bool, key: IdKey) -> dict[str, Any] | None:
    """The outcome of one scenario as the contract has it, or None when the line is no scenario."""
    k, steps = line.get("k", 2), line.get("observations" if observations else "sessions")
    if not isinstance(k, int) or not isinstance(steps, list):
        return None
    try:
        outcome = simulate_observations(k, steps) if observations else _sessions(k, steps, key)
    except (HabitusError, KeyError, TypeError, ValueError):
        return None
    return {"id": line.get("id"), "profile": outcome.profile, "rejections": outcome.rejections}


def _sessions(k: int, envelopes: list[Any], key: IdKey) -> Simulation:
    records = (
        digest(envelope, Format.HABITUS, Caller(day=date.today()), f"{at:032x}", key)
        for at, envelope in enumerate(envelopes)
    )
    return simulate_records(k, records)
