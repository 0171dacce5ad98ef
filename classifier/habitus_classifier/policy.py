"""The three policies, and why a pair got the one it has."""

from enum import Enum, StrEnum


class Policy(Enum):
    """What to do with one stored preference for one query."""

    IGNORE = "A"
    """The answer has no place for it, or the query asks for something else."""
    SUPPORT = "B"
    """It shapes the form of the answer; the query is not about it."""
    PREFERENCE_DRIVEN = "C"
    """The query asks for the very thing it governs: the answer is built around it."""

    @property
    def word(self) -> str:
        """``ignore``, ``support`` or ``drive``, as the command line and the files spell it."""
        return WORDS[self]


WORDS = {Policy.IGNORE: "ignore", Policy.SUPPORT: "support", Policy.PREFERENCE_DRIVEN: "drive"}
"""From the most conservative policy to the least."""


class Module(StrEnum):
    """The three independent judges. Each sees less than all (design.md, query time)."""

    MLE = "mle"
    """What would a typical asker of this query want? Sees the query and the dimension's group."""
    CPE_RECALL = "cpe_recall"
    """Does this query bring this dimension to mind? Sees the query and the dimension."""
    CPE_INTENT = "cpe_intent"
    """Does the query's intent agree with the pair or leave it open? Sees the query, the pair, the recipient."""


class Reason(StrEnum):
    """Why a pair has its policy. Closed."""

    VOTE = "vote"
    """The modules voted."""
    CONTRADICTED = "contradicted"
    """The query itself asks for something else."""
    RECIPIENT = "recipient"
    """The answer goes to another person, for whom the pair is wrong."""
    MEDIUM = "medium"
    """The answer goes into a medium (slide, text message, speech) that cannot show it."""
    MOOT = "moot"
    """The pair has nothing to act on: what it holds back is what the query asks for."""
    FILTERED = "filtered"
    """A backend with a price was not asked: others of the profile fit the query better."""
    TOO_FEW_MODULES = "too_few_modules"
    """Fewer than two modules answered."""


GATED = frozenset({Reason.CONTRADICTED, Reason.RECIPIENT, Reason.MEDIUM, Reason.MOOT})
"""Decided before the vote, because a vote of three cannot veto."""
