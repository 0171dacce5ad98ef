"""`habitus rejections --stats`: how often what was refused, day by day, and what changed."""

import csv
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from habitus_schema.codes import Code, stage_of
from habitus_tasks.log_figures import NO_REFUSAL, Share, counts, share_refused
from habitus_tasks.log_reading import Wanted
from habitus_worker.cli.log_printing import Shape, database_for
from habitus_worker.cli.output import print_json, print_table, say
from habitus_worker.days import today
from habitus_worker.settings import Settings

PLOT_DAYS = 28
"""Days of a bar plot."""
WEEK = 7
_BARS = " ▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class CodeCount:
    """How often a code was given, in all and by day.

    Attributes:
        week, before: in the last seven days of the range, and in the seven before them.
    """

    code: Code
    total: int
    days: Counter[date]
    week: int
    before: int

    @property
    def change(self) -> float | None:
        """The last week against the week before: 0.5 for half as many again; None when there was nothing before."""
        return self.week / self.before - 1 if self.before else None


def print_stats(settings: Settings, wanted: Wanted, tenant: str | None, shape: Shape) -> None:
    """Prints the counts of each code that is wanted, the most frequent first. A detector is not counted by itself."""
    (database, whose), last = database_for(settings, tenant), wanted.until or today()
    if wanted.detector is not None:
        say("the counts are by code, day and dimension: --detector is left out of them")
    days: dict[Code, Counter[date]] = {}
    for each in counts(database, whose, since=wanted.since, until=wanted.until):
        if each.code in wanted.codes and wanted.dimension in (None, each.dimension):
            days.setdefault(each.code, Counter())[each.day] += each.count
    rows = sorted((_counted(code, days[code], last) for code in days), key=lambda row: (-row.total, row.code))
    _print(rows, last, shape)
    if shape is Shape.TABLE:
        _say_share(share_refused(database, whose, since=wanted.since, until=wanted.until), rows)
    elif shape is Shape.JSON:
        share = share_refused(database, whose, since=wanted.since, until=wanted.until)
        print_json({"sessions": share.sessions, "sessions_with_a_refusal": share.refused})


def _counted(code: Code, days: Counter[date], last: date) -> CodeCount:
    week, before = (
        sum(days[last - timedelta(days=back)] for back in range(start, start + WEEK)) for start in (0, WEEK)
    )
    return CodeCount(code, days.total(), days, week, before)


def _print(rows: Sequence[CodeCount], last: date, shape: Shape) -> None:
    if shape is Shape.JSON:
        for row in rows:
            print_json(
                {
                    "stage": stage_of(row.code), "code": row.code, "count": row.total, "week": row.week,
                    "week_before": row.before, "change": row.change,
                    "days": {day.isoformat(): row.days[day] for day in sorted(row.days)},
                }
            )  # fmt: skip
    elif shape is Shape.CSV:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(("day", "stage", "code", "count"))
        for row in rows:
            writer.writerows((day, stage_of(row.code), row.code, row.days[day]) for day in sorted(row.days))
    else:
        print_table(
            f"Rejections by code; bars: the {PLOT_DAYS} days to {last}",
            ["stage", "code", "count", "week", "before", "change", "by day"],
            [
                (stage_of(row.code), row.code, f"{row.total:,}", f"{row.week:,}", f"{row.before:,}",
                 percent(row.change), bars(row.days, last))
                for row in rows
            ],
            empty="nothing was turned down",
        )  # fmt: skip


def _say_share(share: Share, rows: Sequence[CodeCount]) -> None:
    change = sum(row.week for row in rows) / before - 1 if (before := sum(row.before for row in rows)) else None
    part = f" ({share.refused / share.sessions:.0%})" if share.sessions else ""
    print_table(
        "In all",
        ["sessions", "refused in part or whole", "lines in the last week against the week before"],
        [(f"{share.sessions:,}", f"{share.refused:,}{part}", percent(change))] if share.sessions else [],
        empty="no session",
    )
    if share.sessions:
        waiting = ", ".join(sorted(NO_REFUSAL))
        say(f"sessions with lines of {waiting} alone are not among the refused: these wait, or say how one was counted")


def percent(change: float | None) -> str:
    """A change with its sign; a dash when there is nothing to compare with."""
    return "-" if change is None else f"{change:+.0%}"


def bars(days: Counter[date], last: date) -> str:
    """A small plot of the days up to `last`, each as high as its share of the highest."""
    counts_ = [days[last - timedelta(days=back)] for back in reversed(range(PLOT_DAYS))]
    highest = max(counts_)
    return "".join(_BARS[-(-8 * count // highest)] if count else _BARS[0] for count in counts_) if highest else ""
