"""What is known of a query: the chance of each facet, and of the composed ones, as one vector."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from habitus_classifier.facets import ASKS, FACETS, INDEX, NEEDS, asked
from habitus_classifier.features import features
from habitus_classifier.lexicon import found_in
from habitus_classifier.model import load
from habitus_classifier.tables import COMPOSED, LESS, Row, Weights
from habitus_classifier.text import read
from habitus_schema.vocabulary import VALUES

UNTECH = "untech"
"""The one composed facet that is a lack: nothing about the query is technical."""
NAMES: Mapping[str, int] = MappingProxyType(
    {**INDEX, **{name: len(FACETS) + i for i, name in enumerate((*COMPOSED, *LESS, UNTECH))}}
)
_FIRST_ASK = INDEX[ASKS[0]]
_CLAUSE = 0.9
"""What an ask found in a single clause is worth: in a long query it would drown in the rest."""
_DOUBT = 0.4
"""What is left of an ask whose subject is not named."""
_DOUBTED = tuple(
    (INDEX[asked(dimension, str(value))], named) for dimension, named in NEEDS.items() for value in VALUES[dimension]
)

Terms = tuple[tuple[int, float], ...]


def terms(weights: Weights) -> Terms:
    """Weights by facet name as weights by position in the vector."""
    return tuple((NAMES[name], weight) for name, weight in weights.items())


_CAUSES: list[Terms] = []


class Cause:
    """Weighted facets of which any may be the cause of something: a noisy-or, worked out once for each query."""

    __slots__ = ("slot",)

    def __init__(self, weights: Weights) -> None:
        self.slot = len(_CAUSES)
        _CAUSES.append(terms(weights))


class Rule:
    """A table row, ready for use."""

    __slots__ = ("base", "block", "calm", "drive", "keep", "place")

    def __init__(self, row: Row) -> None:
        self.base, self.keep = row.base, row.keep
        self.place, self.drive, self.block, self.calm = map(Cause, (row.place, row.drive, row.block, row.calm))


@dataclass(frozen=True, slots=True, repr=False)
class Evidence:
    """What is known of one query.

    Attributes:
        vector: the chance of each facet, 0..1: `FACETS`, then `COMPOSED`, `LESS` and `UNTECH`.
        missed: for each cause, the chance that none of its facets is it.
    """

    vector: list[float]
    missed: list[float]

    def of(self, cause: Cause) -> float:
        """The chance that at least one facet of the cause holds."""
        return 1.0 - self.missed[cause.slot]


@cache
def _effects() -> tuple[tuple[tuple[int, float], ...], ...]:
    """For each position of the vector, the causes it feeds."""
    found: list[list[tuple[int, float]]] = [[] for _ in NAMES]
    for slot, cause in enumerate(_CAUSES):
        for index, weight in cause:
            found[index].append((slot, weight))
    return tuple(map(tuple, found))


def _either(vector: list[float], weighted: Terms) -> float:
    missed = 1.0
    for index, weight in weighted:
        missed *= 1.0 - weight * vector[index]
    return 1.0 - missed


_TECH = terms(
    {
        "tech": 1, "code": 0.9, "file": 0.5, "change": 0.9, "codeq": 0.9, "shell": 1, "agent": 0.7, "run": 0.7,
        "big": 0.4, "commit": 1, "message": 1, "codeout": 0.8, "tests": 1, "verify": 0.6, "deps": 1, "errors": 0.8,
    }
)  # fmt: skip
_COMPOSED = tuple(terms(weights) for weights in COMPOSED.values())
_LESS = tuple((NAMES[name], terms(dict.fromkeys(others, 1.0))) for name, others in LESS.values())


def facets_of(query: str) -> list[float]:
    """The chance of each of `FACETS`, as the built-in model has it."""
    reading = read(query)
    facets = load()
    found = features(reading, facets.known)
    vector = facets.facets(found.whole)
    for clause in found.clauses:
        for index, chance in enumerate(facets.asks(clause), _FIRST_ASK):
            if chance and chance > vector[index]:
                vector[index] = _CLAUSE * chance
    for index, named in _DOUBTED:
        if vector[index] and named.isdisjoint(found.concepts):
            vector[index] *= _DOUBT
    for index, chance in found_in(reading, found.concepts):
        vector[index] = max(vector[index], chance)
    return vector


def evidence_of(facets: list[float]) -> Evidence:
    """The evidence that follows from the chance of each of `FACETS`, wherever these come from."""
    vector = list(facets)
    vector += [_either(vector, weighted) for weighted in _COMPOSED]
    vector += [vector[index] * (1.0 - _either(vector, others)) for index, others in _LESS]
    vector.append(1.0 - _either(vector, _TECH))
    missed = [1.0] * len(_CAUSES)
    for chance, effects in zip(vector, _effects(), strict=True):
        if chance:
            for slot, weight in effects:
                missed[slot] *= 1.0 - weight * chance
    return Evidence(vector, missed)


def weigh(query: str) -> Evidence:
    """The evidence of a query. Reads a capped part of it; see `text.read`."""
    return evidence_of(facets_of(query))
