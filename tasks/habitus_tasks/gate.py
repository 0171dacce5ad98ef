"""The gate: whatever is not a closed pair, or brings a note with anything private in it, goes no further.

First the closed schema, then the note, then K. A refusal is a value that names a code and a detector; it never holds,
logs, hashes or measures what was refused. `habitus_tasks.privacy` is the raising entrance over the same `judge`.
"""

from dataclasses import dataclass
from enum import StrEnum

from habitus_schema.catalog import all_pairs
from habitus_schema.codes import Code
from habitus_schema.errors import UsageError
from habitus_schema.models import Candidate, Rejection, Scope, Signal
from habitus_schema.pairs import Pair
from habitus_schema.transcript import Transcript
from habitus_schema.vocabulary import VALUES, Dimension
from habitus_tasks.barriers import refusal

MIN_K = 2
"""The fewest distinct contexts that K may ask for (invariant 5)."""
MAX_CONTEXTS = 1_000_000
"""More contexts than a person can have: a count above it is not a count."""
MAX_NOTE = 500
"""The longest note that is read, in code points (contract of the LLM extractor and of outside callers)."""

_PAIRS = {(pair.dimension.value, pair.value): pair for pair in all_pairs()}
_DIMENSIONS = frozenset(dimension.value for dimension in Dimension)
_ENUMS = frozenset((Dimension, *VALUES.values()))


class Decision(StrEnum):
    """What the gate says of a candidate."""

    ACCEPTED = "accepted"
    """A closed pair, a clean note, K contexts."""
    DEFERRED = "deferred"
    """A closed pair and a clean note, but not yet K contexts: not a violation."""
    REJECTED = "rejected"
    """Not a closed pair, or a note with something private in it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate made of one candidate: closed words only.

    Attributes:
        code: why it was rejected or deferred; None when accepted.
        detector: the name of what refused it (see `habitus_tasks.barriers.DETECTORS`); None unless rejected.
        pair: the preference, whenever the schema knows it; None when the schema is what refused it.
    """

    verdict: Decision
    code: Code | None = None
    detector: str | None = None
    pair: Pair | None = None


def judge(dimension: object, value: object, contexts: object, note: object, *, k: int = MIN_K) -> Verdict:
    """Judge one candidate from outside; takes anything and never raises over it.

    Args:
        dimension, value: must equal a pair of the catalog, character for character.
        contexts: in how many distinct task contexts it was seen, an integer from 0 to `MAX_CONTEXTS`.
        note: why, in at most `MAX_NOTE` characters of the published vocabulary, or None. Read, then dropped.
        k: the number of contexts from which a pair is accepted.

    Raises:
        UsageError: when `k` is not an integer of at least `MIN_K`.
    """
    check_k(k)
    pair = _PAIRS.get((_plain(dimension), _plain(value)))
    if pair is None:
        return _rejected(_schema_code(_plain(dimension)), "schema")
    if type(contexts) is not int or not 0 <= contexts <= MAX_CONTEXTS:
        return _rejected(Code.FREE_TEXT, "count", pair)
    refused = _note_refusal(note)
    if refused is not None:
        return _rejected(*refused, pair)
    if contexts < k:
        return Verdict(Decision.DEFERRED, Code.BELOW_RECURRENCE, None, pair)
    return Verdict(Decision.ACCEPTED, None, None, pair)


def admit(candidate: Candidate, transcript: Transcript | None = None) -> Rejection | None:
    """Judge a candidate of the embedded extractor, which brings no prose; None means that it may go on.

    The pair is validated anew, because a model can be built around its validators. The transcript is not read: it is
    in the signature because the pipeline hands it to whichever gate it is given.
    """
    dimension = getattr(candidate.pair, "dimension", None)
    refused = off_catalog(dimension, getattr(candidate.pair, "value", None))
    if refused is not None:
        return refused
    if type(candidate.signal) is not Signal or type(candidate.scope) is not Scope:
        return Rejection(code=Code.FREE_TEXT, dimension=Dimension(_plain(dimension)), detector="schema")
    return None


def off_catalog(dimension: object, value: object) -> Rejection | None:
    """Why these two are no pair of the catalog; None when they are one. Takes anything and never raises over it."""
    name = _plain(dimension)
    if (name, _plain(value)) in _PAIRS:
        return None
    known = Dimension(name) if name in _DIMENSIONS else None
    return Rejection(code=_schema_code(name), dimension=known, detector="schema")


def check_k(k: int) -> None:
    """Refuse a K that would let one context make a preference.

    Raises:
        UsageError: when `k` is not an integer of at least `MIN_K`.
    """
    if type(k) is not int or k < MIN_K:
        raise UsageError("K, the contexts that a preference needs, is an integer of at least 2")


def _plain(word: object) -> str:
    """The text itself; "" for what is neither text nor a member of our enums: a subclass may lie about equality."""
    if type(word) is str:
        return word
    return str.__str__(word) if type(word) in _ENUMS else ""


def _schema_code(dimension: str) -> Code:
    return Code.UNKNOWN_VALUE if dimension in _DIMENSIONS else Code.UNKNOWN_DIMENSION


def _note_refusal(note: object) -> tuple[Code, str] | None:
    if note is None:
        return None
    if type(note) is not str or len(note) > MAX_NOTE:
        return Code.FREE_TEXT, "note_form"
    return refusal(note)


def _rejected(code: Code, detector: str, pair: Pair | None = None) -> Verdict:
    return Verdict(Decision.REJECTED, code, detector, pair)
