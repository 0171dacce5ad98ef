"""How the rejection log, the dead letters and the identity are printed."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice

from habitus_schema.codes import MEANING, Code, Stage
from habitus_schema.ids import Kind
from habitus_schema.models import Outcome
from habitus_tasks.record import settled_counts
from habitus_tasks.rejections import Line, query, stats
from habitus_worker.cli.output import console, print_json, print_table, say
from habitus_worker.databases import database_of
from habitus_worker.keys import load_keys
from habitus_worker.ledger import Ledger
from habitus_worker.settings import Settings

MAX_TABLE = 1000
"""Lines of a table; JSON has no bound."""
FOLLOW_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Filter:
    """Which lines of the rejection log. None means any."""

    code: Code | None = None
    stage: Stage | None = None
    since: date | None = None
    tenant: str | None = None


def print_rejections(settings: Settings, chosen: Filter, *, as_json: bool, after: int | None = None) -> int | None:
    """Prints the lines after the one with id `after`, oldest first; returns the id of the last one seen."""
    lines = _lines(settings, chosen, after)
    if as_json:
        for line in lines:
            print_json(_row(line))
            after = line.id
        return after
    shown = list(islice(lines, MAX_TABLE + 1))
    rows = [(x.day, x.stage, x.code, x.dimension, MEANING[x.code][1], (x.session or "")[:12]) for x in shown]
    columns = ["day", "stage", "code", "dimension", "meaning", "session"]
    print_table("Rejection log", columns, rows[:MAX_TABLE], empty="nothing was turned down")
    if len(shown) > MAX_TABLE:
        say(f"the first {MAX_TABLE} lines; narrow them with --since, --code or --stage, or read all with --json")
    return shown[-1].id if shown else after


def _lines(settings: Settings, chosen: Filter, after: int | None) -> Iterator[Line]:
    database = database_of(settings)
    tenant = load_keys(settings.keys).ids.keyed(Kind.TENANT, chosen.tenant) if chosen.tenant else None
    while True:
        page = query(
            database, tenant, code=chosen.code, stage=chosen.stage, since=chosen.since, after_id=after, limit=1000
        )
        yield from page.lines
        if page.next_after is None:
            return
        after = page.next_after


def _row(line: Line) -> dict[str, object]:
    return {
        "day": line.day, "stage": line.stage, "code": line.code, "dimension": line.dimension,
        "detector": line.detector, "tenant": line.tenant, "session": line.session,
        "catalog_version": line.catalog_version,
    }  # fmt: skip


def follow(settings: Settings, chosen: Filter, last: int | None, *, as_json: bool) -> None:
    """Prints new lines as they come, until Ctrl-C."""
    while True:
        time.sleep(FOLLOW_SECONDS)
        for line in _lines(settings, chosen, last):
            last = line.id
            row = _row(line)
            print_json(row) if as_json else console().print(*(value for value in row.values() if value is not None))


def print_stats(settings: Settings, chosen: Filter, *, as_json: bool) -> None:
    """Prints how often each code was given."""
    tenant = load_keys(settings.keys).ids.keyed(Kind.TENANT, chosen.tenant) if chosen.tenant else None
    rows = [
        (stage, code, dimension, count)
        for stage, code, dimension, count in stats(database_of(settings), tenant, since=chosen.since)
        if chosen.code in (None, code) and chosen.stage in (None, stage)
    ]
    if as_json:
        for stage, code, dimension, count in rows:
            print_json({"stage": stage, "code": code, "dimension": dimension, "count": count})
    else:
        print_table("Rejections", ["stage", "code", "dimension", "count"], rows, empty="nothing was turned down")


def print_status(settings: Settings, as_json: bool) -> bool:
    """Prints the identity; returns whether it holds.

    It holds when the ledger balances and the database has every outcome that the ledger counts: the record zone
    commits first and settles after, so the database may be ahead by what is still in flight, and never behind.
    """
    ledger = Ledger(settings.redis, settings.payload_ttl)
    before = ledger.counts()
    stored = settled_counts(database_of(settings))
    after = ledger.counts()
    in_database = stored[Outcome.RECORDED] + stored[Outcome.DUPLICATE]
    holds = (
        after.holds
        and before.recorded + before.duplicate <= in_database <= after.recorded + after.duplicate + after.in_flight
    )
    row = {
        "submitted": after.submitted, "recorded": after.recorded, "duplicate": after.duplicate,
        "dead_lettered": after.dead, "in_flight": after.in_flight, "holds": holds,
    }  # fmt: skip
    if as_json:
        print_json(row)
    else:
        console().print(
            f"{after.submitted} submitted = {after.recorded} recorded + {after.duplicate} duplicate + {after.dead} "
            f"dead-lettered + {after.in_flight} in flight: " + ("holds" if holds else "DOES NOT HOLD"), markup=False,
        )  # fmt: skip
    return holds
