"""The heads on the encoder's states: what a segment of a message asks for, how long it holds, for whom.

Every label looks at the tokens with an attention of its own (Mullenbach et al. 2018), so that several wishes in one
message do not blur each other. Labels: each pair, none, each state, each dimension as a topic. Weights come from
`training/extraction`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from habitus_schema.catalog import all_pairs
from habitus_schema.vocabulary import Dimension
from habitus_tasks.extract.encoder import Bounds, gelu
from habitus_tasks.extract.encoder_file import Array

PAIRS = all_pairs()
DIMENSION_OF = np.array([list(Dimension).index(pair.dimension) for pair in PAIRS])
"""For each pair of the catalog, in its order, the position of its dimension."""
SAME = (DIMENSION_OF[:, None] == DIMENSION_OF[None, :]).astype(np.float32)
"""Which pairs are of one dimension."""
NONE = len(PAIRS)
STATES = slice(NONE + 1, NONE + 5)
TOPICS = slice(NONE + 5, NONE + 5 + len(Dimension))
LABELS = TOPICS.stop

Head = Mapping[str, Array]


@dataclass(frozen=True, slots=True, repr=False)
class Judged:
    """One segment as the heads see it.

    Attributes:
        pairs: probability of each pair, against none and its rivals of the same dimension.
        states: probability of each state.
        topics: probability that each dimension is spoken of.
        tied: probability that a wish for each pair would be tied to a named entity.
        token: for each label, the token it looks at most (sentence marks counted).
    """

    pairs: Array
    states: Array
    topics: Array
    tied: Array
    token: Array


def softmax(logits: Array, axis: int) -> Array:
    """The usual one."""
    weights = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return np.asarray(weights / weights.sum(axis=axis, keepdims=True), dtype=np.float32)


def sigmoid(logits: Array) -> Array:
    """The logistic function."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), dtype=np.float32)


def against_rivals(logits: Array) -> Array:
    """Probability of each pair: its share among itself, none, and the other values of its dimension."""
    weights = np.exp(logits[: NONE + 1] - logits[: NONE + 1].max())
    return np.asarray(weights[:NONE] / (SAME @ weights[:NONE] + weights[NONE]), dtype=np.float32)


def gate(head: Head, states: Array, bounds: Bounds) -> Array:
    """Probability that each text asks for something or takes it back, from its tokens' states before the last layer.

    A cheap look: the mean and the largest of each number, one hidden layer. `bounds` are the rows of each text, which
    follow one another.
    """
    begins = [begin for begin, _ in bounds]
    sizes = np.array([[end - begin] for begin, end in bounds], dtype=np.float32)
    mean = np.add.reduceat(states, begins) / sizes
    pooled = np.concatenate([mean, np.maximum.reduceat(states, begins)], axis=1)
    return sigmoid(gelu(pooled @ head["W"] + head["b"]) @ head["v"] + head["c"])[:, 0]


def judge(head: Head, states: Array, facts: Array, decided: Array) -> Judged:
    """The heads on one segment.

    Args:
        states: its tokens' states (tokens x width), sentence marks included.
        facts: structural facts of the last output, scaled.
        decided: the last output's verdict on each pair. It moves its pair by a learned step.
    """
    attention = softmax(states @ head["U"], 0)
    seen = attention.T @ states
    mean = states.mean(axis=0)
    hidden = gelu(np.concatenate([mean, facts]) @ head["G"] + head["g"])
    logits = np.einsum("lw,wl->l", seen, head["W"]) + head["c"]
    logits[: NONE + 1] += hidden @ head["V"]
    believable = (head["ap"][DIMENSION_OF] + hidden @ head["gp"]) * np.maximum(decided, 0)
    logits[:NONE] += believable + (head["an"][DIMENSION_OF] + hidden @ head["gn"]) * np.maximum(-decided, 0)
    tied = gelu(seen[:NONE] @ head["S"] + mean @ head["M"] + head["sb"]) @ head["s"] + head["sc"]
    return Judged(
        against_rivals(logits),
        softmax(logits[STATES], 0),
        sigmoid(logits[TOPICS]),
        sigmoid(tied),
        attention.argmax(axis=0),
    )
