"""The pinned multilingual encoder: the first layers of multilingual-e5-small (Wang et al. 2024).

Its weights as numbers, with small trained differences of low rank added (LoRA, Hu et al. 2021): what the training
script learned on labelled messages. And the first states of texts, the tokens of all texts in one matrix.
`encoder_graph` runs the layers.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from habitus_tasks.extract.encoder_file import BLOCK, Array, encoder_file, unpacked
from habitus_tasks.extract.pieces import BOS, EOS

HEADS = 12
FORWARD = 1536
"""Width of a layer's feed-forward part."""
MATRICES = ("q", "k", "v", "ao", "fi", "fo")
"""The matrices of a layer: query, key, value, attention output, feed-forward in and out."""
EPSILON = np.float32(1e-12)

Factors = Mapping[str, tuple[Array, Array]]
"""Thin factors by matrix ("0.q" is the query matrix of the first layer); their product is added to it."""
Bounds = Sequence[tuple[int, int]]
"""The rows of each text in the matrix of all tokens."""


def matrix(layer: int, name: str) -> Array:
    """One of `MATRICES` as the encoder ships it, so that a state times it is what the layer computes (in x out)."""
    rows = FORWARD if name == "fi" else encoder_file().width
    return np.ascontiguousarray(encoder_file().tensor(f"l{layer}.{name}.w", rows).T)


def bias(layer: int, name: str) -> Array:
    """The bias of one of `MATRICES`."""
    return encoder_file().tensor(f"l{layer}.{name}.b")


def norm(layer: int, name: str) -> tuple[Array, Array]:
    """Gain and bias of a layer's norm: `aln` after its attention, `oln` after its feed-forward part."""
    return encoder_file().tensor(f"l{layer}.{name}.w"), encoder_file().tensor(f"l{layer}.{name}.b")


def normalised(x: Array, gain: Array, shift: Array) -> Array:
    """Layer norm (Ba et al. 2016)."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", centred, centred) / x.shape[-1]
    centred *= np.reciprocal(np.sqrt(variance + EPSILON))[:, None]
    centred *= gain
    centred += shift
    return np.asarray(centred, dtype=np.float32)


def gelu(x: Array) -> Array:
    """The activation, in the tanh form it was tuned with."""
    inner = x * x
    inner *= np.float32(0.044715)
    inner += 1
    inner *= x
    inner *= np.float32(0.7978845608)
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= np.float32(0.5)
    return inner


@dataclass(frozen=True, slots=True, repr=False)
class Layer:
    """One layer: query, key and value side by side, then the other matrices, their biases and the two norms."""

    attend: Array
    attend_bias: Array
    out: Array
    out_bias: Array
    wide: Array
    wide_bias: Array
    narrow: Array
    narrow_bias: Array
    after_attention: tuple[Array, Array]
    after_forward: tuple[Array, Array]


def _layer(index: int, factors: Factors) -> Layer:
    tuned = {}
    for name in MATRICES:
        left, right = factors.get(f"{index}.{name}", (None, None))
        plain = matrix(index, name)
        tuned[name] = plain if left is None or right is None else plain + left @ right
    return Layer(
        np.hstack([tuned["q"], tuned["k"], tuned["v"]]),
        np.concatenate([bias(index, name) for name in ("q", "k", "v")]),
        tuned["ao"],
        bias(index, "ao"),
        tuned["fi"],
        bias(index, "fi"),
        tuned["fo"],
        bias(index, "fo"),
        norm(index, "aln"),
        norm(index, "oln"),
    )


def network(count: int, factors: Factors) -> tuple[Layer, ...]:
    """The first `count` layers with their differences; holds no text, safe to share between threads."""
    return tuple(_layer(index, factors) for index in range(count))


def embedded(texts: Sequence[Sequence[int]]) -> tuple[Array, list[tuple[int, int]]]:
    """The first states of all tokens of all texts (given as token ids without sentence marks), and each text's rows."""
    marked = [[BOS, *ids, EOS] for ids in texts]
    ends = np.cumsum([0, *(len(ids) for ids in marked)]).tolist()
    flat = np.array([token for ids in marked for token in ids], dtype=np.int64)
    places = np.concatenate([np.arange(len(ids)) for ids in marked])
    known = encoder_file()
    words = known.raw("emb.word").reshape(-1, known.width // 32 * BLOCK)[flat]
    states = unpacked(words, len(flat))
    states += known.tensor("emb.pos", len(known.tensor("emb.pos")) // known.width)[places]
    states += known.tensor("emb.type", 2)[0]
    gain, shift = known.tensor("emb.ln.w"), known.tensor("emb.ln.b")
    return normalised(states, gain, shift), list(itertools.pairwise(ends))
