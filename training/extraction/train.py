"""Trains the extractor's weights from the data beside it: ``python training/extraction/train.py [OUT]``.

Deterministic for one machine and library version: fixed seeds, one thread, rows in file order. Needs jax, for training
only: the runtime is numpy. Steps: warm up a pair head on the plain encoder; pick the telling windows of long messages
and sequences with it; tune encoder (low rank) and head together; train the state and scope heads on the tuned vectors.
The result is written to a temporary file and moved, so that readers never see half of it.
"""

import os
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import jax
import jax.numpy as jnp
import numpy as np
from features import Messages, of_rows
from instances import Instances, redrawn, select, states
from network import (
    COUNT,
    TOKENS,
    WINDOWS,
    Params,
    adam,
    encode,
    init_pair_head,
    init_tuning,
    pack,
    pair_head,
    pair_loss,
)
from rows import STATES, Row, load

from habitus_tasks.extract import classifier, encoder
from habitus_tasks.extract.cues import Cue

RANK, HIDDEN = 16, 256
WARM_EPOCHS, TUNE_EPOCHS, SMALL_EPOCHS = 10, 5, 12


def log(*words: object) -> None:
    """Progress on stdout, with the time."""
    print(time.strftime("%H:%M:%S"), *words, flush=True)


def context(messages: Messages, m: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """`classifier.context` from stored arrays."""
    return np.hstack([messages.said[m] * 6, messages.facts[m] / spread * 0.4]).astype(np.float32)


def _rates(p: Params, head: float, tuning: float) -> dict[str, float]:
    return {name: tuning if name.startswith(("left.", "right.")) else head for name in p}


def _zeros(p: Params) -> Params:
    return {name: jnp.zeros_like(value) for name, value in p.items()}


def fit_pairs(
    vectors: np.ndarray, messages: Messages, chosen: Instances, spread: np.ndarray, seed: int, epochs: int
) -> Params:
    """A pair head on fixed window vectors."""
    rng, key, size = np.random.default_rng(seed), jax.random.PRNGKey(seed), 128
    p = init_pair_head(rng, 512 + messages.said.shape[1] + messages.facts.shape[1], HIDDEN)
    m, v = _zeros(p), _zeros(p)
    grad = jax.jit(
        jax.grad(lambda p, x, decided, wanted, weight, key: pair_loss(pair_head(p, x, decided, key), wanted, weight))
    )
    total, t = epochs * (len(chosen.window) // size), 0
    for _ in range(epochs):
        drawn, order = redrawn(chosen, messages, rng), rng.permutation(len(chosen.window))
        for begin in range(0, len(order) - size + 1, size):
            i, t = order[begin : begin + size], t + 1
            key, sub = jax.random.split(key)
            x = np.hstack([vectors[chosen.window[i]] * 8, context(messages, drawn[i], spread)])
            g = grad(p, x, messages.verdicts[drawn[i]], chosen.wanted[i], chosen.weight[i], sub)
            p, m, v = adam(p, m, v, g, _rates(p, 1e-3 * (1 - 0.98 * t / total), 0), float(t), 2e-2)
    return p


def _batches(ids: list[list[int]], order: np.ndarray) -> list[list[int]]:
    batches: list[list[int]] = [[]]
    size = 0
    for i in order:
        need = len(ids[i]) + 2
        if batches[-1] and (size + need > TOKENS or len(batches[-1]) == WINDOWS):
            batches.append([])
            size = 0
        batches[-1].append(int(i))
        size += need
    return batches


def _padded(array: np.ndarray) -> np.ndarray:
    out = np.zeros((WINDOWS, *array.shape[1:]), np.float32)
    out[: len(array)] = array
    return out


def tune(messages: Messages, chosen: Instances, spread: np.ndarray, warm: Params) -> Params:
    """The encoder's low-rank differences together with a pair head, from a warmed-up head."""
    rng, key = np.random.default_rng(7), jax.random.PRNGKey(7)
    p = {**warm, **init_tuning(rng, RANK)}
    m, v = _zeros(p), _zeros(p)

    def loss(
        p: Params,
        packed: tuple,
        around: jax.Array,
        decided: jax.Array,
        wanted: jax.Array,
        weight: jax.Array,
        key: jax.Array,
    ) -> jax.Array:
        x = jnp.concatenate([encode(p, *packed) * 8, around], 1)
        return pair_loss(pair_head(p, x, decided, key), wanted, weight)

    grad = jax.jit(jax.value_and_grad(loss))
    ids = []
    for j in chosen.window:
        message = messages.tokenized[messages.message[j]]
        window = message.windows[j - messages.start[messages.message[j]]]
        ids.append(message.ids[window.first - 1 : window.last - 1])
    total, t = TUNE_EPOCHS * len(_batches(ids, np.arange(len(ids)))), 0
    for epoch in range(TUNE_EPOCHS):
        drawn, losses = redrawn(chosen, messages, rng), []
        for batch in _batches(ids, rng.permutation(len(ids))):
            t += 1
            key, sub = jax.random.split(key)
            rest = (
                context(messages, drawn[batch], spread),
                messages.verdicts[drawn[batch]],
                chosen.wanted[batch],
                chosen.weight[batch],
            )
            value, g = grad(p, pack([ids[i] for i in batch]), *(_padded(each) for each in rest), sub)
            step = min(1.0, t / 50) * max(0.02, 1 - 0.98 * t / total)
            p, m, v = adam(p, m, v, g, _rates(p, 1e-3 * step, 3e-3 * step), float(t), 1e-2)
            losses.append(float(value))
        log("tuned epoch", epoch, "loss", round(float(np.mean(losses)), 3))
    return p


def window_vectors(network: encoder.Network, messages: Messages) -> np.ndarray:
    """Vectors of all windows of all messages by the runtime's own code."""
    worded = [message for message in messages.tokenized if message.windows]
    found = [classifier.window_vectors(network, worded[i : i + 16]) for i in range(0, len(worded), 16)]
    return np.concatenate([vectors for batch in found for vectors in batch])


def stored_head(p: Params) -> dict[str, np.ndarray]:
    """A pair head as the runtime reads it: the dimensions' shared part folded in."""
    arrays = {name: np.asarray(p[name]) for name in ("W", "b", "V", "L", "c", "ap", "an", "gp", "gn")}
    arrays["V"] = arrays["V"].copy()
    arrays["V"][:, :COUNT] += np.asarray(p["D"])[:, classifier.DIMENSION_OF]
    return arrays


def guess_pairs(
    heads: list[dict[str, np.ndarray]], vectors: np.ndarray, messages: Messages, spread: np.ndarray
) -> np.ndarray:
    """Probabilities of all windows."""
    found = []
    for begin in range(0, len(vectors), 2048):
        m = messages.message[begin : begin + 2048]
        x = np.hstack([vectors[begin : begin + 2048] * 8, context(messages, m, spread)]).astype(np.float32)
        found.append(classifier.pair_probabilities(heads, x, messages.verdicts[m]))
    return np.concatenate(found)


def fit_small(
    x: np.ndarray, kinds: np.ndarray, weight: np.ndarray, classes: int, hidden: int, seed: int
) -> dict[str, np.ndarray]:
    """A small head: one hidden layer, weighted cross entropy."""
    rng, key, size = np.random.default_rng(seed), jax.random.PRNGKey(seed), 128
    p: Params = {
        "W": jnp.asarray((rng.standard_normal((x.shape[1], hidden)) / np.sqrt(x.shape[1])).astype(np.float32)),
        "b": jnp.zeros(hidden),
        "V": jnp.zeros((hidden, classes)),
        "c": jnp.zeros(classes),
    }
    m, v = _zeros(p), _zeros(p)

    def loss(p: Params, x: jax.Array, wanted: jax.Array, weight: jax.Array, key: jax.Array) -> jax.Array:
        k1, k2 = jax.random.split(key)
        x = x * jax.random.bernoulli(k1, 0.7, x.shape) / 0.7
        h = jax.nn.gelu(x @ p["W"] + p["b"])
        h = h * jax.random.bernoulli(k2, 0.6, h.shape) / 0.6
        return (jnp.take_along_axis(-jax.nn.log_softmax(h @ p["V"] + p["c"]), wanted[:, None], 1)[:, 0] * weight).mean()

    grad = jax.jit(jax.grad(loss))
    total, t = SMALL_EPOCHS * (len(x) // size), 0
    for _ in range(SMALL_EPOCHS):
        order = rng.permutation(len(x))
        for begin in range(0, len(x) - size + 1, size):
            i, t = order[begin : begin + size], t + 1
            key, sub = jax.random.split(key)
            g = grad(p, x[i], kinds[i], weight[i], sub)
            p, m, v = adam(p, m, v, g, _rates(p, 1e-3 * (1 - 0.98 * t / total), 0), float(t), 2e-2)
    return {name: np.asarray(value) for name, value in p.items()}


def words_of(messages: Messages, j: int) -> str:
    """The words of one window."""
    m = messages.message[j]
    return messages.tokenized[m].windows[j - messages.start[m]].span.of(messages.texts[m])


def fit_states(rows: list[Row], messages: Messages, vectors: np.ndarray) -> dict[str, np.ndarray]:
    """The state head: twice, the second time on the messages that the first took for the telling ones."""
    words = [words_of(messages, j) for j in range(len(vectors))]
    x = classifier.state_inputs(vectors, words)
    cue = list(Cue)
    guess = np.zeros((len(x), len(STATES)), np.float32)
    for k, name in enumerate(STATES[1:], 1):
        guess[:, k] = x[:, 512 + cue.index(Cue(name))] * 0.5
    head: dict[str, np.ndarray] = {}
    for turn in range(2):
        windows, kinds, weight = states(rows, messages, guess)
        head = fit_small(x[windows], kinds, weight, len(STATES), 48, 20 + turn)
        guess = classifier.small_head(head, x)
        log("states", np.bincount(kinds, minlength=len(STATES)).tolist())
    return head


def fit_entity(rows: list[Row], messages: Messages, vectors: np.ndarray, chosen: Instances) -> dict[str, np.ndarray]:
    """The scope head, on windows that hold a wish."""
    inputs, kinds = [], []
    for j, wanted in zip(chosen.window, chosen.wanted, strict=True):
        row = rows[messages.owner[messages.message[j]]]
        if not wanted.any() or len({label["scope"] for label in row.labels}) > 1:
            continue
        m = messages.message[j]
        own = range(messages.start[m], messages.start[m + 1])
        x = classifier.entity_inputs(vectors[own], [words_of(messages, k) for k in own])
        inputs.append(x[j - messages.start[m]])
        kinds.append(int(row.labels[0]["scope"] == "entity"))
    where = np.array(kinds)
    weight = np.where(where == 1, 2.0, 1.0).astype(np.float32)
    return fit_small(np.array(inputs), where, weight, 2, 32, 30)


def main() -> None:
    """Trains everything and writes one file."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else classifier.WEIGHTS
    rows = load()
    messages = of_rows(rows)
    spread = messages.facts.std(axis=0) + np.float32(0.01)
    log(len(rows), "rows", len(messages.texts), "messages", len(messages.message), "windows")
    plain = window_vectors(encoder.plain(), messages)
    warm = fit_pairs(plain, messages, select(rows, messages), spread, 0, WARM_EPOCHS)
    chosen = select(rows, messages, guess_pairs([stored_head(warm)], plain, messages, spread))
    log(len(chosen.window), "instances")
    tuned = tune(messages, chosen, spread, warm)
    factors = {
        name: (np.asarray(tuned[f"left.{name}"]), np.asarray(tuned[f"right.{name}"])) for name in encoder.MATRICES
    }
    vectors = window_vectors(encoder.tuned(factors), messages)
    heads = [stored_head(tuned)]
    arrays = {f"head{i}.{name}": value for i, head in enumerate(heads) for name, value in head.items()}
    for name, (left, right) in factors.items():
        arrays |= {f"left.{name}": left, f"right.{name}": right}
    arrays |= {f"state.{name}": value for name, value in fit_states(rows, messages, vectors).items()}
    arrays |= {f"entity.{name}": value for name, value in fit_entity(rows, messages, vectors, chosen).items()}
    stored = {name: value.astype(np.float16) for name, value in arrays.items()}
    temporary = out.with_suffix(".tmp.npz")
    np.savez_compressed(temporary, spread=spread, heads=np.int64(len(heads)), **stored)
    temporary.replace(out)
    log("wrote", out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
