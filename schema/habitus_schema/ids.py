"""Keyed ids: who and what, told apart without being told (invariant 3).

An id is ``<key id>-<32 hex digits>``: keyed BLAKE2b (RFC 7693) over the kind and its parts, so that a stolen table
cannot be probed with guessed names, and an id of one kind or tenant never equals one of another.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from pydantic import StringConstraints

from habitus_schema.errors import UsageError

ID_PATTERN = r"^[a-z0-9]{1,8}-[0-9a-f]{32}$"
KeyedId = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
"""A keyed id as stored and shown."""


class Kind(StrEnum):
    """What an id stands for; part of what is hashed."""

    TENANT = "tenant"
    SUBJECT = "subject"
    SESSION = "session"
    CONTEXT = "context"
    ENTITY = "entity"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class IdKey:
    """A secret of 32 bytes with the short name that its ids carry.

    Raises:
        UsageError: when the secret or the name is not of that form.
    """

    key_id: str
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) != 32 or not re.fullmatch(r"[a-z0-9]{1,8}", self.key_id):
            raise UsageError("an id key is 32 bytes, named by 1 to 8 lower-case letters or digits")

    @classmethod
    def generate(cls, key_id: str = "k1") -> "IdKey":
        """A new random key."""
        return cls(key_id, secrets.token_bytes(32))

    def keyed(self, kind: Kind, *parts: str) -> str:
        """The keyed id of ``parts`` (at least one, any text; a lone surrogate is taken as it is)."""
        digest = hashlib.blake2b(key=self.secret, digest_size=16, person=kind.value.encode())
        for part in parts:
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big") + data)
        return f"{self.key_id}-{digest.hexdigest()}"
