"""The embedded classifier: for each window of a message, how likely it asks for each pair of the catalog.

Inputs of a window: its vector by the tuned encoder, the vector of the last output by the plain one, and the structural
facts of that output. Heads: small networks with one hidden layer, averaged. Weights come from `training/extraction`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from habitus_tasks.extract import encoder
from habitus_tasks.extract.encoder import Array
from habitus_tasks.extract.output import Output, vector
from habitus_tasks.extract.windows import Tokenized, tokenize

WEIGHTS = Path(__file__).with_name("weights") / "heads.npz"
OUTPUT_TOKENS = (40, 24)
"""Tokens of the last output that are encoded: of its start and of its end, where preambles and recaps stand."""
BATCH = 24


@dataclass(frozen=True, slots=True, repr=False)
class Scored:
    """One message: its tokens and windows, and for each window the probability of each pair (catalog order) and of none."""

    tokenized: Tokenized
    windows: Array


@dataclass(frozen=True, slots=True, repr=False)
class Model:
    """Everything that was trained."""

    network: encoder.Network
    spread: Array
    heads: tuple[dict[str, Array], ...]


def gelu(x: Array) -> Array:
    """The activation of the heads (tanh form, as they were trained with)."""
    return np.asarray(0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))), dtype=np.float32)


@cache
def model() -> Model:
    """The trained model, loaded once a process."""
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        arrays = {name: stored[name].astype(np.float32) for name in stored.files}
    count = sum(name.startswith("W_") for name in arrays)
    heads = tuple({key: arrays[f"{key}_{i}"] for key in ("W", "b", "V", "L", "c")} for i in range(count))
    factors = {name: (arrays[f"A.{name}"], arrays[f"B.{name}"]) for name in encoder.MATRICES if f"A.{name}" in arrays}
    return Model(encoder.tuned(factors), arrays["spread"], heads)


def output_ids(output: Output) -> list[int]:
    """The tokens of the last output that stand for it."""
    first, last = OUTPUT_TOKENS
    text = output.text
    if len(text) > 1200:
        return encoder.tokens(text[:700])[:first] + encoder.tokens(text[-400:])[-last:]
    ids = encoder.tokens(text)
    return ids if len(ids) <= first + last else ids[:first] + ids[-last:]


def context(outputs: Sequence[Output], spread: Array) -> Array:
    """What the heads see of the last outputs: one row each."""
    facts = np.array([vector(output) for output in outputs], dtype=np.float32)
    said = encoder.vectors(encoder.plain(), [output_ids(output) for output in outputs]) * facts[:, :1]
    return np.hstack([said * 6, facts / spread * 0.4]).astype(np.float32)


def window_vectors(network: encoder.Network, messages: Sequence[Tokenized]) -> list[Array]:
    """The vector of each window of each message."""
    found: list[Array] = []
    for message, features in zip(messages, encoder.encode(network, [m.ids for m in messages]), strict=True):
        running = np.concatenate([np.zeros((1, features.shape[1]), np.float32), np.cumsum(features, axis=0)])
        first = np.array([window.first for window in message.windows])
        last = np.array([window.last for window in message.windows])
        marks = features[0] + features[-1]
        sums = running[last] - running[first] + marks
        found.append(encoder.pooled(network, sums, (last - first + 2).astype(np.float32)))
    return found


def probabilities(heads: Sequence[dict[str, Array]], inputs: Array) -> Array:
    """Mean over the heads of each row's distribution over all pairs and none."""
    total = np.zeros((len(inputs), len(heads[0]["c"])), dtype=np.float32)
    for head in heads:
        logits = gelu(inputs @ head["W"] + head["b"]) @ head["V"] + inputs @ head["L"] + head["c"]
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        total += weights / weights.sum(axis=1, keepdims=True)
    return total / len(heads)


def _score_batch(messages: Sequence[Tokenized], outputs: Sequence[Output]) -> list[Scored]:
    trained = model()
    around = context(outputs, trained.spread)
    scored = []
    for message, vectors, row in zip(messages, window_vectors(trained.network, messages), around, strict=True):
        inputs = np.hstack([vectors * 8, np.repeat(row[None], len(vectors), axis=0)]).astype(np.float32)
        scored.append(Scored(message, probabilities(trained.heads, inputs)))
    return scored


def score(texts: Sequence[str], outputs: Sequence[Output]) -> list[Scored | None]:
    """The scores of each message after its output; None for a message without words."""
    tokenized = [tokenize(text) for text in texts]
    found: list[Scored | None] = [None] * len(texts)
    worded = [i for i, message in enumerate(tokenized) if message.windows]
    for begin in range(0, len(worded), BATCH):
        batch = worded[begin : begin + BATCH]
        for i, scored in zip(
            batch, _score_batch([tokenized[i] for i in batch], [outputs[i] for i in batch]), strict=True
        ):
            found[i] = scored
    return found
