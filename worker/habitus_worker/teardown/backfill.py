"""Backfill: whole history folders, the oldest session first, so that the last word is handed in last."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from habitus_schema.errors import HabitusError
from habitus_schema.transcript import Format
from habitus_worker.teardown.agents import LAYOUTS, Agent, Found, files, transcripts
from habitus_worker.teardown.intake import Desk, Owner, RefusedError

ENDINGS = (".jsonl", ".jsonl.zst", ".json", ".md")
"""Of files that may be transcripts, in a folder of no agent's."""
MOST_IN_FLIGHT = 200
"""Sessions under way at most: a year of history must not fill the memory of Redis."""
STALLED_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Task:
    """One file to hand in, and how to read it."""

    found: Found
    format: Format | None
    owner: Owner


@dataclass(slots=True)
class Imported:
    """What a backfill came to: files of each kind, and sessions."""

    files: int = 0
    known: int = 0
    handed_in: int = 0
    empty: int = 0
    passed_over: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[str, Path]] = field(default_factory=list)
    """Reason and place of each file that could not be handed in as a whole."""


def of_agent(agent: Agent, folder: Path) -> list[tuple[Found, Format | None]]:
    """The transcripts of an agent's own folder."""
    return [(found, LAYOUTS[agent].format) for found in transcripts(agent, folder)]


def of_path(path: Path, agent: Agent | None) -> list[tuple[Found, Format | None]]:
    """The transcripts at a path that the person names: a file, or a folder with whatever lies below it.

    Raises:
        HabitusError: when there is nothing at the path.
    """
    if path.is_file():
        return [(Found(path.stat().st_mtime, path), LAYOUTS[agent].format if agent else None)]
    if not path.is_dir():
        raise HabitusError(f"no such file or folder: {path}")
    if agent:
        layout = LAYOUTS[agent]
        return [(found, layout.format) for found in files(path, layout.is_transcript)]
    return [(found, None) for found in files(path, _may_be_transcript)]


def _may_be_transcript(name: str) -> bool:
    return name.endswith(ENDINGS) and not name.startswith("agent-")


def backfill(
    tasks: Iterable[Task], desk: Desk, in_flight: Callable[[], int], step: Callable[[], None], *, again: bool = False
) -> Imported:
    """Hands the files in, the oldest first. Killed at any moment it goes on there when it is called again.

    Args:
        tasks: the files, in any order; those of the same age go by name.
        in_flight: how many sessions are under way.
        step: called after each file.
        again: whether to hand in files that are known.

    Raises:
        UnavailableError: when Redis does not take sessions.
        HabitusError: when no worker takes them off it.
    """
    imported = Imported()
    for task in sorted(tasks, key=lambda each: each.found):
        _wait_for_room(in_flight)
        _take(task, desk, imported, again=again)
        step()
    return imported


def _take(task: Task, desk: Desk, imported: Imported, *, again: bool) -> None:
    imported.files += 1
    try:
        intake = desk.take(task.found.path, task.format, task.owner, again=again)
    except RefusedError as refused:
        imported.passed_over[refused.reason] += 1
        imported.refused.append((refused.reason, task.found.path))
        return
    imported.known += intake.known
    imported.handed_in += intake.handed_in
    imported.empty += intake.empty
    codes = [str(code) for code in intake.refused.elements()]
    imported.passed_over.update(codes)
    imported.refused += [(code, task.found.path) for code in codes]


def _wait_for_room(in_flight: Callable[[], int]) -> None:
    lowest, since = in_flight(), time.monotonic()
    while lowest >= MOST_IN_FLIGHT:
        time.sleep(0.2)
        now = in_flight()
        if now < lowest:
            lowest, since = now, time.monotonic()
        elif time.monotonic() - since > STALLED_SECONDS:
            raise HabitusError("no worker takes sessions: start `habitus up`, then run this again; it goes on here")
