"""The spool as the worker sees it: the entries that the hooks wrote, oldest first."""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from habitus_hook.event import path_of, session_of
from habitus_worker.teardown.agents import Agent

MAX_ENTRY_BYTES = 16 * 1024
SCRATCH_SECONDS = 3600
"""After which what a killed hook left half-written is swept up."""


class Body(BaseModel):
    """What an entry says (`habitus_hook.spool.put`); its other fields are for the reader of the file."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    version: Literal[1]
    agent: Agent
    event: Literal["end", "turn"]
    session: str
    path: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, or several about the same session.

    Attributes:
        files: the entry's own files.
        written: when the newest was written, in seconds since 1970.
        body: None when it is not of the form that our hooks write.
    """

    files: tuple[Path, ...] = field(repr=False)
    written: float
    body: Body | None = field(repr=False)

    def remove(self) -> None:
        """Takes it out of the spool."""
        for file in self.files:
            file.unlink(missing_ok=True)


def spool_of(home: Path) -> Path:
    """The spool of a data folder."""
    return home / "spool"


def has_entries(folder: Path) -> bool:
    """Whether there is anything in a spool, half-written or whole."""
    try:
        with os.scandir(folder) as found:
            return any(True for _ in found)
    except OSError:
        return False


def entries(folder: Path) -> list[Entry]:
    """All entries, the oldest first; those of one session as one, whose newest word counts.

    Raises:
        OSError: when the folder is there and cannot be read.
    """
    if not folder.is_dir():
        return []
    grouped: dict[object, Entry] = {}
    for name in sorted(os.listdir(folder)):
        path = folder / name
        if name.startswith("."):
            _sweep_up(path)
        elif name.endswith(".json") and (entry := _read(path)):
            about = (entry.body.agent, entry.body.session, entry.body.path) if entry.body else path
            before = grouped.pop(about, None)
            grouped[about] = Entry((*before.files, path), entry.written, entry.body) if before else entry
    return list(grouped.values())


def _read(path: Path) -> Entry | None:
    try:
        written = path.stat().st_mtime
        with path.open("rb") as stream:
            raw = stream.read(MAX_ENTRY_BYTES + 1)
    except OSError:
        return None  # taken out meanwhile
    return Entry((path,), written, _body(raw))


def _body(raw: bytes) -> Body | None:
    try:
        body = Body.model_validate_json(raw)
    except ValidationError:
        return None
    # The hook lets through no others; whoever else can write here is not to lead us anywhere.
    known = body.session in ("", session_of(body.session)) and body.path in ("", path_of(body.path))
    return body if known and (body.session or body.path) else None


def _sweep_up(path: Path) -> None:
    try:
        if time.time() - path.stat().st_mtime > SCRATCH_SECONDS:
            path.unlink()
    except OSError:
        return
