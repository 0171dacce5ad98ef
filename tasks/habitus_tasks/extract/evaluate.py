"""Scores extraction against a labelled set: what `habitus eval extraction FILE` prints. Holds ids and numbers only."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from habitus_schema.errors import TranscriptError
from habitus_schema.models import Extraction
from habitus_schema.transcript import Format, Transcript
from habitus_tasks.extract import extract
from habitus_tasks.parse import read_session

Hit = tuple[str, str, str]
"""(dimension, value, scope): what has to match."""
Row = Mapping[str, Any]
"""One line of an extraction set (formats.md of the contract)."""


@dataclass(slots=True)
class Count:
    """True and false candidates and misses of one slice of a set."""

    true: int = 0
    false: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        """Share of the candidates that are right; 1 without candidates."""
        return self.true / (self.true + self.false) if self.true + self.false else 1.0

    @property
    def recall(self) -> float:
        """Share of the labels that were found; 1 without labels."""
        return self.true / (self.true + self.missed) if self.true + self.missed else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = 2 * self.true + self.false + self.missed
        return 2 * self.true / total if total else 1.0

    def as_dict(self) -> dict[str, float | int]:
        """Counts and rates, for printing."""
        rates = {"precision": round(self.precision, 4), "recall": round(self.recall, 4), "f1": round(self.f1, 4)}
        return {"true": self.true, "false": self.false, "missed": self.missed, **rates}


@dataclass(slots=True)
class Score:
    """The result of one set.

    Attributes:
        slices: by kind of slice (dimension, signal, language, tag, format) and its name.
        sessions, free, clean: sessions; those without a label; those of them that stayed without a candidate.
        free_by_tag: for each tag, label-free sessions and how many of them stayed clean.
        false: (session id, dimension, value, scope) of each false candidate.
        unread: ids of sessions that could not be read.
    """

    overall: Count = field(default_factory=Count)
    slices: dict[str, dict[str, Count]] = field(default_factory=dict)
    sessions: int = 0
    free: int = 0
    clean: int = 0
    free_by_tag: dict[str, tuple[int, int]] = field(default_factory=dict)
    false: list[tuple[str, str, str, str]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON output."""
        return {
            "overall": self.overall.as_dict(),
            "sessions": self.sessions,
            "label_free": {"sessions": self.free, "clean": round(self.clean / self.free, 4) if self.free else 1.0},
            "slices": {
                kind: {name: count.as_dict() for name, count in sorted(counts.items())}
                for kind, counts in self.slices.items()
            },
            "label_free_by_tag": {
                tag: {"sessions": free, "clean": clean} for tag, (free, clean) in sorted(self.free_by_tag.items())
            },
            "false_candidates": [list(entry) for entry in self.false],
            "unread": self.unread,
        }


def _language(tags: Iterable[str]) -> str:
    return next((tag.removeprefix("lang:") for tag in tags if tag.startswith("lang:")), "en")


def _places(row: Row, hit: Hit, signal: str) -> list[tuple[str, str]]:
    """The slices that one hit, false candidate or miss of a session belongs to."""
    tags = [tag for tag in row["tags"] if not tag.startswith("lang:")] or ["none"]
    return [
        ("dimension", hit[0]),
        ("signal", signal),
        ("language", _language(row["tags"])),
        ("format", row["format"]),
        *(("tag", tag) for tag in tags),
    ]


def _add(score: Score, row: Row, labels: Mapping[Hit, str], found: Mapping[Hit, str]) -> None:
    for kind, hits in (
        ("true", labels.keys() & found.keys()),
        ("false", found.keys() - labels.keys()),
        ("missed", labels.keys() - found.keys()),
    ):
        for hit in sorted(hits):
            signal = labels.get(hit) or found[hit]
            counts = [
                score.slices.setdefault(where, defaultdict(Count))[name] for where, name in _places(row, hit, signal)
            ]
            for count in [score.overall, *counts]:
                setattr(count, kind, getattr(count, kind) + 1)
            if kind == "false":
                score.false.append((str(row["id"]), *hit))
    score.sessions += 1
    if not labels:
        score.free += 1
        score.clean += not found
        for tag in row["tags"]:
            free, clean = score.free_by_tag.get(tag, (0, 0))
            score.free_by_tag[tag] = (free + 1, clean + (not found))


def score(rows: Iterable[Row], extractor: Callable[[Transcript], Extraction] = extract) -> Score:
    """Runs the extractor over labelled sessions and counts. A session that cannot be read counts as empty."""
    result = Score()
    for row in rows:
        labels = {(label["dimension"], label["value"], label["scope"]): label["signal"] for label in row["labels"]}
        found: dict[Hit, str] = {}
        try:
            extraction = extractor(read_session(row["session"], Format(row["format"])))
            found = {
                (item.pair.dimension.value, item.pair.value, item.scope.value): item.signal.value
                for item in extraction.candidates
            }
        except TranscriptError:
            result.unread.append(str(row["id"]))
        _add(result, row, labels, found)
    return result
