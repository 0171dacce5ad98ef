"""`habitus eval`: the score of a stage against a labelled set, as one JSON object or as tables."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from habitus_schema.errors import HabitusError
from habitus_schema.ids import IdKey
from habitus_worker.cli.output import print_json, print_table, say_fallback
from habitus_worker.days import today
from habitus_worker.settings import Settings

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Report:
    """What is printed of a score.

    Attributes:
        totals: the figures that decide, by name.
        tables: by title, rows of equal keys.
    """

    totals: dict[str, Any]
    tables: dict[str, Rows] = field(default_factory=dict)


def print_score(kind: str, rows: Rows, as_json: bool, settings: Settings, only: str | None = None) -> None:
    """Scores and prints. Sessions are read by the extractor of the settings.

    `only`: the one table of the report that is wanted, without the totals.

    Raises:
        HabitusError: for rows that are not of this set's form.
    """
    reports: dict[str, Callable[[Rows], Report]] = {
        "gate": _gate,
        "recurrence": _recurrence,
        "extraction": partial(_extraction, settings=settings),
        "policy": _policy,
    }
    try:
        report = reports[kind](rows)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise HabitusError(f"a row is not of the {kind} set's form (docs/commands.md)") from None
    if only:
        report = Report({}, {only: report.tables.get(only, [])})
    print_report(kind.capitalize(), report, as_json)


def print_report(title: str, report: Report, as_json: bool) -> None:
    """Prints a score as one JSON object or as tables."""
    if as_json:
        print_json(report.totals | report.tables)
        return
    if report.totals:
        print_table(title, ["figure", "value"], [(name, _shown(value)) for name, value in report.totals.items()])
    for name, lines in report.tables.items():
        if lines:
            print_table(name, list(lines[0]), [[_shown(cell) for cell in line.values()] for line in lines])


def _shown(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _gate(rows: Rows) -> Report:
    from habitus_tasks.gate_eval import score

    found = score(rows)
    totals = {
        "private_notes": found.private.rows, "recall": found.private.rate,
        "clean_notes": found.clean.rows, "refused_for_nothing": found.clean.rate,
        "other_payloads": found.payloads.rows, "payloads_refused": found.payloads.rate,
        "notes_per_second": round(found.notes_per_second), "times_a_json_parse": found.json_ratio,
    }  # fmt: skip
    kinds = [{"kind": kind, "rows": tally.rows, "rejected": tally.rate} for kind, tally in sorted(found.kinds.items())]
    confusion = [
        {"expected": expected, "given": given, "rows": count}
        for (expected, given), count in sorted(found.confusion.items())
    ]
    return Report(totals, {"confusion": confusion, "by_kind": kinds})


def _recurrence(rows: Rows) -> Report:
    from habitus_tasks.recurrence_eval import score

    found = score(rows, IdKey.generate(), today())
    wrong = [
        {"id": each.id, "missing": ", ".join(each.missing), "unexpected": ", ".join(each.unexpected)}
        for each in found.wrong
    ]
    totals = {"scenarios": found.scenarios, "right": found.right}
    if all("labels" in row for row in rows):
        totals["right_when_extracted_right"] = score(rows, IdKey.generate(), today(), by_labels=True).right
    return Report(totals, {"wrong": wrong})


def _extraction(rows: Rows, settings: Settings) -> Report:
    from habitus_tasks.extract.evaluate import score
    from habitus_worker.extractors import extractor_of

    found = score(rows, extractor_of(settings, settings.task_seconds, say_fallback))
    totals = {
        **found.overall.as_dict(), "sessions": found.sessions, "label_free_sessions": found.free,
        "label_free_clean": found.clean / found.free if found.free else 1.0, "unread": len(found.unread),
    }  # fmt: skip
    tables = {
        f"by_{kind}": [{kind: name, **count.as_dict()} for name, count in sorted(counts.items())]
        for kind, counts in found.slices.items()
    }
    tables["label_free_by_tag"] = [
        {"tag": tag, "sessions": free, "clean": clean} for tag, (free, clean) in sorted(found.free_by_tag.items())
    ]
    columns = ("id", "dimension", "value", "scope")
    tables["false_candidates"] = [dict(zip(columns, each, strict=True)) for each in found.false]
    return Report(totals, tables)


def _policy(rows: Rows) -> Report:
    from habitus_classifier.evaluate import report

    return Report(*report(rows))
