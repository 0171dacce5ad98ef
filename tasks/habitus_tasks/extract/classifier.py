"""The embedded classifier: what a message asks for, how long it holds, and for whom.

Most messages cannot matter. Gates before the encoder's first layer and after some others drop them (early exit,
Schwartz et al. 2020); the rest goes through all layers and the heads (`heads`), which also see structural facts of the
last output and their verdicts (`last_output`).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np

from habitus_tasks.extract import encoder, heads
from habitus_tasks.extract.encoder import Bounds
from habitus_tasks.extract.encoder_file import Array
from habitus_tasks.extract.encoder_graph import Layers
from habitus_tasks.extract.heads import NONE, PAIRS, Head, Judged
from habitus_tasks.extract.last_output import verdicts
from habitus_tasks.extract.output import Output, vector
from habitus_tasks.extract.segments import Segment, Tokenized, tokenize

WEIGHTS = Path(__file__).with_name("weights") / "heads.npz"
BATCH = 24
"""Segments that go through a layer together: enough for full matrices, few enough for the memory of a small worker."""
LENGTHS = (24, 56)
"""Tokens: segments between two of these go through a layer together, since attention works on one length."""
GATES = (0, 1, 2, 3)
"""After how many layers the gates stand."""
MATTERS = (0.7, 0.7, 0.7, 0.7)
"""Probability of any wish or withdrawal, by each gate, under which a segment goes no further."""


@dataclass(frozen=True, slots=True, repr=False)
class Scored:
    """One message as the heads see it.

    Attributes:
        tokenized: its sentences and segments.
        pairs: probability of each pair, in the catalog's order; the most of any segment.
        place: for each pair, the sentence that says so.
        states: probability of each `State` but the first, which is what is left; the most of any segment.
        state_place: for each state, the sentence that says so.
        topics: probability that each dimension is spoken of.
        tied: probability that a wish for each pair is tied to a named entity.
        decided: the last output's verdict on each pair.
    """

    tokenized: Tokenized
    pairs: Array
    place: np.ndarray
    states: Array
    state_place: np.ndarray
    topics: Array
    tied: Array
    decided: Array


@dataclass(frozen=True, slots=True, repr=False)
class Model:
    """Everything that was trained.

    Attributes:
        stages: the layers, split where the gates stand: each gate has a run of layers behind it.
        spread: how much each fact of an output varies.
        gates: the gates, in order.
        head: the heads after the last layer.
    """

    stages: tuple[Layers, ...]
    spread: Array
    gates: tuple[Head, ...]
    head: Head


def verdict_row(output: Output) -> list[int]:
    """The last output's verdict on each pair, in the catalog's order."""
    decided = verdicts(output)
    return [decided.get(pair, 0) for pair in PAIRS]


def facts_row(output: Output, spread: Array) -> Array:
    """The facts of an output as the heads see them."""
    return np.asarray(np.array(vector(output), dtype=np.float32) / spread * np.float32(0.4), dtype=np.float32)


@cache
def model() -> Model:
    """The trained model, loaded once a process."""
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        arrays = {name: stored[name].astype(np.float32) for name in stored.files}
    groups = {
        kind: {name.split(".", 1)[1]: arrays[name] for name in names}
        for kind, names in groupby(sorted(name for name in arrays if "." in name), lambda name: name.split(".", 1)[0])
    }
    factors = {name: (left, groups["right"][name]) for name, left in groups["left"].items()}
    layers = encoder.network(int(arrays["layers"]), factors)
    stages = tuple(Layers.of(layers[begin:end]) for begin, end in pairwise([*GATES, len(layers)]))
    return Model(stages, arrays["spread"], tuple(groups[f"gate{depth}"] for depth in GATES), groups["head"])


def _merged(message: Tokenized, judged: Sequence[tuple[Segment, Judged]], decided: Array) -> Scored:
    """The most of any segment, and where it was said."""

    def place(segment: Segment, token: int) -> int:
        return segment.sentence[min(max(token - 1, 0), len(segment.sentence) - 1)]

    def best(scores: Array, label: int) -> tuple[np.ndarray, np.ndarray]:
        found = scores.argmax(axis=0)
        places = [place(judged[s][0], int(judged[s][1].token[label + i])) for i, s in enumerate(found)]
        return found, np.array(places)

    pairs, states, tied = (
        np.stack([getattr(each, name) for _, each in judged]) for name in ("pairs", "states", "tied")
    )
    topics = np.stack([each.topics for _, each in judged])
    segment, places = best(pairs, 0)
    _, state_places = best(states, heads.STATES.start)
    return Scored(
        message,
        pairs.max(axis=0),
        places,
        states.max(axis=0),
        state_places,
        topics.max(axis=0),
        tied[segment, np.arange(NONE)],
        decided,
    )


@dataclass(frozen=True, slots=True, repr=False)
class _Read:
    """Segments on their way through the layers: each with its message's index, and the states of all their tokens."""

    found: Sequence[tuple[int, Segment]]
    states: Array
    bounds: Bounds

    def through(self, layers: Layers) -> "_Read":
        """The same after some layers."""
        return _Read(self.found, layers.forward(self.states, self.bounds), self.bounds)

    def kept(self, gate: Head, least: float) -> "_Read":
        """Those that may matter."""
        own = np.flatnonzero(heads.gate(gate, self.states, self.bounds) > least).tolist()
        if len(own) == len(self.bounds):
            return self
        ends = np.cumsum([0, *(self.bounds[i][1] - self.bounds[i][0] for i in own)]).tolist()
        rows = [self.states[slice(*self.bounds[i])] for i in own] or [self.states[:0]]
        bounds = list(pairwise(ends))
        return _Read([self.found[i] for i in own], np.concatenate(rows), bounds)


def _batch(
    trained: Model, batch: Sequence[tuple[int, Segment]], outputs: Sequence[Callable[[], Output]]
) -> list[tuple[int, Segment, Judged, Array]]:
    """The segments of a batch that matter, judged: message, segment, what the heads say, the output's verdicts."""
    read = _Read(batch, *encoder.embedded([segment.ids for _, segment in batch]))
    for gate, least, layers in zip(trained.gates, MATTERS, trained.stages, strict=True):
        read = read.kept(gate, least)
        if not read.found:
            return []
        read = read.through(layers)
    judged = []
    for (index, segment), (begin, end) in zip(read.found, read.bounds, strict=True):
        output = outputs[index]()
        decided = np.array(verdict_row(output), dtype=np.float32)
        seen = heads.judge(trained.head, read.states[begin:end], facts_row(output, trained.spread), decided)
        judged.append((index, segment, seen, decided))
    return judged


def batches(waiting: Sequence[tuple[int, Segment]]) -> Iterator[Sequence[tuple[int, Segment]]]:
    """The segments in groups of about one length; those of one length stay in order."""
    by_length = sorted(waiting, key=lambda item: len(item[1].ids))
    for _, group in groupby(by_length, lambda item: bisect_left(LENGTHS, len(item[1].ids))):
        alike = list(group)
        yield from (alike[begin : begin + BATCH] for begin in range(0, len(alike), BATCH))


def score(texts: Sequence[str], outputs: Sequence[Callable[[], Output]]) -> list[Scored | None]:
    """The scores of each message after its output; None for one without words, or that cannot matter.

    Args:
        outputs: for each message, a function that gives its last output: its facts are counted only when needed.
    """
    trained = model()
    messages = [tokenize(text) for text in texts]
    waiting = [(i, segment) for i, message in enumerate(messages) for segment in message.segments]
    judged = [item for batch in batches(waiting) for item in _batch(trained, batch, outputs)]
    judged.sort(key=lambda item: item[0])
    found: list[Scored | None] = [None] * len(texts)
    for index, group in groupby(judged, lambda item: item[0]):
        parts = list(group)
        found[index] = _merged(messages[index], [(segment, seen) for _, segment, seen, _ in parts], parts[0][3])
    return found
