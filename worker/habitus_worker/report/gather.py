"""What a report says: figures, proofs and settings, each as a table of short words."""

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path

from habitus_schema import catalog
from habitus_schema.codes import MEANING, stage_of
from habitus_schema.tables import SCHEMA_VERSION
from habitus_tasks.effect import of_fleet
from habitus_tasks.log_figures import NO_REFUSAL, share_refused, stats
from habitus_tasks.store import Database
from habitus_worker.audit import MIN_LENGTH, audit
from habitus_worker.checks import advice, check
from habitus_worker.cli.effects import interval, rate
from habitus_worker.cli.inputs import open_input
from habitus_worker.cli.log_printing import database_for
from habitus_worker.cli.profiles import rule_of
from habitus_worker.cli.rotating import key_rows
from habitus_worker.days import today
from habitus_worker.keys import sealing_keys
from habitus_worker.ledger import Ledger
from habitus_worker.report.closed import audit_closed
from habitus_worker.settings import DAY_SECONDS, Settings

PEOPLE = 2000
Cells = Sequence[object]


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the report.

    Attributes:
        good: False when it has bad news.
    """

    title: str
    note: str
    columns: Sequence[str] = ()
    rows: Sequence[Cells] = ()
    good: bool = True


@dataclass(frozen=True, slots=True)
class Report:
    """The whole report, of the days from `since` to `made`."""

    since: date
    made: date
    scope: str
    sections: tuple[Section, ...]

    @property
    def good(self) -> bool:
        """Whether no section has bad news."""
        return all(section.good for section in self.sections)


def gather(settings: Settings, since: date, tenant: str | None, private: Path | None) -> Report:
    """Reads everything a report needs.

    Raises:
        UsageError, UnavailableError: when the keys, Redis or the database are not usable, or this database account
            does not see all of what is reported.
        HabitusError: when the file of private strings cannot be read.
    """
    database, whose = database_for(settings, tenant)
    sections = [*_counts(settings, database, whose, since), _closed(database, whose), _canaries(settings, private)]
    sections += [_alarms(database, whose), _effect(settings, database, whose), _keys(settings), *_settings(settings)]
    return Report(since, today(), "one tenant" if tenant else "the whole deployment", tuple(sections))


def _counts(settings: Settings, database: Database, tenant: str | None, since: date) -> Iterator[Section]:
    counts = Ledger(settings.redis, settings.payload_ttl).counts()
    yield Section(
        "Every session accounted for",
        "submitted = recorded + duplicate + dead-lettered + in flight, since the start: "
        + ("holds" if counts.holds else "DOES NOT HOLD"),
        ["submitted", "recorded", "duplicate", "dead-lettered", "in flight"],
        [(counts.submitted, counts.recorded, counts.duplicate, counts.dead, counts.in_flight)],
        good=counts.holds,
    )
    share = share_refused(database, tenant, since=since)
    found: dict[object, int] = {}
    for _, code, _, count in stats(database, tenant, since=since):
        found[code] = found.get(code, 0) + count
    yield Section(
        "What was not learned",
        f"{share.sessions:,} sessions ended in these days; in {share.refused:,} of them something was refused. Lines "
        f"of {', '.join(sorted(NO_REFUSAL))} refuse nothing: they wait, or say how a session was counted.",
        ["stage", "code", "lines", "what it means"],
        [
            (stage_of(code), code, count, MEANING[code][1])  # type: ignore[arg-type, index]
            for code, count in sorted(found.items(), key=lambda item: -item[1])
        ],
    )


def _closed(database: Database, tenant: str | None) -> Section:
    found = audit_closed(database, tenant)
    return Section(
        "Every stored value is closed",
        "Each value of each row was read: an enum's word, a keyed id, a ticket, a day, a number, or yes and no.",
        ["rows", "values", "values that are none of these"],
        [(found.rows, found.values, found.open)],
        good=found.open == 0,
    )


def _canaries(settings: Settings, private: Path | None) -> Section:
    title = "Search for private strings"
    if private is None:
        return Section(title, "Not done for this report: --private FILE takes strings that must be nowhere.")
    with open_input(private) as stream:
        strings = [line.decode("utf-8", "replace").rstrip("\r\n") for line in stream]
    sought = [each for each in strings if len(each) >= MIN_LENGTH]
    folders = [settings.home] if settings.home.is_dir() else []
    found = audit(sought, folders, settings.redis, keys=sealing_keys(settings.keys))
    return Section(
        title,
        "Files of the data folder and all that Redis holds were searched, in six encodings.",
        ["strings", "bytes searched", "places with a string"],
        [(len(sought), found.bytes_read, len(found.places))],
        good=found.clean,
    )


def _alarms(database: Database, tenant: str | None) -> Section:
    found = check(database, tenant, today())
    rows = [(each.alarm, each.code, each.count, advice(each)) for each in found]
    note = "What `habitus check` found since yesterday." if found else "`habitus check` found none since yesterday."
    return Section("Alarms", note, ["alarm", "code", "lines", "what to do"], rows, good=not found)


def _effect(settings: Settings, database: Database, tenant: str | None) -> Section:
    found = of_fleet(database, tenant, rule_of(settings), people=PEOPLE)
    note = (
        f"Corrections a session before and after a pair was promoted, over a random sample of at most {PEOPLE} people, "
        "with the 95 % interval of the ratio. This is no experiment: an interval that holds 1 is no evidence."
    )
    return Section(
        "Does it help?",
        note if found else "Nothing is promoted yet, so there is nothing to compare.",
        ["dimension", "people", "before", "sessions", "after", "sessions", "after/before", "what can be told"],
        [
            (
                each.dimension, each.people, rate(each.before), each.before.sessions, rate(each.after),
                each.after.sessions, interval(each.ratio), each.verdict,
            )
            for each in found
        ],
    )  # fmt: skip


def _keys(settings: Settings) -> Section:
    return Section(
        "Keys in use", "By their names; a secret is never shown.", ["kind", "key", "role"], key_rows(settings)
    )


def _settings(settings: Settings) -> Iterator[Section]:
    days = settings.payload_ttl / DAY_SECONDS
    yield Section(
        "Retention",
        "Content lives sealed on Redis until it is read, at most for its time to live; nothing else of it is kept.",
        ["what", "how long"],
        [
            ("sealed session", f"until it is read, at most {days:.1f} days"),
            ("evidence counts for", f"{settings.window_days} days"),
            ("task contexts that make a habit", f"{settings.k}"),
            ("tries before a session is a dead letter", f"{settings.attempts}"),
        ],
    )
    yield Section(
        "Versions",
        "What this deployment runs.",
        ["what", "version"],
        [
            ("habitus", version("habitus")),
            ("catalog", catalog.version()),
            ("database schema", SCHEMA_VERSION),
            ("database", settings.database.partition(":")[0]),
            ("Python", platform.python_version()),
        ],
    )
