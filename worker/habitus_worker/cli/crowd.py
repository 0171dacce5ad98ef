"""`habitus eval person`: simulated people through the real extractor and the real record code."""

from pathlib import Path

from habitus_schema.errors import UsageError
from habitus_worker.cli.inputs import rows_of
from habitus_worker.cli.output import say
from habitus_worker.cli.scoring import Report, Rows, print_report

SETS = ("tests/data/extraction_dev.jsonl", "training/extraction/validation/hand_v.jsonl")
"""The labelled sets of a source tree that the extractor was not trained on."""


def rows_for(files: list[Path]) -> Rows:
    """The labelled sessions of the files given, or of the committed sets when there are none.

    Raises:
        UsageError: without files, outside a source tree.
    """
    tree = Path(__file__).parents[3]
    files = files or [tree / name for name in SETS]
    if not all(path.exists() or str(path) == "-" for path in files):
        raise UsageError("no such file: name labelled sessions (docs/commands.md), or run it in a source tree")
    return [row for path in files for row in rows_of(path)]


def print_people(files: list[Path], people: int, seed: int, carrying: int, as_json: bool) -> None:
    """Runs the people and prints how many came out right, and where the others failed.

    Raises:
        HabitusError: for a set that is none, or too small.
    """
    from habitus_tasks.person_eval import score, shares

    found = score(rows_for(files), people, seed, carrying=carrying, say=say)
    habits = [
        {"habit": str(pair), "people": drawn, "promoted": found.promoted[pair] / drawn}
        for pair, drawn in sorted(found.drawn.items(), key=lambda each: (found.promoted[each[0]] / each[1], str(each)))
    ]
    false = [{"pair": str(pair), "people": count} for pair, count in found.false.most_common()]
    totals = {"seed": seed, "carrying": carrying, **shares(found)}
    print_report(
        "Person", Report(totals, {"habits": habits, "false": false, "by_dimension": _by_dimension(habits)}), as_json
    )


def _by_dimension(habits: Rows) -> Rows:
    drawn: dict[str, list[float]] = {}
    for row in habits:
        entry = drawn.setdefault(row["habit"].partition("=")[0], [0, 0])
        entry[0] += row["people"]
        entry[1] += row["people"] * row["promoted"]
    rows = [{"dimension": name, "people": int(n), "promoted": hit / n} for name, (n, hit) in drawn.items()]
    return sorted(rows, key=lambda row: (row["promoted"], row["dimension"]))
