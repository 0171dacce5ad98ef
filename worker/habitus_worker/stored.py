"""A person's stored pairs, by their plain names: keyed here, read by the classifier's own reader."""

from collections.abc import Callable
from typing import TypeVar

from habitus_schema.ids import KeyChain, Kind

Found = TypeVar("Found")


def stored(read: Callable[[str, str], tuple[Found, ...]], keys: KeyChain, tenant: str, user: str) -> tuple[Found, ...]:
    """The pairs of a person's profile that hold; empty when there are none or the database is in trouble.

    Args:
        read: `Reader.pairs` or `Reader.settled`.

    Raises:
        UsageError: when the keys cannot make ids.
    """
    ids = keys.forms(keys.keyed(Kind.TENANT, tenant)), keys.forms(keys.keyed(Kind.SUBJECT, tenant, user))
    # While keys are rotated, the profile lies under the older or the newer id: the reader asks for both.
    found = (read(*each) for each in reversed(list(zip(*ids, strict=True))))
    return next(filter(None, found), ())
