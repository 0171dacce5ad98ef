"""Trains the extractor's weights from the data beside it: ``python training/extraction/train.py [OUT]``.

Deterministic for one machine and library version: fixed seeds, rows in file order. Needs jax, for training only. One
network is trained at once: low-rank differences of the encoder's first layers, the gates before the first and after
some, the heads after the last. Sequences, whose labels hold for the sequence as a whole, are spread over
their messages as the model itself hears them, anew in each epoch but the first. The result is written to a temporary
file and moved, so that readers never see half of it.
"""

import ctypes
import functools
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from compose import composed
from examples import Examples, of_rows, redrawn, resolve
from network import Params, adam, base, encode, fresh, judge, loss
from rows import load

from habitus_tasks.extract import encoder
from habitus_tasks.extract.classifier import WEIGHTS
from habitus_tasks.extract.heads import DIMENSION_OF, NONE, SAME, STATES, TOPICS

LAYERS = int(os.environ.get("LAYERS", "6"))
RANK = int(os.environ.get("RANK", "32"))
EPOCHS = int(os.environ.get("EPOCHS", "3"))
COMPOSED = int(os.environ.get("COMPOSED", "9000"))
RATE, HEAD_RATE, DECAY = 1.5e-3, 1e-3, 1e-2
LENGTHS = (12, 18, 24, 32, 44, 64, 96)
"""Examples are padded to one of these lengths, in tokens, and batched with others of it."""
TOKENS = 1536
KEEP_MEMORY = {-1: (1 << 31) - 1, -4: 0, -8: 1}
"""glibc's malloc: trim nothing, map nothing, one arena. Else arrays are mapped and cleared anew each step."""


def log(*words: object) -> None:
    """Progress on stdout, with the time."""
    print(time.strftime("%H:%M:%S"), *words, flush=True)


def batches(examples: Examples, chosen: np.ndarray, rng: np.random.Generator | None) -> list[tuple[int, np.ndarray]]:
    """Positions in `chosen` by padded length, each batch of one size; shuffled with a generator."""
    sizes = np.array([len(examples.items[i].ids) + 2 for i in chosen])
    bucket = np.searchsorted(LENGTHS, sizes)
    found = []
    for k, length in enumerate(LENGTHS):
        own = np.flatnonzero(bucket == k)
        own = rng.permutation(own) if rng is not None else own
        size = TOKENS // length
        found += [(length, own[begin : begin + size]) for begin in range(0, len(own), size)]
    if rng is not None:
        rng.shuffle(found)
    return found


def _inputs(
    examples: Examples, chosen: Sequence[int], outputs: Sequence[int], length: int, spread: np.ndarray
) -> dict[str, np.ndarray]:
    size = TOKENS // length
    x = np.zeros((size, length, encoder.encoder_file().width), np.float32)
    mask = np.zeros((size, length), np.float32)
    states, bounds = encoder.embedded([examples.items[i].ids for i in chosen])
    for row, (begin, end) in enumerate(bounds):
        x[row, : end - begin], mask[row, : end - begin] = states[begin:end], 1
    mask[len(chosen) :, 0] = 1
    facts = np.zeros((size, examples.facts.shape[1]), np.float32)
    decided = np.zeros((size, examples.verdicts.shape[1]), np.float32)
    facts[: len(chosen)] = examples.facts[outputs] / spread * 0.4
    decided[: len(chosen)] = examples.verdicts[outputs]
    return {"x": x, "mask": mask, "facts": facts, "decided": decided}


def _wanted(examples: Examples, chosen: Sequence[int], length: int) -> dict[str, np.ndarray]:
    size = TOKENS // length
    wanted, tied = np.zeros((2, size, NONE), np.float32)
    topics = np.zeros((size, TOPICS.stop - TOPICS.start), np.float32)
    known, matters, real = np.zeros((3, size), np.float32)
    state = np.zeros(size, np.int32)
    for row, i in enumerate(chosen):
        item = examples.items[i]
        wanted[row, item.pairs], tied[row, item.tied], topics[row, item.topics] = 1, 1, 1
        known[row], state[row], real[row] = item.topics_known, item.state, 1
        matters[row] = bool(item.pairs or item.state or item.topics)
    return {
        "wanted": wanted,
        "tied": tied,
        "topics": topics,
        "topics_known": known,
        "state": state,
        "matters": matters,
        "real": real,
    }


def guesses(p: Params, plain: list[Params], examples: Examples, spread: np.ndarray, asked: Sequence[int]) -> np.ndarray:
    """Probabilities of pairs and states for some examples, each after its own output."""

    @jax.jit
    def heard(p: Params, batch: Params) -> jax.Array:
        *_, last = encode(p, plain, batch["x"], batch["mask"])
        logits, _ = judge(p, last, batch["mask"], batch["facts"], batch["decided"])
        weights = jnp.exp(logits[:, : NONE + 1] - logits[:, : NONE + 1].max(1, keepdims=True))
        pairs = weights[:, :NONE] / (weights[:, :NONE] @ SAME + weights[:, NONE:])
        return jnp.concatenate([pairs, jax.nn.softmax(logits[:, STATES])], 1)

    chosen = np.array(asked)
    found = np.zeros((len(chosen), NONE + STATES.stop - STATES.start), np.float32)
    for length, own in batches(examples, chosen, None):
        outputs = [examples.items[i].output for i in chosen[own]]
        result = heard(p, _inputs(examples, chosen[own], outputs, length, spread))
        found[own] = np.asarray(result)[: len(own)]
    return found


def _epoch(
    examples: Examples, chosen: np.ndarray, spread: np.ndarray, rng: np.random.Generator
) -> Iterator[dict[str, np.ndarray]]:
    drawn = redrawn(examples, chosen, rng)
    for length, own in batches(examples, chosen, rng):
        yield {
            **_inputs(examples, chosen[own], drawn[own], length, spread),
            **_wanted(examples, chosen[own], length),
        }


def train(examples: Examples, spread: np.ndarray) -> Params:
    """The trained parameters."""
    rng, key, plain = np.random.default_rng(5), jax.random.PRNGKey(5), base(LAYERS)
    p = fresh(rng, LAYERS, RANK, examples.facts.shape[1])
    m, v = ({name: jnp.zeros_like(value) for name, value in p.items()} for _ in range(2))
    step = jax.jit(jax.value_and_grad(lambda p, batch, key: loss(p, plain, batch, key)))
    total, t, taught = EPOCHS * len(batches(examples, np.arange(len(examples.items)), None)), 0, []
    for epoch in range(EPOCHS):
        if epoch:
            taught = resolve(examples, functools.partial(guesses, p, plain, examples, spread))
        losses = []
        for batch in _epoch(examples, np.array([*examples.ready, *taught]), spread, rng):
            t += 1
            key, sub = jax.random.split(key)
            value, gradient = step(p, batch, sub)
            pace = min(1.0, t / 100) * max(0.02, 1 - 0.98 * t / total)
            rates = {k: (RATE if k.startswith(("left.", "right.")) else HEAD_RATE) * pace for k in p}
            p, m, v = adam(p, m, v, gradient, rates, float(t), DECAY)
            losses.append(float(value))
            if t % 100 == 0:
                log("step", t, "of", total, "loss", round(float(np.mean(losses[-100:])), 3))
        log("epoch", epoch, "loss", round(float(np.mean(losses)), 3), len(taught), "of sequences")
        store(p, spread, Path(sys.argv[1]).with_suffix(f".{epoch}.npz")) if len(sys.argv) > 1 else None
    return p


def store(p: Params, spread: np.ndarray, out: Path) -> None:
    """Writes the parameters as the runtime reads them: half precision, the dimensions' shared part folded in."""
    arrays = {name: np.asarray(value) for name, value in p.items() if name != "shared"}
    arrays["head.W"] = arrays["head.W"].copy()
    arrays["head.W"][:, :NONE] += np.asarray(p["shared"])[:, DIMENSION_OF]
    stored = {name: value.astype(np.float16) for name, value in arrays.items()}
    temporary = out.with_suffix(".tmp.npz")
    np.savez_compressed(temporary, spread=spread, layers=np.int64(LAYERS), **stored)
    temporary.replace(out)
    log("wrote", out.stat().st_size, "bytes")


def main() -> None:
    """Trains everything and writes one file."""
    for option, value in KEEP_MEMORY.items():
        ctypes.CDLL(None).mallopt(ctypes.c_int(option), ctypes.c_int(value))
    rows = load()
    rows += composed(rows, COMPOSED)
    examples = of_rows(rows)
    spread = examples.facts.std(axis=0) + np.float32(0.01)
    log(len(rows), "rows", len(examples.items), "examples", len(examples.groups), "sequences")
    store(train(examples, spread), spread, Path(sys.argv[1]) if len(sys.argv) > 1 else WEIGHTS)


if __name__ == "__main__":
    main()
