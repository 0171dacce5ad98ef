"""What is known of a query: the chance of each facet, and of the composed ones, as one vector."""

from collections.abc import Mapping
from types import MappingProxyType

from habitus_classifier import model
from habitus_classifier.facets import FACETS, INDEX
from habitus_classifier.features import features
from habitus_classifier.lexicon import found_in
from habitus_classifier.tables import COMPOSED, Row, Weights
from habitus_classifier.text import read

NAMES: Mapping[str, int] = MappingProxyType({**INDEX, **{name: len(FACETS) + i for i, name in enumerate(COMPOSED)}})
_DEAD = 0.15
"""Chances up to this are noise and count as none."""

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


_COMPOSED = tuple(terms(weights) for weights in COMPOSED.values())


def weigh(query: str) -> list[float]:
    """The vector of a query: `FACETS`, then `COMPOSED`, each 0..1. Reads a capped part of it; see `text.read`."""
    reading = read(query)
    chances = model.load().probabilities(features(reading))
    vector = [max(0.0, (chance - _DEAD) / (1 - _DEAD)) for chance in chances]
    for index, chance in found_in(reading):
        vector[index] = max(vector[index], chance)
    for weighted in _COMPOSED:
        vector.append(either(vector, weighted))
    return vector


class Rule:
    """A table row with its facet names resolved."""

    __slots__ = ("base", "block", "drive", "keep", "place")

    def __init__(self, row: Row) -> None:
        self.base, self.keep = row.base, row.keep
        self.place, self.drive, self.block = terms(row.place), terms(row.drive), terms(row.block)
