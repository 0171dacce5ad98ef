"""What deciding on a profile costs, beside what people use instead: the cosine of sentence embeddings.

The cosine is that of the query and of each pair's catalog meaning, under the encoder of this package; the meanings are
embedded once, as anybody would. Both take turns on the same queries, so that load falls on both.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from habitus_classifier import decide
from habitus_classifier.embed.encoder import vectors
from habitus_classifier.evaluate import OVERRIDE, Figures, figures
from habitus_classifier.evaluate import score as score_built_in
from habitus_schema.catalog import all_pairs, meaning
from habitus_schema.pairs import Pair

MEDIAN_MS, TAIL_MS = 1.0, 3.0
"""What a decision over a whole profile may take: median, and 99 of 100."""
COLD_MS = 150.0
"""What the import and the first decision may take in a fresh interpreter."""
QUERIES: Mapping[str, str] = {
    "short": "why does the nightly import skip the last row?",
    "8,000 characters": ("can you look at this log and tell me where it starts to go wrong? " * 130)[:8000],
    "1 MB": ("2026-01-01 00:00:00 worker: row 17 was skipped, " * 22_000)[:1_000_000] + "\nwhat does it mean?",
}
TURN = 5
COSINE_READS = 2048
"""Characters of a query that the cosine reads: some 500 tokens, as is usual; all of them would take seconds."""
COLD = {
    "python -c pass": "pass",
    "import pydantic": "import pydantic",
    "import and first decision, pairs as read": (
        "from habitus_classifier import decide\nfrom habitus_classifier.profile import Settled\n"
        "from habitus_schema.vocabulary import Dimension\n"
        "decide('train or plane to Rome?', [Settled(Dimension('table_usage'), 'prefer')])"
    ),
    "import and first decision, pairs made": (
        "from habitus_classifier import decide\nfrom habitus_schema.pairs import Pair\n"
        "decide('train or plane to Rome?', [Pair(dimension='table_usage', value='prefer')])"
    ),
}
_STEPS = 60
"""Thresholds tried for the cosine between its lowest and its highest value."""
_WARM_UP = 3
Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Speed:
    """What one query costs over a profile of one value a dimension, in milliseconds of processor time."""

    system: str
    query: str
    median: float
    tail: float
    limit: float | None

    @property
    def holds(self) -> bool:
        """Whether the median and the 99th percentile are within their limits."""
        return self.limit is None or (self.median <= self.limit and self.tail <= TAIL_MS)


@dataclass(frozen=True, slots=True)
class Start:
    """The median of the wall time of a fresh interpreter, in milliseconds."""

    of: str
    median: float
    limit: float | None

    @property
    def holds(self) -> bool:
        """Whether it is within its limit."""
        return self.limit is None or self.median <= self.limit


def profile() -> list[Pair]:
    """One pair a dimension: the first value of each in the catalog."""
    first: dict[str, Pair] = {}
    for pair in all_pairs():
        first.setdefault(pair.dimension, pair)
    return list(first.values())


class Cosine:
    """The cosine of a query and each pair's meaning."""

    def __init__(self) -> None:
        self._known: dict[Pair, Vector] = {}

    def _embed(self, text: str) -> Vector:
        return np.asarray(vectors([text[:COSINE_READS]])[0])

    def __call__(self, query: str, pairs: Sequence[Pair]) -> list[float]:
        """One cosine a pair."""
        for pair in pairs:
            if pair not in self._known:
                self._known[pair] = self._embed(meaning(pair))
        vectors = np.stack([self._known[pair] for pair in pairs])
        return [float(each) for each in vectors @ self._embed(query)]


def speed(rounds: int) -> list[Speed]:
    """Both systems on each of `QUERIES`, so many times in turn, `TURN` times a turn.

    In a turn of one, each would find the processor's caches full of the other's matrices.
    """
    pairs, cosine = profile(), Cosine()
    systems: dict[str, Callable[[str], object]] = {
        "habitus": lambda query: decide(query, pairs),
        "cosine": lambda query: cosine(query, pairs),
    }
    seconds: dict[tuple[str, str], list[float]] = {(system, name): [] for name in QUERIES for system in systems}
    for round_ in range(_WARM_UP + rounds):
        for name, query in QUERIES.items():
            for system, run in systems.items():
                for _ in range(TURN):
                    started = time.process_time()
                    run(query)
                    if round_ >= _WARM_UP:
                        seconds[system, name].append(time.process_time() - started)
    return [
        Speed(system, name, *_spread(found), MEDIAN_MS if system == "habitus" else None)
        for (system, name), found in seconds.items()
    ]


def _spread(seconds: list[float]) -> tuple[float, float]:
    """Median and 99th percentile, in milliseconds."""
    return median(seconds) * 1000, float(np.quantile(seconds, 0.99)) * 1000


def starts(rounds: int) -> list[Start]:
    """Each of `COLD`, so many times in turn, with the interpreter of this process."""
    found: dict[str, list[float]] = {name: [] for name in COLD}
    for round_ in range(1 + rounds):
        for name, code in COLD.items():
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            if round_:
                found[name].append(time.perf_counter() - started)
    return [
        Start(name, median(seconds) * 1000, COLD_MS if "decision" in name else None) for name, seconds in found.items()
    ]


def quality(rows: Sequence[Mapping[str, Any]]) -> dict[str, Figures]:
    """The figures of the built-in backend on a labelled set, and of the cosine with the thresholds that fit it best.

    The cosine's thresholds (from which it supports, from which it drives) are chosen on the very set that is measured,
    so its figures are more than it could reach on another.
    """
    cosine = Cosine()
    judged: list[tuple[float, str, bool]] = []
    for row in rows:
        pairs = [Pair.model_validate(each) for each in row["preferences"]]
        override = OVERRIDE in row.get("tags", ())
        scores = cosine(row["query"], pairs)
        judged += [(score, gold, override) for score, gold in zip(scores, row["policies"], strict=True)]
    best = max(_thresholds(score for score, _, _ in judged), key=lambda each: _right(judged, each))
    return {
        "habitus": score_built_in(rows),
        "cosine": figures((gold, _policy(score, best), override) for score, gold, override in judged),
    }


def _thresholds(scores: Iterable[float]) -> list[tuple[float, float]]:
    found = sorted(scores)
    steps = [float(each) for each in np.linspace(found[0], found[-1] + 1e-6, _STEPS)]
    return [*combinations(steps, 2), *((step, step) for step in steps)]


def _policy(score: float, thresholds: tuple[float, float]) -> str:
    support, drive = thresholds
    if score >= drive:
        return "drive"
    return "support" if score >= support else "ignore"


def _right(judged: Sequence[tuple[float, str, bool]], thresholds: tuple[float, float]) -> int:
    return sum(_policy(score, thresholds) == gold for score, gold, _ in judged)
