"""Scores the gate against labelled rows (the gate set): what slipped, what was refused for nothing, and how fast.

Nothing of a note is kept in a score: kinds, verdicts and counts only.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from habitus_tasks.gate import Decision, Verdict, judge

T = TypeVar("T")
Row = Mapping[str, object]
"""One line of a gate set: id, dimension_key, dimension_value, observed_across_distinct_contexts,
source_justification_note, verdict, kind."""


@dataclass(slots=True)
class Tally:
    """How many of a group there were, and how many of them the gate rejected."""

    rows: int = 0
    rejected: int = 0

    @property
    def rate(self) -> float:
        """The share that was rejected, 0.0 to 1.0; 0.0 for an empty group."""
        return self.rejected / self.rows if self.rows else 0.0


@dataclass(frozen=True, slots=True)
class GateScore:
    """What `score` found.

    Attributes:
        private: rows with a private note; their rate is the recall.
        clean: rows with a clean note, whether accepted or deferred; their rate is that of false refusals.
        payloads: rows whose pair is not in the catalog or whose count is none; their rate must be 1.0.
        kinds: the same count for each `kind`.
        confusion: (expected verdict, given verdict) -> rows.
        notes_per_second: judged rows a second of processor time, on one core.
        json_ratio: the time of one judgement over that of parsing its line with the json module, in the same run.
    """

    private: Tally
    clean: Tally
    payloads: Tally
    kinds: Mapping[str, Tally] = field(default_factory=dict)
    confusion: Mapping[tuple[str, str], int] = field(default_factory=dict)
    notes_per_second: float = 0.0
    json_ratio: float = 0.0


def score(rows: Iterable[Row]) -> GateScore:
    """Judge every row and compare with its `verdict`.

    Raises:
        KeyError: when a row lacks `verdict`; a row without the other fields is judged as if they were empty.
    """
    rows = list(rows)
    groups = {"private": Tally(), "clean": Tally(), "payloads": Tally()}
    kinds: dict[str, Tally] = {}
    confusion: Counter[tuple[str, str]] = Counter()
    for row in rows:
        verdict = _judged(row)
        for tally in (groups[_group(row)], kinds.setdefault(str(row.get("kind", "")), Tally())):
            tally.rows += 1
            tally.rejected += verdict.verdict is Decision.REJECTED
        confusion[str(row["verdict"]), verdict.verdict.value] += 1
    speed, ratio = _speed(rows)
    return GateScore(groups["private"], groups["clean"], groups["payloads"], kinds, dict(confusion), speed, ratio)


def _judged(row: Row) -> Verdict:
    return judge(
        row.get("dimension_key"),
        row.get("dimension_value"),
        row.get("observed_across_distinct_contexts"),
        row.get("source_justification_note"),
    )


def _group(row: Row) -> str:
    """A payload is what would be rejected without its note too; of the rest, the label says which is private."""
    bare = _judged({**row, "source_justification_note": None})
    if bare.verdict is Decision.REJECTED:
        return "payloads"
    return "private" if row["verdict"] == Decision.REJECTED.value else "clean"


def _speed(rows: Sequence[Row]) -> tuple[float, float]:
    lines = [json.dumps(dict(row)) for row in rows]
    judging, parsing = _seconds(rows, _judged), _seconds(lines, json.loads)
    if not rows or not judging or not parsing:
        return 0.0, 0.0
    return len(rows) / judging, judging / parsing


def _seconds(items: Sequence[T], work: Callable[[T], object]) -> float:
    """Processor seconds for one pass, the best of five."""
    passes = []
    for _ in range(5):
        start = time.process_time()
        for item in items:
            work(item)
        passes.append(time.process_time() - start)
    return min(passes)
