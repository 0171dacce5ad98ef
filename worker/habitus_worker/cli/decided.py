"""`habitus decisions`: the decision log as counts, and as shares."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from habitus_schema.decisions import PolicyWord
from habitus_tasks.decisions import Count, totals
from habitus_tasks.store import Database
from habitus_worker.cli.output import print_json, print_table

EMPTY = "nothing was counted yet (settings decision_share, decision_days)"


def print_counts(database: Database, since: date | None, as_json: bool) -> None:
    """Prints each dimension, policy and reason with its count."""
    rows = [(c.dimension.value, c.policy.value, c.reason.value, c.decisions) for c in totals(database, since)]
    columns = ("dimension", "policy", "reason", "decisions")
    if as_json:
        for row in rows:
            print_json(dict(zip(columns, row, strict=True)))
    else:
        print_table("Decisions", columns, rows, empty=EMPTY)


def print_stats(database: Database, since: date | None, as_json: bool) -> None:
    """Prints the shares of the policies by dimension, and by reason."""
    counts = totals(database, since)
    dimensions = shares(counts, lambda count: count.dimension.value)
    reasons = shares(counts, lambda count: count.reason.value)
    if as_json:
        print_json({"by_dimension": dimensions, "by_reason": reasons})
        return
    for title, rows in (("Decisions by dimension", dimensions), ("Decisions by reason", reasons)):
        columns = [title.rpartition(" ")[2], "decisions", *(word.value for word in PolicyWord), "most common reason"]
        print_table(title, columns, [[_shown(cell) for cell in row.values()] for row in rows], empty=EMPTY)


def shares(counts: Sequence[Count], key: Callable[[Count], str]) -> list[dict[str, Any]]:
    """A row for each key, in order: how many decisions, the share of each policy (0..1), the most common reason."""
    groups: dict[str, list[Count]] = defaultdict(list)
    for count in counts:
        groups[key(count)].append(count)
    return [_row(name, group) for name, group in groups.items()]


def _row(name: str, group: Sequence[Count]) -> dict[str, Any]:
    policies: Counter[PolicyWord] = Counter()
    reasons: Counter[str] = Counter()
    for count in group:
        policies[count.policy] += count.decisions
        reasons[count.reason.value] += count.decisions
    total = policies.total()
    parts = {word.value: round(policies[word] / total, 3) for word in PolicyWord}
    return {"of": name, "decisions": total, **parts, "reason": reasons.most_common(1)[0][0]}


def _shown(cell: object) -> object:
    return f"{cell:.0%}" if isinstance(cell, float) else cell
