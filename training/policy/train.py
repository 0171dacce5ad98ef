"""Trains the facet model and writes ``weights.bin``: ``python training/policy/train.py``.

Deterministic: the same data files give the same bytes with the same versions of numpy and scipy. Needs both, and the
encoder of `semantics` (the dev group); the model that comes out needs none of them.
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
from fitting import Inputs, Targets, fit
from scipy import sparse
from semantics import Meanings

from habitus_classifier import model
from habitus_classifier.facets import ABOUT, ASKS, TASKS
from habitus_classifier.features import features
from habitus_classifier.text import read

KEEP = 10000
"""N-grams in the file; words have a row beside them. A row is one byte a kind and ask."""
SEEN = 3
"""A feature must occur in so many rows."""
KIND_SEEN = 24
"""A set of facets is a kind of its own from so many rows on; rarer sets join the kind most like them."""
KIND_COST, ASK_COST = 12.0, 3.0
"""Inverse strengths of the L2 penalty."""
KIND_BALANCE, ASK_BALANCE = 0.5, 0.6
"""How far the few rows of a kind or an ask are weighed up: 1 is to the weight of the others, 0 not at all."""
ASK_SOFTEN, ASK_DOUBT = 0.8, 1.8
"""Logits of the asks are multiplied by the first, and the second is taken off: the weighing up makes them likelier than
they are."""
SHARPEN = 1.4
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


def targets(kind: np.ndarray, wanted: np.ndarray, weights: np.ndarray, written: int) -> Targets:
    """What each row teaches: its kind, and its asks unless it was blanked.

    Rare kinds and asks are weighed up. Blanked rows (those after `written`) teach no ask: what is left of 'no tables'
    may be a bare 'no'.
    """
    share = len(kind) / np.bincount(kind)
    kind_weights = weights * (share[kind] / len(share)) ** KIND_BALANCE
    positive = np.maximum(1, wanted[:written].sum(axis=0))
    up = np.where(wanted > 0, ((written - positive) / positive) ** ASK_BALANCE, 1.0)
    ask_weights = (weights * (np.arange(len(kind)) < written))[:, None] * up
    return Targets(kind, wanted.astype(np.float32), kind_weights.astype(np.float32), ask_weights.astype(np.float32))


def calibrated(fitted: Fitted, kinds: int) -> Fitted:
    """Surer kinds, and asks less sure: see `SHARPEN`, `ASK_SOFTEN` and `ASK_DOUBT`."""
    table, biases = fitted
    of_kind = np.arange(len(biases)) < kinds
    factor = np.where(of_kind, SHARPEN, ASK_SOFTEN)
    return table * factor, biases * factor - np.where(of_kind, 0.0, ASK_DOUBT)


def pack(kept: list[int], kinds: Sequence[Kind], fitted: Fitted) -> bytes:
    """The weights file; see `habitus_classifier.model`."""
    coefficients, biases = fitted
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
    inputs = Inputs(scaled.tocsr().astype(np.float32), meanings.matrix(sets, norms))
    decay = np.repeat([1 / KIND_COST, 1 / ASK_COST], [len(kinds), len(ASKS)])
    fitted = calibrated(fit(inputs, targets(kind, wanted, weights, written), decay, SEED), len(kinds))
    OUT.write_bytes(pack(sorted(known), kinds, folded(fitted, kept, sorted(known), meanings)))
    print(
        f"{len(data)} rows, {len(kinds)} kinds, {len(frequent)} features, {OUT.stat().st_size} bytes", file=sys.stderr
    )


if __name__ == "__main__":
    main()
