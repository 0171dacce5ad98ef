"""Trains the facet model and writes ``weights.bin``: ``python training/policy/train.py``.

Deterministic: the same data files give the same bytes with the same versions of numpy and scikit-learn. Needs both
(the dev group); the model that comes out needs neither.
"""

import random
import struct
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from corpus import SEED, Row, rows
from scipy import sparse
from semantics import Meanings
from sklearn.linear_model import LogisticRegression

from habitus_classifier import model
from habitus_classifier.facets import ABOUT, ASKS, TASKS
from habitus_classifier.features import features
from habitus_classifier.text import read
from habitus_schema.vocabulary import VALUES

KEEP = 11000
"""Features in the file: 13,000 rows of one byte a kind and ask are 1.9 MB."""
SEEN = 3
"""A feature must occur in so many rows."""
KIND_SEEN = 12
"""A set of facets is a kind of its own from so many rows on; rarer sets join the kind most like them."""
KIND_COST, ASK_COST = 12.0, 3.0
"""Inverse strengths of the L2 penalty."""
KIND_BALANCE, ASK_BALANCE = 0.5, 0.6
"""How far the few rows of a kind or an ask are weighed up: 1 is to the weight of the others, 0 not at all."""
ASK_DOUBT = 1.0
"""Taken off the logit of every ask: the weighing up makes them likelier than they are."""
SHARPEN = 2.0
"""Softmax logits are multiplied by this: a penalised model is less sure than it may be."""
BLANK_KEEP = 0.4
"""The share of features that blanking leaves."""
BLANK_WEIGHT = 0.5
OUT = Path(model.__file__).with_name("weights.bin")
Kind = frozenset[str]


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


def norms_of(sets: list[set[int]], known: set[int]) -> np.ndarray:
    """The length of each row of `matrix`, when it has a column for each of the known features."""
    return np.sqrt([len(found & known) or 1 for found in sets])


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


def kinds_of(data: list[Row]) -> tuple[list[Kind], np.ndarray]:
    """The kinds of query, and the kind of each row."""
    facets = [frozenset(facet for facet in row.facets if "=" not in facet) for row in data]
    kinds = sorted((kind for kind, count in Counter(facets).items() if count >= KIND_SEEN), key=sorted)
    place = {kind: index for index, kind in enumerate(kinds)}

    def likeness(kind: Kind, index: int) -> float:
        return len(kind & kinds[index]) / len(kind | kinds[index] or {""})

    for rare in set(facets) - set(place):
        place[rare] = max(range(len(kinds)), key=lambda index: (likeness(rare, index), -index))
    return kinds, np.array([place[each] for each in facets])


def asked(data: list[Row]) -> np.ndarray:
    """One column an ask, 1 where the row has it."""
    return np.array([[ask in row.facets for ask in ASKS] for row in data], dtype=np.int8)


def worth(inputs: sparse.csr_matrix, wanted: np.ndarray) -> np.ndarray:
    """How far each feature's labels stray from chance: the largest standardised residual over the labels."""
    seen = sparse.csr_matrix((np.ones_like(inputs.data), inputs.indices, inputs.indptr), shape=inputs.shape)
    expected = np.outer(np.asarray(seen.sum(axis=0))[0], wanted.mean(axis=0))
    return np.asarray(((seen.T @ wanted) - expected) / np.sqrt(expected + 0.5)).max(axis=1)


Fitted = tuple[np.ndarray, np.ndarray]
"""Coefficients (features x outputs) and biases."""


def fit_kinds(inputs: sparse.csr_matrix, kind: np.ndarray, weights: np.ndarray) -> Fitted:
    """The softmax over the kinds."""
    share = len(kind) / np.bincount(kind)
    learner = LogisticRegression(C=KIND_COST, solver="lbfgs", max_iter=80, tol=1e-3)
    learner.fit(inputs, kind, sample_weight=weights * (share[kind] / len(share)) ** KIND_BALANCE)
    return SHARPEN * learner.coef_.T, SHARPEN * learner.intercept_


def fit_asks(inputs: sparse.csr_matrix, wanted: np.ndarray, weights: np.ndarray) -> Fitted:
    """For each dimension a softmax over its values and 'nothing asked', whose logit is taken as 0.

    Not for blanked rows: what is left of 'no tables' may be a bare 'no'.
    """
    coefficients, biases, first = [], [], 0
    for values in VALUES.values():
        labels = wanted[:, first : first + len(values)]
        first += len(values)
        kind = np.where(labels.any(axis=1), labels.argmax(axis=1) + 1, 0)
        share = (kind == 0).sum() / np.bincount(kind, minlength=len(values) + 1)
        learner = LogisticRegression(C=ASK_COST, solver="lbfgs", max_iter=60, tol=1e-3)
        learner.fit(inputs, kind, sample_weight=weights * share[kind] ** ASK_BALANCE)
        coef, bias = learner.coef_, learner.intercept_
        coefficients.append(coef[1:] - coef[:1])
        biases.append(bias[1:] - bias[0] - ASK_DOUBT)
    return np.vstack(coefficients).T, np.concatenate(biases)


def pack(kept: list[int], kinds: Sequence[Kind], fitted: Sequence[Fitted]) -> bytes:
    """The weights file; see `habitus_classifier.model`."""
    coefficients = np.hstack([each for each, _ in fitted])
    biases = np.concatenate([each for _, each in fitted])
    scales = np.maximum(np.abs(coefficients).max(axis=0), 1e-6) / 127
    table = np.clip(np.rint(coefficients / scales) + 128, 1, 255).astype(np.uint8)
    masks = [sum(1 << bit for bit, name in enumerate((*TASKS, *ABOUT)) if name in kind) for kind in kinds]
    parts = [
        model.MAGIC + struct.pack(f"<III{len(kinds)}Q", len(kept), len(kinds), len(ASKS), *masks),
        scales.astype("<f4").tobytes(),
        biases.astype("<f4").tobytes(),
        np.array(kept, dtype="<u4").tobytes(),
        table.tobytes(),
    ]
    return b"".join(parts)


def folded(fitted: Fitted, kept: list[int], known: list[int], meanings: Meanings) -> Fitted:
    """One row a known feature: what was learned of it, and of its meaning when it is a word."""
    coefficients, biases = fitted
    place = {feature: index for index, feature in enumerate(known)}
    table = np.zeros((len(known), coefficients.shape[1]))
    table[[place[feature] for feature in kept]] += coefficients[: len(kept)]
    table[[place[feature] for feature in meanings.words]] += meanings.vectors @ coefficients[len(kept) :]
    return table, biases


def main() -> None:
    """Keeps the telling features, fits on those, writes the file."""
    data = rows()
    sets = [features(read(row.text)).whole for row in data]
    meanings = Meanings([row.text for row in data])
    written = len(data)
    data, sets = with_blanks(data, sets)
    weights = np.array([row.weight for row in data])
    kinds, kind = kinds_of(data)
    wanted = asked(data)
    counts = Counter(feature for found in sets for feature in found)
    frequent = sorted(feature for feature, count in counts.items() if count >= SEEN)
    use = worth(matrix(sets, frequent), np.hstack([np.eye(len(kinds), dtype=np.int8)[kind], wanted]))
    kept = sorted(frequent[index] for index in np.argsort(-use, kind="stable")[:KEEP])
    known = set(kept) | set(meanings.words)
    norms = norms_of(sets, known)
    scaled = sparse.diags(norms_of(sets, set(kept)) / norms) @ matrix(sets, kept)
    inputs = sparse.hstack([scaled, meanings.matrix(sets, norms)]).tocsr()
    fitted = [fit_kinds(inputs, kind, weights), fit_asks(inputs[:written], wanted[:written], weights[:written])]
    OUT.write_bytes(pack(sorted(known), kinds, [folded(each, kept, sorted(known), meanings) for each in fitted]))
    print(
        f"{len(data)} rows, {len(kinds)} kinds, {len(frequent)} features, {OUT.stat().st_size} bytes", file=sys.stderr
    )


if __name__ == "__main__":
    main()
