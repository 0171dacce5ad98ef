"""`habitus demo`: an embedded Redis, a real worker and SQLite in a temporary folder; then everything is removed."""

import re
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from importlib import resources
from io import BytesIO
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from habitus_schema.errors import HabitusError
from habitus_schema.pairs import Pair
from habitus_schema.transcript import Transcript
from habitus_schema.vocabulary import Dimension
from habitus_tasks.log_reading import Wanted
from habitus_tasks.parse import read
from habitus_tasks.pipeline import Caller
from habitus_worker.audit import audit
from habitus_worker.cli.deciding import decide_for
from habitus_worker.cli.inspecting import print_status
from habitus_worker.cli.log_printing import Shape, print_lines
from habitus_worker.cli.output import console
from habitus_worker.cli.profiles import act, print_profile
from habitus_worker.cli.state import State
from habitus_worker.days import today
from habitus_worker.keys import load_keys
from habitus_worker.ledger import Ledger
from habitus_worker.settings import Settings, read_settings
from habitus_worker.stack import embedded_stack
from habitus_worker.submitting import Submitter

PERSON = "mara"
BLOCKED = Pair(dimension=Dimension.TYPE_ANNOTATIONS, value="include")
SECONDS = 60.0
"""After which the demo gives up when nothing moves: all of it takes a few."""
QUERIES = (
    "give me the commands to set up a python project",
    "why does my loop get slower with every round?",
    "translate 'good morning' into Portuguese for my aunt's birthday card",
)
DAYS_AGO = re.compile(rb"@DAY-(\d+)@")


def samples() -> Iterator[tuple[str, bytes]]:
    """The bundled sessions with their names, dated relative to today so that they never age out of the window."""
    folder = resources.files("habitus_worker.demo") / "sessions"
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        dated = DAYS_AGO.sub(
            lambda found: (today() - timedelta(days=int(found[1]))).isoformat().encode(), entry.read_bytes()
        )
        yield entry.name, dated


def private_strings() -> list[str]:
    """What the sessions hold and nothing may keep."""
    return (resources.files("habitus_worker.demo") / "private.txt").read_text("utf-8").splitlines()


def run_demo() -> None:
    """Runs the main job end to end and shows what came of it.

    Raises:
        HabitusError: when it does not finish in time, or something private was kept.
    """
    with tempfile.TemporaryDirectory(prefix="habitus-") as folder:
        settings = read_settings(home=Path(folder), redis_url="", database_url="")
        console().print("Starting Redis, a worker and SQLite in a temporary folder.")
        with embedded_stack(settings) as (running, _worker):
            act(running, "block", BLOCKED, PERSON, None)
            console().print(f"{PERSON} has said beforehand: never learn {BLOCKED} about me.")
            _submit_and_wait(running)
            _show(running)
        _prove(settings)
    console().print("Stopped everything and removed the folder.")


def _submit_and_wait(settings: Settings) -> None:
    names = dict(samples())
    first = next(iter(names))
    files = [*names.items(), (f"{first} (again)", names[first])]
    submitter, ledger = Submitter(settings), Ledger(settings.redis, settings.payload_ttl)
    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=console()) as progress:
        task = progress.add_task(f"{len(files)} sessions", total=len(files))
        for _name, raw in files:
            for session in read(BytesIO(raw)):
                if isinstance(session, Transcript):
                    submitter.submit(session, Caller(PERSON, settings.tenant, day=today()))
        moved, waiting = time.monotonic(), len(files)
        while (counts := ledger.counts()).in_flight:
            progress.update(task, completed=counts.submitted - counts.in_flight)
            if counts.in_flight != waiting:
                moved, waiting = time.monotonic(), counts.in_flight
            if time.monotonic() > moved + SECONDS:
                raise HabitusError(f"the demo stands still for {SECONDS:.0f} s: is the machine very busy? try again")
            time.sleep(0.05)
        progress.update(task, completed=len(files))


def _show(settings: Settings) -> None:
    state = State.of(settings)
    console().print(f"\nWhat habitus now knows of {PERSON}: pairs of a closed vocabulary, and counts.\n")
    print_profile(settings, PERSON, None, as_json=False)
    console().print("What it did not take, and why:\n")
    print_lines(settings, Wanted(), None, Shape.TABLE)
    console().print("Three new queries, and which of these habits each one calls for:\n")
    for query in QUERIES:
        console().print(query, style="bold")
        decide_for(state, PERSON, None, query, as_json=False)
    print_status(settings, as_json=False)


def _prove(settings: Settings) -> None:
    strings = private_strings()
    result = audit(strings, [settings.home], keys=load_keys(settings.keys).seal)
    console().print(
        f"Searched {result.bytes_read:,} bytes of database, Redis log and worker log for {len(strings)} private "
        f"strings of the sessions: {sum(count for _place, count in result.places)} found."
    )
    if not result.clean:
        raise HabitusError("something private was kept: this must never happen, please report it")
