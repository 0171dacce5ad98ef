"""What the similarity threshold does on pairs of sessions written for it; the curve in docs/promotion.md is made here.

``python tests/tasks/record/test_context_threshold.py`` writes it anew.
"""

import json
from itertools import combinations
from pathlib import Path
from statistics import mean

from habitus_schema.ids import IdKey
from habitus_tasks.similarity import THRESHOLD, pack, similarity
from habitus_tasks.sketch import sketch_of

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "promotion.md"
BEGIN, END = "<!-- curve: begin (generated) -->", "<!-- curve: end -->"
KEYS = [IdKey("k1", bytes([number]) * 32) for number in range(8)]
KINDS = ["same_task", "same_repo", "boilerplate", "short_wish"]
THRESHOLDS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
PAIRS = [json.loads(line) for line in (ROOT / "tests/data/context_pairs.jsonl").read_text("utf-8").splitlines()]


def scores() -> dict[str, list[float]]:
    """For each kind of pair, and for `unrelated`, all similarities under all keys."""
    found: dict[str, list[float]] = {kind: [] for kind in [*KINDS, "unrelated"]}
    for key in KEYS:
        sketches = [(pair["kind"], sketch_of(pair["one"], key), sketch_of(pair["other"], key)) for pair in PAIRS]
        for kind, one, other in sketches:
            found[kind].append(_alike(one, other))
        tasks = [one for kind, one, _ in sketches if kind in ("same_task", "same_repo")]
        found["unrelated"] += [_alike(one, other) for one, other in combinations(tasks, 2)]
    return found


def _alike(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    return similarity(pack(one), pack(other)) if one and other else 0.0


def curve(found: dict[str, list[float]]) -> str:
    rows = [
        f"| {threshold} | "
        + " | ".join(
            f"{100 * mean(score >= threshold for score in found[kind]):.0f} %" for kind in [*KINDS, "unrelated"]
        )
        + " |"
        for threshold in THRESHOLDS
    ]
    columns = ["same task, other words", "same repository, other task", "same boilerplate", "short wish", "unrelated"]
    head = f"| threshold | {' | '.join(columns)} |"
    return "\n".join([BEGIN, head, "| --- | --- | --- | --- | --- | --- |", *rows, END])


def test_the_curve_of_the_document_is_the_one_measured() -> None:
    assert curve(scores()) in DOCUMENT.read_text("utf-8")


def test_at_the_threshold_tasks_are_told_apart_and_a_continued_one_is_mostly_found() -> None:
    found = scores()
    joined = {kind: mean(score >= THRESHOLD for score in each) for kind, each in found.items()}
    assert joined["same_repo"] == joined["short_wish"] == joined["unrelated"] == 0
    assert joined["same_task"] > 0.4
    assert joined["boilerplate"] < 0.25


if __name__ == "__main__":
    text = DOCUMENT.read_text("utf-8")
    DOCUMENT.write_text(text.split(BEGIN)[0] + curve(scores()) + text.split(END)[1], "utf-8")
