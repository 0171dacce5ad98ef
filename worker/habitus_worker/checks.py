"""Alarms about the rejection log, for cron; `deploy/alerts.yml` has the same as rules for Prometheus."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from habitus_schema.codes import MEANING, Code
from habitus_tasks.intervals import Rate, ratio
from habitus_tasks.log_figures import Count, counts
from habitus_tasks.store import Database

BASE_DAYS = 28
"""Days that the latest ones are compared with."""
JUMP = 2.0
"""How many times its earlier rate makes a jump, when chance does not explain it either (95 % interval)."""


class Alarm(StrEnum):
    """What is wrong."""

    NEW_CODE = "new_code"
    """A code that was not given in the weeks before."""
    UNKNOWN_VALUE_JUMP = "unknown_value_jump"
    """The extractor drifts from the vocabulary, or a caller does."""
    PRIVATE_LINES = "private_lines"
    """The embedded extractor proposed something private: the gate held, but it must never come to that."""
    PAYLOAD_EXPIRED = "payload_expired"
    """A session was lost to its time to live."""


ADVICE = {
    Alarm.NEW_CODE: "look what changed on the day it began: a version, a caller, a format",
    Alarm.UNKNOWN_VALUE_JUMP: "compare the catalog versions of workers and callers; run `habitus eval extraction`",
    Alarm.PRIVATE_LINES: "run `habitus audit`; report the detector as a bug of the extractor",
    Alarm.PAYLOAD_EXPIRED: "add workers or raise HABITUS_PAYLOAD_TTL; have the sessions submitted again",
}
"""What to do about each."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An alarm with the code it is about, its count in the latest days, and in the weeks before them."""

    alarm: Alarm
    code: Code
    count: int
    before: int


def check(database: Database, tenant: str | None, today: date, days: int = 1) -> tuple[Finding, ...]:
    """The alarms of the last `days` days and of today so far; none when all is well.

    Raises:
        UsageError: for a tenant that is not a keyed id.
        UnavailableError: when the database does not answer.
    """
    start = today - timedelta(days=days)
    return tuple(findings(counts(database, tenant, since=start - timedelta(days=BASE_DAYS)), start, days + 1))


def findings(lines: Iterable[Count], start: date, days: int) -> Iterator[Finding]:
    """The alarms about what was logged from the day `start` on, `days` days long, against the days before."""
    latest, before = Counter[Code](), Counter[Code]()
    for each in lines:
        (latest if each.day >= start else before)[each.code] += each.count
    for code in sorted(latest):
        for alarm in _alarms(code, latest[code], before, days):
            yield Finding(alarm, code, latest[code], before[code])


def _alarms(code: Code, count: int, before: Counter[Code], days: int) -> Iterator[Alarm]:
    if before and not before[code]:
        yield Alarm.NEW_CODE
    if code is Code.UNKNOWN_VALUE and _jumped(count, days, before[code]):
        yield Alarm.UNKNOWN_VALUE_JUMP
    if code.startswith("PRIVATE_"):
        yield Alarm.PRIVATE_LINES
    if code is Code.PAYLOAD_EXPIRED:
        yield Alarm.PAYLOAD_EXPIRED


def _jumped(count: int, days: int, before: int) -> bool:
    change = ratio(Rate(before, BASE_DAYS), Rate(count, days))
    return change is not None and change.low > 1 and change.value >= JUMP


def advice(finding: Finding) -> str:
    """What to do about it."""
    return f"{MEANING[finding.code][1]}; {ADVICE[finding.alarm]}"
