"""Sweeping an agent's history: sessions whose hook never fired, found by the files' age alone."""

import time
from dataclasses import dataclass, field

from habitus_worker.days import today
from habitus_worker.settings import Settings
from habitus_worker.teardown.agents import LAYOUTS, Agent, transcripts
from habitus_worker.teardown.enrolment import Enrolment, enrolments
from habitus_worker.teardown.intake import Desk, Owner, RefusedError
from habitus_worker.teardown.taken import Taken


@dataclass(slots=True)
class Swept:
    """What a pass came to: sessions submitted, and files that gave none, by closed reason."""

    handed_in: int = 0
    passed_over: list[str] = field(default_factory=list)


def sweep(settings: Settings, desk: Desk, taken: Taken, now: float | None = None) -> Swept:
    """Hands in what changed in the history of each installed agent and was then left alone for `quiet_seconds`.

    How far it has come is kept: a pass over a history in which nothing is new looks at each file's age and no more.

    Raises:
        UnavailableError: when Redis does not take sessions; the next pass goes on from the file before.
        UsageError: when the note about the installed agents is broken.
    """
    now = time.time() if now is None else now
    swept = Swept()
    for agent, enrolled in enrolments(settings.home).items():
        _sweep_agent(agent, enrolled, settings, desk, taken, swept, now - settings.quiet_seconds)
    return swept


def _sweep_agent(
    agent: Agent, enrolled: Enrolment, settings: Settings, desk: Desk, taken: Taken, swept: Swept, until: float
) -> None:
    since = max(taken.swept_until(agent), enrolled.since)
    due = sorted(found for found in transcripts(agent, enrolled.folder) if since <= found.changed <= until)
    owner = Owner(enrolled.user, enrolled.tenant or settings.tenant)
    for found in due:
        try:
            intake = desk.take(found.path, LAYOUTS[agent].format, owner)
        except RefusedError as refused:
            reasons = [str(refused.reason)]
        else:
            swept.handed_in += intake.handed_in
            reasons = [str(code) for code in intake.refused]
        if found.changed > since:  # else it was counted by the pass before
            for reason in reasons:
                swept.passed_over.append(reason)
                taken.count(reason, today())
        taken.sweep_reached(agent, found.changed)
    if until > since:
        taken.sweep_reached(agent, until)
