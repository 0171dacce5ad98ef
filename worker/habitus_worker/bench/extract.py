"""What extraction costs a session of 20 own messages, warm, on one thread, beside what cannot be done without.

Four operations take turns on each session, in random order: bare JSON parsing of the transcript, reading it (parsing
into the two voices), the encoder alone (all its layers over all of the person's messages), and extraction from the read
transcript. Of one session and operation the median over the rounds counts; what is told is the median over sessions
and the middle nine tenths. Time is that of the processor over all threads of the process, so that a second thread
would show.
"""

import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any

from habitus_schema.transcript import Format, Speaker, TurnKind
from habitus_tasks.extract import encoder, extract
from habitus_tasks.extract.classifier import batches, model
from habitus_tasks.extract.segments import tokenize
from habitus_tasks.parse import read_session
from habitus_worker.bench.sessions import OWN_MESSAGES, sessions

LIMIT_MS = 30.0
"""Processor milliseconds that extraction from a session of `OWN_MESSAGES` own messages may take (median)."""
OPERATIONS = ("json", "read", "encoder", "extract")
SEED = 20
Run = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Cost:
    """One operation, in milliseconds of the processor a session, and as ratios of the medians.

    Attributes:
        low, high: the middle nine tenths of the sessions.
        candidates: how many of the sessions gave any; None for the other operations.
        limit: what the median must stay under; None where there is none.
    """

    operation: str
    median_ms: float
    low: float
    high: float
    times_json: float
    times_encoder: float
    sessions: int
    candidates: int | None = None
    limit: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the median is within the limit."""
        return self.limit is None or self.median_ms <= self.limit


def _operations(envelope: Mapping[str, Any]) -> dict[str, Run]:
    """The four operations on one session."""
    data = json.dumps(envelope, ensure_ascii=False).encode()
    transcript = read_session(envelope, Format.HABITUS)
    own = [turn.prose for turn in transcript.turns if turn.speaker is Speaker.PERSON and turn.kind is not TurnKind.EDIT]
    return {
        "json": lambda: json.loads(data),
        "read": lambda: read_session(json.loads(data), Format.HABITUS),
        "encoder": lambda: _encoded(own),
        "extract": lambda: extract(transcript),
    }


def _encoded(texts: Sequence[str]) -> None:
    """All of the messages through all of the encoder's layers, as extraction does with those that matter."""
    waiting = [(i, segment) for i, text in enumerate(texts) for segment in tokenize(text).segments]
    for batch in batches(waiting):
        states, bounds = encoder.embedded([segment.ids for _, segment in batch])
        for layers in model().stages:
            states = layers.forward(states, bounds)


def _spent(run: Run) -> float:
    start = time.process_time_ns()
    run()
    return (time.process_time_ns() - start) / 1e6


def measure(count: int, rounds: int, seed: int = SEED) -> list[Cost]:
    """Measures on `count` sessions, each operation `rounds` times; everything once before, so that it is warm."""
    chance = random.Random(seed)  # noqa: S311 - the order of the operations is no secret
    runs = [_operations(envelope) for envelope in sessions(count, seed)]
    spent: list[dict[str, list[float]]] = [{each: [] for each in OPERATIONS} for _ in runs]
    found = sum(bool(extract(read_session(each, Format.HABITUS)).candidates) for each in sessions(count, seed))
    for _ in range(rounds):
        for operations, times in zip(runs, spent, strict=True):
            for name in chance.sample(OPERATIONS, len(OPERATIONS)):
                times[name].append(_spent(operations[name]))
    return _costs({name: [median(times[name]) for times in spent] for name in OPERATIONS}, found)


def _costs(spent: Mapping[str, Sequence[float]], found: int) -> list[Cost]:
    floor, encoded = median(spent["json"]), median(spent["encoder"])
    costs = []
    for name, times in spent.items():
        middle = median(times)
        low, *_, high = quantiles(times, n=20, method="inclusive") if len(times) > 1 else [middle, middle]
        extracting = name == "extract"
        costs.append(
            Cost(
                name, middle, low, high, middle / floor, middle / encoded, len(times),
                found if extracting else None, LIMIT_MS if extracting else None,
            )
        )  # fmt: skip
    return costs


__all__ = ["LIMIT_MS", "OPERATIONS", "OWN_MESSAGES", "Cost", "measure"]
