"""Handing in one file: look at it, read it, submit its sessions, and only then note that it was taken."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, Protocol

from habitus_schema.codes import Code
from habitus_schema.errors import HabitusError
from habitus_schema.models import Rejection
from habitus_schema.transcript import Format, Speaker, Transcript
from habitus_tasks.parse import read
from habitus_tasks.pipeline import Caller
from habitus_worker.teardown.taken import Stamp, Taken


class Reason(StrEnum):
    """Why a file, or an entry of the spool, gave no session; beside the codes of the stage `parse`."""

    MISSING = "TRANSCRIPT_MISSING"
    NO_FILE = "NOT_A_FILE"
    NOT_ALLOWED = "NOT_READABLE"
    NOTHING_SAID = "NOTHING_SAID"
    CHANGING = "STILL_CHANGING"
    BROKEN_ENTRY = "BROKEN_ENTRY"
    OTHER_SESSION = "OTHER_SESSION"


REASONS = {
    Reason.MISSING: "the transcript is not there",
    Reason.NO_FILE: "not a file",
    Reason.NOT_ALLOWED: "may not be read",
    Reason.NOTHING_SAID: "the person says nothing in it",
    Reason.CHANGING: "still being written",
    Reason.BROKEN_ENTRY: "an entry of the spool that no hook of this version wrote",
    Reason.OTHER_SESSION: "the file holds another session than the hook said",
}
"""What each means, for people."""


class RefusedError(HabitusError):
    """A file that cannot be read at all. Carries the reason and nothing else."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class Taker(Protocol):
    """What takes a session: `habitus_worker.submitting.Submitter`."""

    def submit(self, transcript: Transcript, caller: Caller) -> str:
        """Raises UnavailableError when the session was not taken."""


@dataclass(slots=True)
class Intake:
    """What came of one file.

    Attributes:
        handed_in: sessions submitted.
        empty: sessions in which the person says nothing; not submitted.
        known: the file was handed in before, as it is.
        refused: sessions that could not be read, by code.
        sessions: the ids of the sessions in it, in memory only.
    """

    handed_in: int = 0
    empty: int = 0
    known: bool = False
    refused: Counter[Code] = field(default_factory=Counter)
    sessions: set[str] = field(default_factory=set, repr=False)


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose sessions these are.

    Attributes:
        user, tenant: names. One that is a mere default holds where the transcript itself names none.
        user_named, tenant_named: whether the person said that name, with `--user` or `--tenant`.
    """

    user: str
    tenant: str
    user_named: bool = False
    tenant_named: bool = False

    @property
    def names(self) -> tuple[str, str]:
        """Tenant and user."""
        return self.tenant, self.user

    def caller_of(self, transcript: Transcript, day: date) -> Caller:
        """Who submits this session; `day` counts where the transcript has no time."""
        named = Caller(self.user if self.user_named else "", self.tenant if self.tenant_named else "", "", day)
        return named.filled(transcript, self.user, self.tenant)


class Desk:
    """Hands files in for one deployment."""

    def __init__(self, taker: Callable[[], Taker], taken: Taken) -> None:
        """`taker` makes the submitter when the first file needs it."""
        self._taker, self._taken = taker, taken

    def take(self, path: Path, format_: Format | None, owner: Owner, *, again: bool = False) -> Intake:
        """Hands in what a file holds, unless that was done before and it is just as it was.

        Killed at any moment it can be called again: what was submitted twice counts once.

        Args:
            path: the transcript.
            format_: its format, or None to tell it from the content.
            owner: whose it is.
            again: whether to hand it in although it is known.

        Raises:
            RefusedError: when it is not there, no file, or may not be read.
            UnavailableError: when Redis does not take it, or the note cannot be made; call again later.
        """
        with opened(path) as (stream, status):
            stamp, intake = Stamp.of(status), Intake()
            if not again and self._taken.knows(path, owner.names, stamp):
                intake.known = True
                return intake
            day = datetime.fromtimestamp(status.st_mtime, UTC).date()
            for session in _sessions(stream, format_):
                self._take_one(session, owner, day, intake)
        if intake.handed_in and not intake.refused:
            self._taken.note(path, owner.names, stamp)
        return intake

    def _take_one(self, session: Transcript | Rejection, owner: Owner, day: date, intake: Intake) -> None:
        if isinstance(session, Rejection):
            intake.refused[session.code] += 1
            return
        intake.sessions.add(session.session_id)
        if any(turn.speaker is Speaker.PERSON for turn in session.turns):
            self._taker().submit(session, owner.caller_of(session, day))
            intake.handed_in += 1
        else:
            intake.empty += 1


def _sessions(stream: BinaryIO, format_: Format | None) -> Iterator[Transcript | Rejection]:
    try:
        yield from read(stream, format_)
    except OSError:
        raise RefusedError(Reason.NOT_ALLOWED) from None


@contextmanager
def opened(path: Path) -> Iterator[tuple[BinaryIO, os.stat_result]]:
    """A regular file, open, with its state. A pipe or a device, which could hang, is refused.

    Raises:
        RefusedError: see `Desk.take`.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        raise RefusedError(Reason.MISSING) from None
    except (OSError, ValueError):
        raise RefusedError(Reason.NOT_ALLOWED) from None
    status = os.fstat(fd)
    if not S_ISREG(status.st_mode):
        os.close(fd)
        raise RefusedError(Reason.NO_FILE)
    with os.fdopen(fd, "rb") as stream:
        yield stream, status
