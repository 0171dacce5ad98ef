"""The network in jax, for training only: the encoder with low-rank differences, and the heads. The runtime is numpy."""

import functools
from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

from habitus_tasks.extract import encoder
from habitus_tasks.extract.classifier import DIMENSION_OF, PAIRS

Params = dict[str, jax.Array]
TOKENS, WINDOWS, LONGEST = 1536, 80, 68
COUNT = len(PAIRS)
DIMENSIONS = int(DIMENSION_OF.max()) + 1
ONE_HOT = jnp.asarray(np.eye(DIMENSIONS, dtype=np.float32)[DIMENSION_OF])
BASE = {name: jnp.asarray(encoder.matrix(encoder.backend(), name)) for name in encoder.MATRICES}


def _norm(x: jax.Array, gain: jax.Array, bias: jax.Array, eps: float) -> jax.Array:
    x = x - x.mean(-1, keepdims=True)
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + eps) * gain + bias


def _times(p: Params, x: jax.Array, name: str) -> jax.Array:
    return x @ BASE[name] + (x @ p[f"left.{name}"]) @ p[f"right.{name}"]


def _branch(p: Params, x: jax.Array, near: jax.Array, i: int) -> jax.Array:
    model = encoder.backend()
    for layer, bias in (("w1", model.b1[i]), ("w2", model.b2[i])):
        padded = jnp.concatenate([x, jnp.zeros((1, x.shape[1]))])
        x = jax.nn.relu(_times(p, padded[near].reshape(TOKENS, -1), f"{layer}_{i}") + bias) + x
    return x


def encode(p: Params, rows: jax.Array, near: jax.Array, start: jax.Array, length: jax.Array) -> jax.Array:
    """Vectors of windows: `rows` are token embeddings, `near` each token's neighbours, start and length the windows."""
    model = encoder.backend()
    eps = float(model.eps)
    x = _norm(_times(p, rows, "proj_W") + model.proj_b, model.ln_g_all, model.ln_b_all, eps)
    parts = [rows]
    for i, (order, left) in enumerate(((2, 0), (3, 1), (5, 2))):
        parts.append(_branch(p, x[:, i * 256 : (i + 1) * 256], near[:, 2 - left : 2 - left + order], i))
    features = _times(p, _norm(jnp.concatenate(parts, 1), model.ln_g, model.ln_b, eps), "cnn_W") + model.cnn_b
    index = jnp.minimum(start[:, None] + jnp.arange(LONGEST), TOKENS - 1)
    inside = (jnp.arange(LONGEST) < length[:, None])[:, :, None]
    mean = jnp.where(inside, features[index], 0).sum(1) * jax.lax.rsqrt(jnp.maximum(length, 1.0))[:, None]
    y1 = jax.nn.relu(_times(p, mean, "p1") + _times(p, jax.nn.relu(_times(p, mean, "d0")), "d1"))
    z = jnp.tanh(_times(p, y1, "p3") + _times(p, jax.nn.relu(_times(p, y1, "d2")), "d3"))
    return z * jax.lax.rsqrt(jnp.maximum((z * z).sum(1, keepdims=True), eps))


def pack(ids: Sequence[Sequence[int]]) -> tuple[np.ndarray, ...]:
    """A batch of windows as fixed-size arrays for `encode`."""
    model = encoder.backend()
    marked = [[encoder.BOS, *window, encoder.EOS] for window in ids]
    lengths = np.array([len(window) for window in marked])
    flat = np.concatenate([np.array(window) for window in marked])
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    window = model._window_index(starts, lengths, len(flat))
    near = np.full((TOKENS, window.shape[1]), TOKENS, np.int32)
    near[: len(flat)] = np.where(window == len(flat), TOKENS, window)
    rows = np.zeros((TOKENS, 512), np.float32)
    rows[: len(flat)] = encoder.embedded(flat)
    start, length = np.zeros(WINDOWS, np.int32), np.zeros(WINDOWS, np.float32)
    start[: len(ids)], length[: len(ids)] = starts, lengths
    return rows, near, start, length


def pair_head(
    p: Params,
    x: jax.Array,
    decided: jax.Array,
    key: jax.Array | None = None,
    drop: tuple[float, float, float] = (0.3, 0.5, 0.2),
) -> jax.Array:
    """Logits of all pairs and none, as `classifier.pair_logits`. With a key, inputs, hidden units and verdicts drop."""
    if key is not None:
        k1, k2, k3 = jax.random.split(key, 3)
        x = x * jax.random.bernoulli(k1, 1 - drop[0], x.shape) / (1 - drop[0])
        decided = decided * jax.random.bernoulli(k3, 1 - drop[2], (decided.shape[0], 1))
    h = jax.nn.gelu(x @ p["W"] + p["b"])
    if key is not None:
        h = h * jax.random.bernoulli(k2, 1 - drop[1], h.shape) / (1 - drop[1])
    logits = h @ p["V"] + x @ p["L"] + p["c"]
    believable = (p["ap"][DIMENSION_OF] + h @ p["gp"]) * jax.nn.relu(decided)
    doubtful = (p["an"][DIMENSION_OF] + h @ p["gn"]) * jax.nn.relu(-decided)
    return logits.at[:, :COUNT].add((h @ p["D"]) @ ONE_HOT.T + believable + doubtful)


def pair_loss(logits: jax.Array, wanted: jax.Array, weight: jax.Array) -> jax.Array:
    """Each labelled pair against all unlabelled ones and none; a row without labels against all pairs."""
    rivals = jax.nn.logsumexp(
        jnp.concatenate([jnp.where(wanted > 0, -1e9, logits[:, :COUNT]), logits[:, COUNT:]], 1), axis=1
    )
    each = jnp.logaddexp(logits[:, :COUNT], rivals[:, None]) - logits[:, :COUNT]
    none = jax.nn.logsumexp(logits, axis=1) - logits[:, COUNT]
    loss = jnp.where(wanted.sum(1) > 0, (each * wanted).sum(1), none)
    return (loss * weight).sum() / jnp.maximum(weight.sum(), 1)


def init_pair_head(rng: np.random.Generator, inputs: int, hidden: int) -> Params:
    """A fresh pair head. `D` shares what a dimension's values have in common; it is folded into `V` when stored."""

    def normal(a: int, b: int, scale: float = 1.0) -> jax.Array:
        return jnp.asarray((rng.standard_normal((a, b)) * scale / np.sqrt(a)).astype(np.float32))

    return {
        "W": normal(inputs, hidden),
        "b": jnp.zeros(hidden),
        "V": normal(hidden, COUNT + 1, 0.3),
        "L": jnp.zeros((inputs, COUNT + 1)),
        "c": jnp.zeros(COUNT + 1),
        "D": normal(hidden, DIMENSIONS, 0.1),
        "ap": jnp.full(DIMENSIONS, 0.3),
        "an": jnp.full(DIMENSIONS, -0.3),
        "gp": jnp.zeros((hidden, 1)),
        "gn": jnp.zeros((hidden, 1)),
    }


def init_tuning(rng: np.random.Generator, rank: int) -> Params:
    """Thin factors of every tuned matrix; the product starts at zero."""
    params: Params = {}
    for name in encoder.MATRICES:
        a, b = BASE[name].shape
        params[f"left.{name}"] = jnp.asarray((rng.standard_normal((a, rank)) / np.sqrt(a)).astype(np.float32))
        params[f"right.{name}"] = jnp.zeros((rank, b))
    return params


@functools.partial(jax.jit, static_argnames=("decay",))
def adam(
    p: Params, m: Params, v: Params, g: Params, rates: Params, t: float, decay: float
) -> tuple[Params, Params, Params]:
    """One step of AdamW (Loshchilov and Hutter 2019)."""
    m = {k: 0.9 * m[k] + 0.1 * g[k] for k in p}
    v = {k: 0.99 * v[k] + 0.01 * g[k] ** 2 for k in p}
    step = {k: (m[k] / (1 - 0.9**t)) / (jnp.sqrt(v[k] / (1 - 0.99**t)) + 1e-8) + decay * p[k] for k in p}
    return {k: p[k] - rates[k] * step[k] for k in p}, m, v
