"""Trains the facet model and writes ``weights.bin``: ``python training/policy/train.py``.

Deterministic: the same data files give the same bytes with the same versions of numpy and scikit-learn. Needs both
(the dev group); the model that comes out needs neither.
"""

import random
import struct
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
from corpus import SEED, Row, rows
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from habitus_classifier import model
from habitus_classifier.facets import FACETS, INDEX
from habitus_classifier.features import features
from habitus_classifier.text import read

KEEP = 15000
"""Features in the file: 15,000 rows of one byte a facet are 1.9 MB."""
COST = 2.0
"""Inverse strength of the L2 penalty."""
ASK_BALANCE = 0.75
"""How far the few positives of an ask are weighed up: 1 is to the weight of its negatives, 0 not at all."""
BLANK_KEEP = 0.4
"""The share of features that blanking leaves."""
BLANK_WEIGHT = 0.5
SEEN = 3
"""A feature must occur in so many rows."""
OUT = Path(model.__file__).with_name("weights.bin")


def with_blanks(data: list[Row], sets: list[set[int]]) -> tuple[list[Row], list[set[int]]]:
    """Adds each written row once more with most of its features blanked, at `BLANK_WEIGHT`.

    What is left must carry the label, so that the model leans on many weak signs instead of a few strong ones.
    """
    rng = random.Random(SEED)
    more = [
        (replace(row, weight=row.weight * BLANK_WEIGHT), {each for each in sorted(found) if rng.random() < BLANK_KEEP})
        for row, found in zip(data, sets, strict=True)
        if row.weight == 1.0
    ]
    return data + [row for row, _ in more], sets + [found for _, found in more]


def matrix(sets: list[set[int]], kept: list[int]) -> sparse.csr_matrix:
    """Rows of unit length over the kept features."""
    column = {feature: index for index, feature in enumerate(kept)}
    pointers, indices, values = [0], [], []
    for found in sets:
        known = sorted(column[feature] for feature in found if feature in column)
        indices.extend(known)
        values.extend([1 / np.sqrt(len(known) or 1)] * len(known))
        pointers.append(len(indices))
    return sparse.csr_matrix((values, indices, pointers), shape=(len(sets), len(kept)))


def targets(data: list[Row]) -> np.ndarray:
    """One column a facet, 1 where the row has it."""
    found = np.zeros((len(data), len(FACETS)), dtype=np.int8)
    for index, row in enumerate(data):
        found[index, [INDEX[facet] for facet in row.facets]] = 1
    return found


def worth(inputs: sparse.csr_matrix, wanted: np.ndarray) -> np.ndarray:
    """How far each feature's facets stray from chance: the largest standardised residual over the facets."""
    seen = sparse.csr_matrix((np.ones_like(inputs.data), inputs.indices, inputs.indptr), shape=inputs.shape)
    expected = np.outer(np.asarray(seen.sum(axis=0))[0], wanted.mean(axis=0))
    return np.asarray(((seen.T @ wanted) - expected) / np.sqrt(expected + 0.5)).max(axis=1)


def fit(
    inputs: sparse.csr_matrix, wanted: np.ndarray, weights: np.ndarray, written: int
) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (features x facets) and biases.

    Both classes of a facet count the same in sum; of an ask, which is rare in life too, by `ASK_BALANCE`. Asks learn
    from the first ``written`` rows, without the blanked ones: what is left of 'no tables' may be a bare 'no'.
    """
    coefficients, biases = [], []
    for column, facet in enumerate(FACETS):
        ask = "=" in facet
        part = slice(written if ask else None)
        labels = wanted[part, column]
        odds = (len(labels) - labels.sum()) / max(1, labels.sum())
        counts = weights[part] * np.where(labels == 1, odds ** (ASK_BALANCE if ask else 1.0), 1.0)
        learner = LogisticRegression(C=COST, solver="liblinear", dual=True, random_state=0, max_iter=100, tol=1e-2)
        learner.fit(inputs[part], labels, sample_weight=counts)
        coefficients.append(learner.coef_[0])
        biases.append(learner.intercept_[0])
    return np.array(coefficients).T, np.array(biases)


def pack(kept: list[int], coefficients: np.ndarray, biases: np.ndarray) -> bytes:
    """The weights file; see `habitus_classifier.model`."""
    scales = np.maximum(np.abs(coefficients).max(axis=0), 1e-6) / 127
    table = np.clip(np.rint(coefficients / scales) + 128, 1, 255).astype(np.uint8)
    head = model.MAGIC + struct.pack("<II", len(kept), len(FACETS))
    return (
        head
        + scales.astype("<f4").tobytes()
        + biases.astype("<f4").tobytes()
        + np.array(kept, dtype="<u4").tobytes()
        + table.tobytes()
    )


def main() -> None:
    """Keeps the telling features, fits on those, writes the file."""
    data = rows()
    sets = [features(read(row.text)).whole for row in data]
    written = len(data)
    data, sets = with_blanks(data, sets)
    counts = Counter(feature for found in sets for feature in found)
    frequent = sorted(feature for feature, count in counts.items() if count >= SEEN)
    wanted, weights = targets(data), np.array([row.weight for row in data])
    use = worth(matrix(sets, frequent), wanted)
    kept = sorted(frequent[index] for index in np.argsort(-use, kind="stable")[:KEEP])
    coefficients, biases = fit(matrix(sets, kept), wanted, weights, written)
    OUT.write_bytes(pack(kept, coefficients, biases))
    print(f"{len(data)} rows, {len(frequent)} features, {len(kept)} kept, {OUT.stat().st_size} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
