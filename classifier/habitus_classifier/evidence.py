"""What is known of a query: the chance of each facet, and of the composed ones, as one vector."""

from collections.abc import Mapping
from types import MappingProxyType

from habitus_classifier import model
from habitus_classifier.facets import ASKS, FACETS, INDEX
from habitus_classifier.features import features
from habitus_classifier.lexicon import found_in
from habitus_classifier.tables import COMPOSED, Row, Weights
from habitus_classifier.text import read

UNTECH = "untech"
"""The one composed facet that is a lack: nothing about the query is technical."""
NAMES: Mapping[str, int] = MappingProxyType({**INDEX, **{name: len(FACETS) + i for i, name in enumerate((*COMPOSED, "untech"))}})
_DEAD = 0.15
"""Chances up to this are noise and count as none."""

_FIRST_ASK = INDEX[ASKS[0]]
_CLAUSE = 0.95
"""What an ask found in a single clause is worth: in a long query it would drown in the rest."""

Terms = tuple[tuple[int, float], ...]


def terms(weights: Weights) -> Terms:
    """Weights by facet name as weights by position in the vector."""
    return tuple((NAMES[name], weight) for name, weight in weights.items())


def either(vector: list[float], weighted: Terms) -> float:
    """Noisy-or: the chance that at least one of the weighted facets is the cause."""
    missed = 1.0
    for index, weight in weighted:
        missed *= 1.0 - weight * vector[index]
    return 1.0 - missed


_TECH = terms({"tech": 1, "code": 0.9, "file": 0.5, "change": 0.9, "codeq": 0.9, "shell": 1, "agent": 0.7, "run": 0.7, "big": 0.4,
               "commit": 1, "message": 1, "codeout": 0.8, "tests": 1, "verify": 0.6, "deps": 1, "errors": 0.8})
_COMPOSED = tuple(terms(weights) for weights in COMPOSED.values())


def weigh(query: str) -> list[float]:
    """The vector of a query: `FACETS`, then `COMPOSED`, each 0..1. Reads a capped part of it; see `text.read`."""
    reading = read(query)
    found, facets = features(reading), model.load()
    chances = facets.probabilities(found.whole)
    for clause in found.clauses:
        for index, chance in enumerate(facets.probabilities(clause)[_FIRST_ASK:], _FIRST_ASK):
            chances[index] = max(chances[index], _CLAUSE * chance)
    vector = [max(0.0, (chance - _DEAD) / (1 - _DEAD)) for chance in chances]
    for index, chance in found_in(reading):
        vector[index] = max(vector[index], chance)
    for weighted in _COMPOSED:
        vector.append(either(vector, weighted))
    vector.append(1.0 - either(vector, _TECH))
    return vector


class Rule:
    """A table row with its facet names resolved."""

    __slots__ = ("base", "block", "calm", "drive", "keep", "place")

    def __init__(self, row: Row) -> None:
        self.base, self.keep = row.base, row.keep
        self.place, self.drive, self.block = terms(row.place), terms(row.drive), terms(row.block)
        self.calm = terms(row.calm)
