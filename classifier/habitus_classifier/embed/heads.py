"""From a sentence vector to the chances of the facets: the heads that ``training/policy/embed.py`` writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from habitus_classifier.embed.encoder import Vectors
from habitus_classifier.facets import ABOUT, ASKS, TASKS
from habitus_schema.vocabulary import VALUES

Array = npt.NDArray[np.float32]
FLOOR = 0.15
"""A chance of an ask up to this is noise; what is over it is stretched to 0..1, as in the built-in model."""


@dataclass(frozen=True, slots=True)
class Heads:
    """The fitted heads.

    Attributes:
        members: for each kind of query, which of `TASKS` and `ABOUT` it has.
        coefficients, biases: a row for each kind, then one for each ask.
    """

    members: Array
    coefficients: Array
    biases: Array

    def kinds(self, vector: Vectors) -> list[float]:
        """The chance of each of `TASKS` and `ABOUT`: a softmax over the kinds that have it."""
        count = len(self.members)
        logits = self.coefficients[:count] @ vector + self.biases[:count]
        odds = np.exp(logits - logits.max())
        return [min(1.0, float(chance)) for chance in self.members.T @ (odds / odds.sum())]

    def asks(self, vectors: Vectors) -> list[float]:
        """The chance of each of `ASKS` in the text that most asks for it: within a dimension, a softmax with 'none'."""
        count = len(self.members)
        odds = np.exp(np.minimum(vectors @ self.coefficients[count:].T + self.biases[count:], 50.0))
        chances = np.empty_like(odds)
        first = 0
        for values in VALUES.values():
            span = slice(first, first + len(values))
            chances[:, span] = odds[:, span] / (1.0 + odds[:, span].sum(axis=1, keepdims=True))
            first += len(values)
        return [max(0.0, float(chance) - FLOOR) / (1.0 - FLOOR) for chance in chances.max(axis=0)]


@cache
def load() -> Heads:
    """The heads that ship with the package.

    Raises:
        ValueError: when they are not for the facets of this version.
    """
    with np.load(Path(__file__).with_name("heads.npz"), allow_pickle=False) as file:
        found = Heads(*(file[name].astype(np.float32) for name in ("members", "coefficients", "biases")))
    if found.members.shape[1] != len(TASKS) + len(ABOUT) or len(found.biases) != len(found.members) + len(ASKS):
        raise ValueError("the heads of the embeddings are of other facets: run training/policy/embed.py")
    return found


def facets(heads: Heads, whole: Vectors, clauses: Vectors) -> list[float]:
    """The chance of each facet, in the order of `FACETS`."""
    parts: Sequence[Vectors] = [whole[None, :], clauses] if len(clauses) else [whole[None, :]]
    return heads.kinds(whole) + heads.asks(np.vstack(parts))
