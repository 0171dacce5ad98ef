"""One message read: what it asks for, and whether it holds a wish back."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from habitus_schema.models import Scope, Signal
from habitus_schema.pairs import Pair
from habitus_schema.transcript import TurnKind
from habitus_schema.vocabulary import Dimension, VerbosityCeilingTokens
from habitus_tasks.extract.caps import ceiling
from habitus_tasks.extract.classifier import Scored
from habitus_tasks.extract.cues import Cue, has
from habitus_tasks.extract.encoder_file import Array
from habitus_tasks.extract.evidence import Evidence
from habitus_tasks.extract.heads import PAIRS
from habitus_tasks.extract.last_output import VIOLATED
from habitus_tasks.extract.names import entity_name
from habitus_tasks.extract.own import Own

BELIEVABLE, UNSUPPORTED = 0.5, 0.85
"""Probability from which a pair is evidence: when the last output violates it (`last_output`), and when no output
speaks for it. Set for precision; docs/extraction.md has the curve."""
TOPIC = 0.3
"""Probability from which a message speaks about a dimension at all."""
LEANING = 0.3
"""Probability from which a later message casts doubt on an earlier rival: a pair missed in one session comes back,
a pair that the person took back is a wrong profile."""
HELD, HELD_WITH_CUE = 0.3, 0.1
"""Probability from which a message is a one-off, a withdrawal or left open: alone, and with a cue word. Low, since a
wish held back by mistake comes back in another session, and a false one does not go away."""
TIED = 0.5
"""Probability from which a wish is tied to a named entity."""
DIMENSIONS = tuple(Dimension)
_CEILINGS, _DENSITIES = (
    [i for i, pair in enumerate(PAIRS) if pair.dimension is dimension]
    for dimension in (Dimension.VERBOSITY_CEILING_TOKENS, Dimension.RESPONSE_DENSITY)
)


class State(IntEnum):
    """What the state head tells apart, in its order."""

    PLAIN = 0
    ONE_OFF = 1
    WITHDRAWN = 2
    UNDECIDED = 3


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """What one message says: evidence by pair, the dimensions it speaks about, and the state of each.

    `leanings`: pairs it may well ask for, surely enough to cast doubt on an earlier rival and not to be evidence.
    """

    own: Own
    evidence: tuple[Evidence, ...]
    topics: frozenset[Dimension]
    held: tuple[tuple[Dimension, State], ...]
    withdraws: bool
    undecided: bool
    leanings: frozenset[Pair] = frozenset()


def _sentence(scored: Scored, place: int, text: str) -> str:
    return scored.tokenized.sentences[place].of(text)


def holds(scored: Scored, state: State, text: str) -> bool:
    """Whether a message is in a state, by the state head and, for less, by a cue word as well."""
    strongest = float(scored.states[state])
    return strongest > HELD or (strongest > HELD_WITH_CUE and has(Cue(state.name.lower()), text))


def _state(scored: Scored, pair: int, text: str) -> State:
    """The state that holds a wish back: said in its own sentence or in the next, or by a cue word beside it."""
    place = int(scored.place[pair])
    words = _sentence(scored, place, text)
    for state in (State.UNDECIDED, State.ONE_OFF):
        if holds(scored, state, words) and 0 <= int(scored.state_place[state]) - place <= 1:
            return state
    return State.ONE_OFF if has(Cue.ONE_OFF, words) and not has(Cue.HABIT, words) else State.PLAIN


def _signal(own: Own, words: str) -> Signal:
    standing = own.turn.kind is TurnKind.MEMORY or not own.before or has(Cue.HABIT, words)
    return Signal.STANDING if standing else Signal.CORRECTION


def _evidence(own: Own, scored: Scored, pair: int, weight: float) -> Evidence:
    text = own.turn.prose
    words = _sentence(scored, int(scored.place[pair]), text)
    tied = bool(scored.tied[pair] > TIED)
    return Evidence(
        PAIRS[pair],
        own.index,
        weight,
        _signal(own, words),
        Scope.ENTITY if tied else Scope.GENERAL,
        entity_name(words) or entity_name(text) if tied else "",
        "classifier",
    )


def _with_caps(scored: Scored, text: str) -> Array:
    """The pairs' probabilities. A numeric cap that is written takes those of all ceilings, and brevity's beside it go.

    'A numeric cap alone gives `verbosity_ceiling_tokens`; "short" alone gives `response_density`' (labelling.md).
    """
    pairs = scored.pairs.copy()
    likely = max(_CEILINGS, key=lambda pair: float(pairs[pair]))
    words = _sentence(scored, int(scored.place[likely]), text)
    cap = ceiling(words) if pairs[_CEILINGS].sum() > TOPIC else None
    if cap:
        total = min(1.0, float(pairs[_CEILINGS].sum()))
        beside = [pair for pair in _DENSITIES if scored.place[pair] == scored.place[likely]]
        pairs[[*_CEILINGS, *beside]] = 0
        pairs[_CEILINGS[list(VerbosityCeilingTokens).index(cap)]] = total
    return pairs


def _found(pairs: Array, threshold: Array | float) -> Sequence[int]:
    return [int(pair) for pair in np.flatnonzero(pairs > threshold)]


def read(own: Own, scored: Scored) -> Reading:
    """What the person's message says, from its scores."""
    text = own.turn.prose
    pairs = _with_caps(scored, text)
    threshold = np.where(scored.decided == VIOLATED, BELIEVABLE, UNSUPPORTED).astype(np.float32)
    found: list[Evidence] = []
    held: list[tuple[Dimension, State]] = []
    for pair in _found(pairs, threshold):
        state = _state(scored, pair, text)
        if state is State.PLAIN:
            found.append(_evidence(own, scored, pair, float(pairs[pair])))
        else:
            held.append((PAIRS[pair].dimension, state))
    topics = frozenset(DIMENSIONS[d] for d in np.flatnonzero(scored.topics > TOPIC))
    heard = {item.pair.dimension for item in found} | {dimension for dimension, _ in held}
    for each in (State.UNDECIDED, State.ONE_OFF):
        if holds(scored, each, text):
            held += [(dimension, each) for dimension in sorted(topics - heard)]
            heard |= topics
    back, open_ = (holds(scored, state, text) for state in (State.WITHDRAWN, State.UNDECIDED))
    leanings = frozenset(PAIRS[pair] for pair in _found(pairs, LEANING))
    return Reading(own, tuple(found), topics, tuple(held), back, open_, leanings)
