"""The embedded classifier: what each window of a message asks for, how long it holds, and for whom.

Inputs of a window: its vector by the tuned encoder; the vector of the last output by the plain one; the structural facts
of that output and their verdicts on every pair (`last_output`). Heads are small networks with one hidden layer. Weights
come from `training/extraction`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from habitus_schema.catalog import all_pairs
from habitus_schema.vocabulary import Dimension

from habitus_tasks.extract import encoder
from habitus_tasks.extract.cues import Cue, has
from habitus_tasks.extract.encoder import Array
from habitus_tasks.extract.last_output import verdicts
from habitus_tasks.extract.names import name_signs
from habitus_tasks.extract.output import Output, vector
from habitus_tasks.extract.windows import Tokenized, tokenize

WEIGHTS = Path(__file__).with_name("weights") / "heads.npz"
OUTPUT_TOKENS = (24, 8)
"""Tokens of the last output that are encoded: of its start and of its end, where preambles and recaps stand."""
BATCH = 24
WORTH_A_SCOPE = 0.2
"""Probability under which no pair of a message can become a candidate, so that its scope need not be asked."""
GATE = 0.05
"""Probability of a wish, by the cheap gate, under which a message is not encoded."""
PAIRS = all_pairs()
DIMENSION_OF = np.array([list(Dimension).index(pair.dimension) for pair in PAIRS])
"""For each pair of the catalog, in its order, the position of its dimension."""

Head = Mapping[str, Array]


@dataclass(frozen=True, slots=True, repr=False)
class Scored:
    """One message as the heads see it; one row a window.

    Attributes:
        pairs: probability of each pair, in the catalog's order, and of none.
        states: probability of each `State`.
        entity: probability that a wish in the window is tied to a named entity.
    """

    tokenized: Tokenized
    pairs: Array
    states: Array
    entity: Array


@dataclass(frozen=True, slots=True, repr=False)
class Model:
    """Everything that was trained."""

    network: encoder.Network
    spread: Array
    heads: tuple[Head, ...]
    state: Head
    entity: Head
    gate: Head


def gelu(x: Array) -> Array:
    """The activation of the heads (tanh form, as they were trained with)."""
    return np.asarray(0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))), dtype=np.float32)


def verdict_row(output: Output) -> list[int]:
    """The last output's verdict on each pair, in the catalog's order."""
    decided = verdicts(output)
    return [decided.get(pair, 0) for pair in PAIRS]


def _group(arrays: Mapping[str, Array], name: str) -> Head:
    return {key.split(".", 1)[1]: value for key, value in arrays.items() if key.startswith(f"{name}.")}


@cache
def model() -> Model:
    """The trained model, loaded once a process."""
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        arrays = {name: stored[name].astype(np.float32) for name in stored.files}
    left, right = _group(arrays, "left"), _group(arrays, "right")
    heads = tuple(_group(arrays, f"head{i}") for i in range(int(arrays["heads"])))
    network = encoder.tuned({name: (left[name], right[name]) for name in left})
    return Model(network, arrays["spread"], heads, _group(arrays, "state"), _group(arrays, "entity"), _group(arrays, "gate"))


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


def _softmax(logits: Array) -> Array:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float32)


def pair_logits(head: Head, inputs: Array, decided: Array) -> Array:
    """One head's logits. A verdict moves its pair by a learned step, more or less far as the hidden layer says."""
    hidden = gelu(inputs @ head["W"] + head["b"])
    logits = hidden @ head["V"] + inputs @ head["L"] + head["c"]
    believable = (head["ap"][DIMENSION_OF] + hidden @ head["gp"]) * np.maximum(decided, 0)
    doubtful = (head["an"][DIMENSION_OF] + hidden @ head["gn"]) * np.maximum(-decided, 0)
    logits[:, : len(PAIRS)] += believable + doubtful
    return np.asarray(logits, dtype=np.float32)


def pair_probabilities(heads: Sequence[Head], inputs: Array, decided: Array) -> Array:
    """Mean over the heads of each row's distribution over all pairs and none."""
    total = sum(_softmax(pair_logits(head, inputs, decided)) for head in heads)
    return np.asarray(total / np.float32(len(heads)), dtype=np.float32)


def small_head(head: Head, inputs: Array) -> Array:
    """The distribution of a head without context: states, scope."""
    return _softmax(gelu(inputs @ head["W"] + head["b"]) @ head["V"] + head["c"])


def state_inputs(vectors: Array, words: Sequence[str]) -> Array:
    """What the state head sees: the windows' vectors and the cues that stand in them."""
    cues = np.array([[float(has(cue, window)) for cue in Cue] for window in words], dtype=np.float32)
    return np.hstack([vectors * 8, cues * 2]).astype(np.float32)


def entity_inputs(vectors: Array, words: Sequence[str]) -> Array:
    """What the scope head sees: each window and the widest one (names come a sentence earlier), and signs of a name."""
    signs = np.array([name_signs(window) for window in words], dtype=np.float32)
    whole = np.repeat(vectors[-1:], len(vectors), axis=0)
    return np.hstack([vectors * 8, whole * 8, signs * 2, np.repeat(signs[-1:], len(signs), axis=0) * 2]).astype(np.float32)


def _scored(trained: Model, message: Tokenized, text: str, vectors: Array, around: Array, decided: Array) -> Scored:
    inputs = np.hstack([vectors * 8, np.repeat(around[None], len(vectors), axis=0)]).astype(np.float32)
    pairs = pair_probabilities(trained.heads, inputs, decided[None])
    words = [window.span.of(text) for window in message.windows]
    states = small_head(trained.state, state_inputs(vectors, words))
    wishes = bool((pairs[:, : len(PAIRS)].max(axis=1) > WORTH_A_SCOPE).any())
    entity = small_head(trained.entity, entity_inputs(vectors, words))[:, 1] if wishes else np.zeros(len(words), np.float32)
    return Scored(message, pairs, states, entity)


def score_batch(texts: Sequence[str], messages: Sequence[Tokenized], outputs: Sequence[Output]) -> list[Scored]:
    """The scores of some messages that have words, each after its output."""
    trained = model()
    around = context(outputs, trained.spread)
    decided = np.array([verdict_row(output) for output in outputs], dtype=np.float32)
    vectors = window_vectors(trained.network, messages)
    return [_scored(trained, *each) for each in zip(messages, texts, vectors, around, decided, strict=True)]


def gate_inputs(messages: Sequence[Tokenized]) -> Array:
    """What the gate sees of messages that have words: mean and maximum of their raw token embeddings, cheap to have."""
    rows = [encoder.embedded(np.array(message.ids, dtype=np.int64)) for message in messages]
    return np.array([np.concatenate([each.mean(axis=0), each.max(axis=0)]) for each in rows], dtype=np.float32) * 8


def _worth_reading(messages: Sequence[Tokenized]) -> list[bool]:
    """Whether each message may hold a wish or take one back. The rest, most of ordinary talk, is not encoded at all."""
    trained = model()
    if not messages or not trained.gate:
        return [True] * len(messages)
    return [bool(p > GATE) for p in small_head(trained.gate, gate_inputs(messages))[:, 1]]


def score(texts: Sequence[str], outputs: Sequence[Callable[[], Output]]) -> list[Scored | None]:
    """The scores of each message after its output; None for one without words, or that the gate keeps back.

    Args:
        outputs: for each message, a function that gives its last output: its facts are counted only when needed.
    """
    tokenized = [tokenize(text) for text in texts]
    found: list[Scored | None] = [None] * len(texts)
    worded = [i for i, message in enumerate(tokenized) if message.windows]
    kept = [i for i, keep in zip(worded, _worth_reading([tokenized[i] for i in worded]), strict=True) if keep]
    for begin in range(0, len(kept), BATCH):
        batch = kept[begin : begin + BATCH]
        scores = score_batch([texts[i] for i in batch], [tokenized[i] for i in batch], [outputs[i]() for i in batch])
        for i, scored in zip(batch, scores, strict=True):
            found[i] = scored
    return found
