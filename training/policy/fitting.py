"""Fits all outputs of the facet model at once: mini-batches and Adam, in a fixed order, on one thread.

A softmax over the kinds of query and one logistic regression for each ask share their inputs, so one pass over the
rows serves both: this takes a small part of the time that a solver for each of them does.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

BATCH = 1024
EPOCHS = 14
RATE = 0.08
"""Step of Adam at the start; it falls to nothing along half a cosine."""
MEAN, SQUARE = 0.9, 0.99
"""How fast Adam forgets gradients and their squares."""


@dataclass(frozen=True)
class Inputs:
    """What the model sees of each row: n-grams (sparse), and the meanings of words (dense)."""

    grams: sparse.csr_matrix
    meanings: np.ndarray

    def take(self, rows: np.ndarray) -> "Inputs":
        """The inputs of some rows."""
        return Inputs(self.grams[rows], self.meanings[rows])

    def times(self, table: np.ndarray) -> np.ndarray:
        """Inputs times coefficients (n-grams first)."""
        split = self.grams.shape[1]
        return np.asarray(self.grams @ table[:split]) + self.meanings @ table[split:]

    def back(self, residuals: np.ndarray) -> np.ndarray:
        """The gradient of the coefficients, given that of the outputs."""
        return np.vstack([np.asarray(self.grams.T @ residuals), self.meanings.T @ residuals])


@dataclass(frozen=True)
class Targets:
    """What is to be learned: for each row its kind, its asks (0 or 1), and how much each of these counts."""

    kinds: np.ndarray
    asks: np.ndarray
    kind_weights: np.ndarray
    ask_weights: np.ndarray


def _residuals(logits: np.ndarray, targets: Targets, rows: np.ndarray, kinds: int) -> np.ndarray:
    found = logits.copy()
    chances = found[:, :kinds]
    chances -= chances.max(axis=1, keepdims=True)
    np.exp(chances, out=chances)
    chances /= chances.sum(axis=1, keepdims=True)
    chances[np.arange(len(rows)), targets.kinds[rows]] -= 1
    chances *= targets.kind_weights[rows, None]
    asks = found[:, kinds:]
    asks[:] = (1 / (1 + np.exp(-asks)) - targets.asks[rows]) * targets.ask_weights[rows]
    return found


def fit(inputs: Inputs, targets: Targets, decay: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (inputs x outputs) and biases; outputs are the kinds, then the asks.

    Args:
        decay: the L2 penalty of each output, on the scale of the sum of the losses.
        seed: of the order of the rows.
    """
    size, outputs = inputs.grams.shape[0], len(decay)
    kinds = outputs - targets.asks.shape[1]
    table = np.zeros((inputs.grams.shape[1] + inputs.meanings.shape[1] + 1, outputs), dtype=np.float32)
    mean, square = np.zeros_like(table), np.zeros_like(table)
    order, penalty = np.random.default_rng(seed), (decay / size).astype(np.float32)
    steps = EPOCHS * -(-size // BATCH)
    step = 0
    for _ in range(EPOCHS):
        shuffled = order.permutation(size)
        for start in range(0, size, BATCH):
            rows, step = np.sort(shuffled[start : start + BATCH]), step + 1
            part = inputs.take(rows)
            residuals = _residuals(part.times(table[:-1]) + table[-1], targets, rows, kinds) / len(rows)
            slope = np.vstack([part.back(residuals), residuals.sum(axis=0)]).astype(np.float32)
            slope[:-1] += penalty * table[:-1]
            mean += (1 - MEAN) * (slope - mean)
            square += (1 - SQUARE) * (slope * slope - square)
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            scale = np.sqrt(square / (1 - SQUARE**step)) + 1e-7
            table -= rate / (1 - MEAN**step) * mean / scale
    return table[:-1], table[-1]
