"""The embedded classifier: what each window of a message asks for, how long it holds, and for whom.

Inputs of a window: its vector by the tuned encoder; the vector of the last output by the plain one; the structural
facts of that output and their verdicts on every pair (`last_output`). Heads are small networks with one hidden layer.
Weights come from `training/extraction`.
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
WORTH_A_SCOPE = 0.5
"""Probability under which no pair of a message can become a candidate, so that its scope need not be asked."""
WORTH_A_CONTEXT = 0.1
"""Probability of any wish, without context, under which a message's last output is neither encoded nor counted."""
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
        decided: the last output's verdict on each pair.
        entity: probability that a wish in the window is tied to a named entity.
    """

    tokenized: Tokenized
    pairs: Array
    states: Array
    decided: Array
    entity: Array


@dataclass(frozen=True, slots=True, repr=False)
class Model:
    """Everything that was trained."""

    network: encoder.Network
    spread: Array
    heads: tuple[Head, ...]
    state: Head
    entity: Head


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
    return Model(network, arrays["spread"], heads, _group(arrays, "state"), _group(arrays, "entity"))


def output_ids(output: Output) -> list[int]:
    """The tokens of the last output that stand for it."""
    first, last = OUTPUT_TOKENS
    text = output.text
    if len(text) > 400:
        return encoder.tokens(text[:240])[:first] + encoder.tokens(text[-100:])[-last:]
    ids = encoder.tokens(text)
    return ids if len(ids) <= first + last else ids[:first] + ids[-last:]


def context(outputs: Sequence[Output], spread: Array) -> Array:
    """What the heads see of the last outputs: one row each."""
    facts = np.array([vector(output) for output in outputs], dtype=np.float32)
    said = encoder.vectors(encoder.plain(), [output_ids(output) for output in outputs]) * facts[:, :1]
    return np.hstack([said * 6, facts / spread * 0.4]).astype(np.float32)


def window_vectors(network: encoder.Network, messages: Sequence[Tokenized]) -> list[Array]:
    """The vector of each window of each message."""
    sums, counts = [], []
    for message, features in zip(messages, encoder.encode(network, [m.ids for m in messages]), strict=True):
        running = np.concatenate([np.zeros((1, features.shape[1]), np.float32), np.cumsum(features, axis=0)])
        first = np.array([window.first for window in message.windows])
        last = np.array([window.last for window in message.windows])
        sums.append(running[last] - running[first] + features[0] + features[-1])
        counts.append((last - first + 2).astype(np.float32))
    vectors = encoder.pooled(network, np.concatenate(sums), np.concatenate(counts))
    return np.split(vectors, np.cumsum([len(count) for count in counts])[:-1])


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
    return np.hstack([vectors * 8, whole * 8, signs * 2, np.repeat(signs[-1:], len(signs), axis=0) * 2]).astype(
        np.float32
    )


@dataclass(frozen=True, slots=True, repr=False)
class _Seen:
    """A message after the first stage: encoded, but without what came before it."""

    index: int
    message: Tokenized
    vectors: Array
    states: Array


def _inputs(vectors: Array, around: Array) -> Array:
    return np.hstack([vectors * 8, around]).astype(np.float32)


def _words(message: Tokenized, text: str) -> list[str]:
    return [window.span.of(text) for window in message.windows]


def _first_stage(
    trained: Model, indices: Sequence[int], messages: Sequence[Tokenized], texts: Sequence[str]
) -> list[_Seen]:
    """The messages that may hold a wish, or take one back, whatever came before them: the heads without any context."""
    vectors = window_vectors(trained.network, messages)
    every = np.concatenate(vectors)
    blank = np.zeros((len(every), len(trained.heads[0]["W"]) - every.shape[1]), np.float32)
    none = pair_probabilities(trained.heads, _inputs(every, blank), np.zeros((len(every), len(PAIRS)), np.float32))[
        :, -1
    ]
    words = [window for message, text in zip(messages, texts, strict=True) for window in _words(message, text)]
    states = small_head(trained.state, state_inputs(every, words))
    matters = (1 - np.minimum(none, states[:, 0])) > WORTH_A_CONTEXT
    ends = np.cumsum([len(each) for each in vectors])
    return [
        _Seen(i, message, each, states[end - len(each) : end])
        for i, message, each, end in zip(indices, messages, vectors, ends, strict=True)
        if matters[end - len(each) : end].any()
    ]


def _tied(trained: Model, each: _Seen, pairs: Array, text: str) -> Array:
    """Scope by window; asked only where a pair is likely enough to become a candidate."""
    if pairs[:, : len(PAIRS)].max() <= WORTH_A_SCOPE:
        return np.zeros(len(pairs), np.float32)
    return small_head(trained.entity, entity_inputs(each.vectors, _words(each.message, text)))[:, 1]


def _second_stage(
    trained: Model, seen: Sequence[_Seen], texts: Sequence[str], outputs: Sequence[Output]
) -> list[Scored]:
    counts = [len(each.vectors) for each in seen]
    around = np.repeat(context(outputs, trained.spread), counts, axis=0)
    verdict = np.array([verdict_row(output) for output in outputs], dtype=np.float32)
    decided = np.repeat(verdict, counts, axis=0)
    vectors = np.concatenate([each.vectors for each in seen])
    pairs = np.split(pair_probabilities(trained.heads, _inputs(vectors, around), decided), np.cumsum(counts)[:-1])
    return [
        Scored(each.message, found, each.states, row, _tied(trained, each, found, text))
        for each, found, text, row in zip(seen, pairs, texts, verdict, strict=True)
    ]


def score(texts: Sequence[str], outputs: Sequence[Callable[[], Output]]) -> list[Scored | None]:
    """The scores of each message after its output; None for one without words, or that cannot matter.

    Args:
        outputs: for each message, a function that gives its last output: its facts are counted only when needed.
    """
    trained = model()
    tokenized = [tokenize(text) for text in texts]
    found: list[Scored | None] = [None] * len(texts)
    worded = [i for i, message in enumerate(tokenized) if message.windows]
    for begin in range(0, len(worded), BATCH):
        batch = worded[begin : begin + BATCH]
        seen = _first_stage(trained, batch, [tokenized[i] for i in batch], [texts[i] for i in batch])
        if seen:
            said = [texts[each.index] for each in seen], [outputs[each.index]() for each in seen]
            for each, scored in zip(seen, _second_stage(trained, seen, *said), strict=True):
                found[each.index] = scored
    return found
