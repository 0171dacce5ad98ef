"""How the lines of the rejection log are printed: a table, JSON or CSV; and how they are followed."""

import csv
import sys
import time
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import chain

from habitus_schema.codes import MEANING, Code
from habitus_schema.detectors import Detector
from habitus_schema.ids import Kind
from habitus_schema.vocabulary import Dimension
from habitus_tasks.log_reading import Line, Place, Wanted, listed, query
from habitus_tasks.store import Database
from habitus_tasks.whole import require_whole
from habitus_worker.cli.output import NARROW, console, print_json, say
from habitus_worker.databases import database_of
from habitus_worker.keys import load_keys
from habitus_worker.settings import Settings

MAX_TABLE = 1000
"""Lines of a table, the latest; JSON and CSV have no bound."""
FOLLOW_SECONDS = 1.0
FOLLOW_BEFORE = 10
"""Lines, the latest, that are shown before new ones are followed."""
_PAGE = 1000
_WIDTHS = {
    "day": 10,
    "stage": 7,
    "code": max(map(len, Code)),
    "dimension": max(map(len, Dimension)),
    "session": 12,
    "detector": max(map(len, Detector)),
    "meaning": 0,
}
_FROM = {"meaning": NARROW, "detector": NARROW + 36}
"""Columns of a terminal from which on a column is shown."""
FIELDS = ("day", "stage", "code", "dimension", "detector", "tenant", "session", "catalog_version")


class Shape(StrEnum):
    """How to print."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


def tenant_id(settings: Settings, tenant: str | None) -> str | None:
    """The keyed id of the tenant of that name; None for all."""
    return load_keys(settings.keys).ids.keyed(Kind.TENANT, tenant) if tenant else None


def database_for(settings: Settings, tenant: str | None) -> tuple[Database, str | None]:
    """The database, and the keyed id of the tenant of that name; None for all, who must be there to be seen.

    Raises:
        UsageError: as `database_of`; and without a tenant when the database account does not see every one.
        UnavailableError: when the database does not answer.
    """
    database, whose = database_of(settings), tenant_id(settings, tenant)
    if whose is None:
        require_whole(database, or_tenant=True)
    return database, whose


def print_latest(settings: Settings, wanted: Wanted, tenant: str | None, shape: Shape) -> int:
    """Prints the latest few lines, the newest last; returns the highest id of the log, for `follow` to go on after."""
    database, whose = database_for(settings, tenant)
    last = _last_id(database, whose)
    lines = listed(database, whose, wanted, newest_first=True, limit=FOLLOW_BEFORE).lines[::-1]
    if shape is Shape.TABLE:
        print_table(lines, header=True)
    else:
        _print_rows(iter(lines), shape, header=True)
    return last


def print_lines(settings: Settings, wanted: Wanted, tenant: str | None, shape: Shape) -> None:
    """Prints the lines, the oldest first."""
    database, whose = database_for(settings, tenant)
    if shape is not Shape.TABLE:
        _print_rows(_all(database, whose, wanted), shape, header=True)
        return
    found = listed(database, whose, wanted, newest_first=True, limit=MAX_TABLE)
    print_table(found.lines[::-1], header=True)
    if found.next_place:
        say(f"the latest {MAX_TABLE} lines; narrow them with --since, --code or --stage, or read all with --json")


def follow(settings: Settings, wanted: Wanted, tenant: str | None, last: int, shape: Shape) -> None:
    """Prints new lines as they come, in the form of those before, until Ctrl-C."""
    database, whose = database_for(settings, tenant)
    chosen = {name: getattr(wanted, name) for name in Wanted.__dataclass_fields__}
    while True:
        time.sleep(FOLLOW_SECONDS)
        found = query(database, whose, **chosen, after_id=last, limit=_PAGE)
        if found.lines:
            last = found.lines[-1].id
            if shape is Shape.TABLE:
                print_table(found.lines, header=False)
            else:
                _print_rows(iter(found.lines), shape, header=False)


def _all(database: Database, tenant: str | None, wanted: Wanted) -> Iterator[Line]:
    after: Place | None = None
    while True:
        page = listed(database, tenant, wanted, after=after, limit=_PAGE)
        yield from page.lines
        after = page.next_place
        if after is None:
            return


def _last_id(database: Database, tenant: str | None) -> int:
    newest = listed(database, tenant, Wanted(), newest_first=True, limit=1).lines
    if not newest:
        return 0
    # Days have no order within them and late sessions bring earlier days: from the latest line on, by id.
    last = newest[0].id
    while (page := query(database, tenant, after_id=last, limit=_PAGE)).lines:
        last = page.lines[-1].id
    return last


def row_of(line: Line) -> dict[str, object]:
    """A line as JSON and CSV have it."""
    return {name: getattr(line, name) for name in FIELDS}


def _print_rows(lines: Iterator[Line], shape: Shape, *, header: bool) -> None:
    if shape is Shape.JSON:
        for line in lines:
            print_json(row_of(line))
        return
    writer = csv.writer(sys.stdout, lineterminator="\n")
    for row in chain([FIELDS] if header else [], (row_of(line).values() for line in lines)):
        writer.writerow(row)
        sys.stdout.flush()


def print_table(lines: Sequence[Line], *, header: bool) -> None:
    """The lines as a table whose columns are as wide as their vocabulary, so that later lines stand below them.

    What is copied into other commands is never cut; the prose comes last.
    """
    out = console()
    if header and not lines:
        out.print("[bold]Rejection log[/bold]: nothing was turned down\n")
        return
    columns = [name for name in _WIDTHS if out.width >= _FROM.get(name, 0)]
    if header:
        out.print("[bold]Rejection log[/bold]")
        head = _padded(columns, columns)
        out.print(f"[bold]{head}[/bold]\n{'─' * (len(head) + 20)}", soft_wrap=True)
    for line in lines:
        out.print(_padded(columns, [_cell(line, name) for name in columns]), markup=False, soft_wrap=True)
    if header:
        out.print()


def _padded(columns: Sequence[str], cells: Sequence[str]) -> str:
    return "  ".join(cell.ljust(_WIDTHS[name]) for name, cell in zip(columns, cells, strict=True)).rstrip()


def _cell(line: Line, name: str) -> str:
    if name == "meaning":
        return MEANING[line.code][1]
    return (line.session or "")[:12] if name == "session" else str(getattr(line, name) or "")
