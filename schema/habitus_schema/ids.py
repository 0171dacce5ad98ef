"""Keyed ids: who and what, told apart without being told (invariant 3).

An id is ``<key id>-<32 hex digits>``: keyed BLAKE2b (RFC 7693) over the kind and its parts, so that a stolen table
cannot be probed with guessed names, and an id of one kind or tenant never equals one of another.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from habitus_schema.errors import UsageError

ID_PATTERN = r"^[a-z0-9]{1,8}-[0-9a-f]{32}$"
"""What a keyed id looks like, as stored and shown. `habitus_schema.models.KeyedId` is the type."""


class Kind(StrEnum):
    """What an id stands for; part of what is hashed."""

    TENANT = "tenant"
    SUBJECT = "subject"
    SESSION = "session"
    CONTEXT = "context"
    ENTITY = "entity"
    MESSAGE = "message"


_PERSONS = {kind: kind.value.encode() for kind in Kind}


class IdKeys(Protocol):
    """What makes the ids of a deployment: one key, or a chain of them after a rotation."""

    @property
    def first(self) -> "IdKey":
        """The key that every id begins with. What is made into a further id is made with this one alone."""

    @property
    def secret(self) -> bytes:
        """The newest secret, for what is keyed and is no id."""

    def keyed(self, kind: Kind, *parts: str) -> str:
        """The keyed id of ``parts``, as it is handed on."""

    def outgoing(self, id_: str) -> str:
        """An id that `first` made, as it is handed on."""


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
        data = [part.encode("utf-8", "surrogatepass") for part in parts]
        framed = b"".join([len(each).to_bytes(8, "big") + each for each in data])
        digest = hashlib.blake2b(framed, key=self.secret, digest_size=16, person=_PERSONS[kind])
        return f"{self.key_id}-{digest.hexdigest()}"

    def wrap(self, id_: str) -> str:
        """The id that this key makes of one of an older key. It needs no plain name, so stored ids can be re-keyed."""
        digest = hashlib.blake2b(id_.encode(), key=self.secret, digest_size=16, person=b"wrap")
        return f"{self.key_id}-{digest.hexdigest()}"

    @property
    def first(self) -> "IdKey":
        """See `IdKeys.first`."""
        return self

    def outgoing(self, id_: str) -> str:
        """See `IdKeys.outgoing`."""
        return id_


@dataclass(frozen=True, slots=True)
class KeyChain:
    """The id keys of a deployment, the oldest first. An id is made with the first and wrapped by each later one.

    Attributes:
        first_id: the first key's name.
        first_key: the first key; None where ids are only wrapped and names are never seen (the record zone).
        wraps: the later keys.
        settled: how many of them every stored id is known to be wrapped by. Ids are handed on wrapped by these, so that
            whoever holds the chain can make of them each form in which they may be stored.
    """

    first_id: str
    first_key: IdKey | None = field(repr=False)
    wraps: tuple[IdKey, ...] = field(default=(), repr=False)
    settled: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The keys' names, the oldest first."""
        return self.first_id, *(key.key_id for key in self.wraps)

    @property
    def newest(self) -> str:
        """The name of the key that every id is to be wrapped by."""
        return self.names[-1]

    @property
    def first(self) -> IdKey:
        """See `IdKeys.first`.

        Raises:
            UsageError: when the chain only wraps.
        """
        if self.first_key is None:
            raise UsageError("this key file can wrap ids and not make them: name the full one with HABITUS_KEY_FILE")
        return self.first_key

    @property
    def secret(self) -> bytes:
        """See `IdKeys.secret`."""
        return self.wraps[-1].secret if self.wraps else self.first.secret

    def keyed(self, kind: Kind, *parts: str) -> str:
        """See `IdKeys.keyed`."""
        return self.outgoing(self.first.keyed(kind, *parts))

    def outgoing(self, id_: str) -> str:
        """See `IdKeys.outgoing`."""
        return self._wrapped(id_, self.settled)

    def lift(self, id_: str) -> str:
        """The id as it is to be stored: wrapped by every key it is not yet wrapped by.

        Raises:
            UsageError: when its key is not in the chain.
        """
        return self._wrapped(id_, len(self.wraps))

    def forms(self, id_: str) -> tuple[str, ...]:
        """The id as it is given and as each later key makes it; the last is the one to store. Raises as `lift` does."""
        return tuple(self._wrapped(id_, count) for count in range(self._level(id_), len(self.wraps) + 1))

    def _wrapped(self, id_: str, count: int) -> str:
        level = self._level(id_)
        for key in self.wraps[level:count] if self.wraps else ():
            id_ = key.wrap(id_)
        return id_

    def _level(self, id_: str) -> int:
        try:
            return self.names.index(id_.partition("-")[0])
        except ValueError:
            raise UsageError("an id of a key that is not in the key file: copy the newest key file here") from None
