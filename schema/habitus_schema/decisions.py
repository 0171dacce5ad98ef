"""The closed words of the decision log. The classifier has the same ones; a test compares the two."""

from enum import StrEnum


class PolicyWord(StrEnum):
    """What to do with a pair for a query. Stored values are never renamed."""

    IGNORE = "ignore"
    SUPPORT = "support"
    DRIVE = "drive"


class DecisionReason(StrEnum):
    """Why. Stored values are never renamed."""

    VOTE = "vote"
    CONTRADICTED = "contradicted"
    RECIPIENT = "recipient"
    MEDIUM = "medium"
    MOOT = "moot"
    FILTERED = "filtered"
    TOO_FEW_MODULES = "too_few_modules"
