"""The gate before the vote: what the query itself contradicts, and what its recipient or medium makes wrong."""

from types import MappingProxyType

from habitus_classifier.contradictions import CONTRADICTIONS
from habitus_classifier.evidence import NAMES, Cause, Evidence, Terms, terms
from habitus_classifier.facets import asked
from habitus_classifier.policy import Reason
from habitus_schema.vocabulary import Dimension

D = Dimension

SURE = 0.18
"""From this chance on a contradiction closes the gate."""

_RECIPIENT: MappingProxyType[tuple[D, str], float] = MappingProxyType(
    {
        **{(D.CODE_FENCE_STYLE, value): 1.0 for value in ("triple_backtick", "quad_backtick")},
        (D.LIST_STYLE, "bullets"): 0.8,
        (D.LIST_STYLE, "numbered"): 0.8,
        (D.TABLE_USAGE, "prefer"): 0.9,
        (D.HEADING_USAGE, "use"): 1.0,
        (D.EMOJI_USAGE, "allowed"): 0.9,
        (D.SOURCE_CITATION, "include"): 0.9,
        (D.CLOSING_SUMMARY, "include"): 0.9,
    }
)
"""What a letter or post to somebody else must not carry, and how surely (settled case of the labelling rules)."""
_CRAMPED: MappingProxyType[tuple[D, str], float] = MappingProxyType(
    {
        (D.RESPONSE_DENSITY, "detailed_explanatory"): 0.9,
        (D.VERBOSITY_CEILING_TOKENS, "600"): 0.9,
        (D.VERBOSITY_CEILING_TOKENS, "1200"): 0.9,
    }
)
"""What a medium with room for a line or two (a slide, a text message, a poster) makes wrong."""
_MOOT: MappingProxyType[tuple[D, str], dict[str, float]] = MappingProxyType(
    {
        (D.TEST_POLICY, "on_request"): {"tests": 1.0},
        (D.VERIFICATION_FOOTER, "none"): {"verify": 0.8, "run": 0.7},
    }
)
"""What a pair holds back until it is asked for, when the query asks for it (settled case)."""

_ABOUT: MappingProxyType[D, str] = MappingProxyType(
    {D.EMOJI_USAGE: "emoji", D.CODE_FENCE_STYLE: "fence", D.SOURCE_CITATION: "sources"}
)
"""What a letter may well be asked to have: 'make the invitation friendlier'."""
_LETTER, _MEDIUM = NAMES["letter"], NAMES["medium"]


class _Watch:
    """What closes the gate for one pair, by position in the vector of facets."""

    __slots__ = ("cramped", "held", "own", "rivals", "wrong")

    def __init__(self, dimension: D, value: str) -> None:
        key = (dimension, value)
        own = NAMES[asked(dimension, value)]
        self.held = Cause(_MOOT[key]) if key in _MOOT else None
        self.rivals: Terms = terms(CONTRADICTIONS[key])
        self.own = (own, NAMES[_ABOUT[dimension]]) if dimension in _ABOUT else (own,)
        self.wrong = _RECIPIENT.get(key, 0.0)
        self.cramped = max(self.wrong, _CRAMPED.get(key, 0.0))


_WATCHES = {(dimension, value): _Watch(dimension, value) for dimension, value in CONTRADICTIONS}


def closed_by(evidence: Evidence, dimension: D, value: str) -> Reason | None:
    """Why the pair is ignored before any vote, or None when the vote decides.

    What the query asks for outright is never stopped by its recipient: 'add emoji to this invitation'.
    """
    watch, vector = _WATCHES[dimension, value], evidence.vector
    if watch.held and evidence.of(watch.held) >= SURE:
        return Reason.MOOT
    rival = max([weight * vector[index] for index, weight in watch.rivals])
    if rival >= SURE and rival > vector[watch.own[0]]:
        return Reason.CONTRADICTED
    goes_out = watch.cramped and max(watch.wrong * vector[_LETTER], watch.cramped * vector[_MEDIUM]) >= SURE
    if goes_out and max([vector[index] for index in watch.own]) < SURE:
        return Reason.MEDIUM if vector[_MEDIUM] >= SURE else Reason.RECIPIENT
    return None
