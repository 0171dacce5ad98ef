"""Whose sessions an agent's are, and since when: what `habitus install` notes down in the data folder."""

import getpass
import json
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from habitus_schema.errors import UsageError
from habitus_worker.keys import write_private
from habitus_worker.teardown.agents import LAYOUTS, Agent

FILE = "agents.json"


class Enrolment(BaseModel):
    """One installed agent.

    Attributes:
        user, tenant: whose sessions these are; an empty tenant is the settings' one.
        folder: the agent's own folder at that time.
        since: seconds since 1970. What changed before is for `habitus import`, which the person starts.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    user: str
    tenant: str = ""
    folder: Path
    since: float


def login_name() -> str:
    """The person's name on this machine; ``me`` where the system knows none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "me"


def enrolments(home: Path) -> dict[Agent, Enrolment]:
    """The agents that are installed.

    Raises:
        UsageError: when the file is there and not of the form that `enrol` writes.
    """
    path = home / FILE
    try:
        document = json.loads(path.read_bytes())
        return {Agent(name): Enrolment.model_validate(row) for name, row in document.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, ValidationError):
        raise UsageError(f"{path} is not of the expected form: remove it, and run `habitus install` again") from None


def enrolment(home: Path, agent: Agent) -> Enrolment:
    """An agent's enrolment; one for the login name where it is not installed, with nothing to sweep.

    Raises:
        UsageError: see `enrolments`.
    """
    found = enrolments(home).get(agent)
    return found or Enrolment(user=login_name(), folder=LAYOUTS[agent].own_folder(), since=float("inf"))


def enrol(home: Path, agent: Agent, entry: Enrolment | None) -> None:
    """Notes an agent down, or strikes it out; an agent that is enrolled already keeps its `since`.

    Raises:
        UsageError: see `enrolments`.
        OSError: when the data folder cannot be written.
    """
    known = enrolments(home)
    before = known.pop(agent, None)
    if entry:
        known[agent] = entry.model_copy(update={"since": before.since}) if before else entry
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    rows = {name.value: each.model_dump(mode="json") for name, each in known.items()}
    os.replace(write_private(home / FILE, rows), home / FILE)
