"""Scores recurrence scenarios: is each pair in the profile that should be, and none that should not?

A scenario is ``{"id", "k", "sessions": [native envelopes in order], "promoted": [pairs], "not_promoted": [pairs]}``; a
pair is ``{"dimension", "value"}``, with an optional "user" where a scenario has several people, or "dimension=value".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import zip_longest
from typing import Any

from habitus_schema.errors import HabitusError
from habitus_schema.ids import IdKeys, Kind
from habitus_schema.models import Status
from habitus_schema.transcript import Format
from habitus_tasks.extract import extract
from habitus_tasks.labelled import as_labelled
from habitus_tasks.pipeline import DEFAULT_TENANT, Caller, Extractor, digest
from habitus_tasks.simulate import Simulation, simulate_records


@dataclass(frozen=True, slots=True)
class Wrong:
    """A scenario that came out wrong: the pairs that are missing, and those that should not be there."""

    id: str
    missing: tuple[str, ...]
    unexpected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How many scenarios came out right."""

    scenarios: int = 0
    wrong: tuple[Wrong, ...] = field(default=())

    @property
    def right(self) -> int:
        """Scenarios with every pair as it should be."""
        return self.scenarios - len(self.wrong)


def run_sessions(
    k: int, envelopes: Iterable[Any], key: IdKeys, today: date, extractors: Iterable[Extractor] = ()
) -> Simulation:
    """Runs native envelopes in order through the content zone's work and the real record code, in memory.

    Args:
        extractors: one for each envelope, in place of the real one; or none.

    Raises:
        UsageError: when `k` is below 2.
    """
    caller = Caller(day=today)
    steps = zip_longest(envelopes, extractors, fillvalue=extract)
    return simulate_records(
        k, (digest(each, Format.HABITUS, caller, f"{at:032x}", key, by) for at, (each, by) in enumerate(steps))
    )


def score(rows: Iterable[Mapping[str, Any]], key: IdKeys, today: date, *, by_labels: bool = False) -> Score:
    """Runs every scenario and compares.

    Args:
        by_labels: take the pairs from each row's "labels", a list for each session, in place of the extractor: the
            counter is then judged apart from extraction.

    Raises:
        HabitusError: for a row that is no scenario; nothing of it is repeated.
    """
    count, wrong = 0, []
    for row in rows:
        count += 1
        try:
            name, found = str(row["id"]), _promoted(row, key, today, by_labels)
            expected = {_wanted(pair, row, key) for pair in row["promoted"]}
            barred = {_wanted(pair, row, key) for pair in row.get("not_promoted", ())}
        except (KeyError, TypeError, AttributeError, IndexError, ValueError):
            raise HabitusError(
                f"row {count} is no scenario: it needs id, k, sessions, promoted and not_promoted"
            ) from None
        missing = sorted(pair for subject, pair in expected if not _has(found, subject, pair))
        unexpected = sorted(pair for subject, pair in barred if _has(found, subject, pair))
        if missing or unexpected:
            wrong.append(Wrong(name, tuple(missing), tuple(unexpected)))
    return Score(count, tuple(wrong))


def _promoted(row: Mapping[str, Any], key: IdKeys, today: date, by_labels: bool) -> set[tuple[str, str]]:
    extractors = [as_labelled(labels) for labels in row["labels"]] if by_labels else []
    outcome = run_sessions(row.get("k", 2), row["sessions"], key, today, extractors)
    return {
        (standing.subject, f"{standing.dimension}={standing.value}")
        for standing in outcome.profile
        if standing.status is Status.PROMOTED
    }


def _wanted(pair: Any, row: Mapping[str, Any], key: IdKeys) -> tuple[str | None, str]:
    """(the subject's keyed id, or None for anyone; the pair)"""
    if isinstance(pair, str):
        return None, pair
    user = pair.get("user") or pair.get("user_id")
    tenants = {str(session.get("tenant_id") or DEFAULT_TENANT) for session in row["sessions"]}
    subject = key.keyed(Kind.SUBJECT, min(tenants), user) if user else None
    return subject, f"{pair['dimension']}={pair['value']}"


def _has(found: set[tuple[str, str]], subject: str | None, pair: str) -> bool:
    return any(pair == each and subject in (None, whose) for whose, each in found)
