"""Draining the spool: each entry's transcript is read again, handed in, and only then is the entry removed."""

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from habitus_schema.codes import Code
from habitus_worker.days import today
from habitus_worker.settings import Settings
from habitus_worker.teardown.agents import LAYOUTS, Found, transcripts
from habitus_worker.teardown.enrolment import Enrolment, enrolment
from habitus_worker.teardown.intake import Desk, Intake, Owner, Reason, RefusedError
from habitus_worker.teardown.spool import Body, Entry, entries, spool_of
from habitus_worker.teardown.taken import Taken

SETTLE_SECONDS = 3.0
"""A transcript that changed within these is still being written: the agents write it while the hook runs."""
EMPTY_SECONDS = 600.0
"""How long a session that says nothing yet is given to be written out."""
FIRST_WAIT = 5.0
"""Seconds until an entry is tried again; doubled each time."""


@dataclass(slots=True)
class Drained:
    """What a pass came to.

    Attributes:
        handed_in: sessions submitted.
        waiting: entries that stay for a later pass.
        settling: those of them that wait only until their transcript was left alone for `SETTLE_SECONDS`.
        given_up: entries that went without a session, by closed reason.
    """

    handed_in: int = 0
    waiting: int = 0
    settling: int = 0
    given_up: Counter[str] = field(default_factory=Counter)


class Later(Exception):  # noqa: N818 - not an error
    """An entry is to be tried again, for this reason, until it is so many seconds old."""

    def __init__(self, reason: str, until: float) -> None:
        super().__init__(reason)
        self.reason, self.until = reason, until


class Drain:
    """Drains one spool, pass after pass; between passes it remembers when each entry is due."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._due: dict[Path, tuple[float, float]] = {}

    def run(self, desk: Desk, taken: Taken, now: float | None = None) -> Drained:
        """One pass.

        Args:
            desk: what hands the sessions in.
            taken: where what is given up is counted.
            now: seconds since 1970; the clock's when None.

        Raises:
            UnavailableError: when Redis does not take sessions: all entries stay.
            UsageError: when the note about the installed agents is broken: all entries stay.
        """
        now = time.time() if now is None else now
        one, waits = _Pass(self._settings, desk, taken, now), dict[Path, tuple[float, float]]()
        for entry in entries(spool_of(self._settings.home)):
            due, wait = self._due.get(entry.files[-1], (0.0, FIRST_WAIT))
            if now >= due and one.settles(entry):
                entry.remove()
                continue
            one.done.waiting += 1
            waits[entry.files[-1]] = (now + wait, wait * 2) if now >= due else (due, wait)
        self._due = waits
        return one.done


@dataclass(slots=True)
class _Pass:
    """One pass over the spool."""

    settings: Settings
    desk: Desk
    taken: Taken
    now: float
    done: Drained = field(default_factory=Drained)

    def settles(self, entry: Entry) -> bool:
        """Whether the entry can go: its session is handed in, or never will be."""
        if entry.body is None:
            self._give_up(Reason.BROKEN_ENTRY)
            return True
        try:
            self._hand_in(entry.body)
        except Later as later:
            if self.now - entry.written < later.until:
                return False
            self._give_up(later.reason)
        return True

    def _give_up(self, reason: str) -> None:
        self.done.given_up[reason] += 1
        self.taken.count(reason, today())

    def _hand_in(self, body: Body) -> None:
        enrolled = enrolment(self.settings.home, body.agent)
        path = Path(body.path) if body.path else None
        if path is None or not path.exists():
            path = _named(body, enrolled) or path
        intake = self._take(path, body, enrolled)
        if body.session and intake.sessions and body.session not in intake.sessions:
            # The records outrank the hook's word; the session it named is looked for under its own name.
            self._give_up(Reason.OTHER_SESSION)
            other = _named(body, enrolled)
            if other and other != path:
                self._take(other, body, enrolled)

    def _take(self, path: Path | None, body: Body, enrolled: Enrolment) -> Intake:
        longest = float(self.settings.spool_seconds)
        try:
            if path is None:
                raise RefusedError(Reason.MISSING)
            self._wait_until_quiet(path, body)
            owner = Owner(enrolled.user, enrolled.tenant or self.settings.tenant)
            intake = self.desk.take(path, LAYOUTS[body.agent].format, owner)
        except RefusedError as refused:
            raise Later(refused.reason, longest) from None
        self.done.handed_in += intake.handed_in
        if intake.refused:
            raise Later(next(iter(intake.refused)), 0.0 if Code.TOO_LARGE in intake.refused else longest)
        if intake.empty and not intake.handed_in:
            raise Later(Reason.NOTHING_SAID, EMPTY_SECONDS)
        return intake

    def _wait_until_quiet(self, path: Path, body: Body) -> None:
        try:
            changed = path.stat().st_mtime
        except OSError:
            return  # `Desk.take` says what is wrong
        # The end of a turn is not the end of a session; a change in the future is a clock that was set.
        quiet = SETTLE_SECONDS if body.event == "end" else self.settings.quiet_seconds
        if 0 <= self.now - changed < quiet:
            self.done.settling += quiet == SETTLE_SECONDS
            raise Later(Reason.CHANGING, float("inf"))


def _named(body: Body, enrolled: Enrolment) -> Path | None:
    """The newest transcript that bears the session's id in its name."""
    layout = LAYOUTS[body.agent]
    named: list[Found] = [
        found
        for found in transcripts(body.agent, enrolled.folder)
        if body.session and layout.is_transcript_of(found.path.name, body.session)
    ]
    return max(named).path if named else None
