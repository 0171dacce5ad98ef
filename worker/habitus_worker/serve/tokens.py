"""Tokens by which tenants reach `habitus serve`: shown once when they are made, kept as keyed hashes.

A token is ``hbt.<tenant's name, base64url>.<256 random bits, base64url>``. The file of the tokens holds neither the
name nor the token: a keyed BLAKE2b (RFC 7693) of the whole token under the deployment's first id key, which a rotation
never replaces, and the tenant's keyed id. So the file alone tells nobody who the tenants are, and a token cannot be
tried against it without the key file; being random, it needs no slow hash besides. It travels as the key file does.
"""

import base64
import binascii
import fcntl
import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from habitus_schema.errors import UsageError
from habitus_schema.ids import IdKey, Kind
from habitus_worker.days import today
from habitus_worker.keys import write_private

PREFIX = "hbt"
SECRET_BYTES = 32
MAX_TOKEN = 1024
"""Characters: a longer text is no token of ours and is not looked at."""


class Role(StrEnum):
    """What a token opens."""

    TENANT = "tenant"
    """What belongs to its tenant, and nothing else."""
    OPERATOR = "operator"
    """Also the figures of the whole deployment: the identity, the queue, the log and dead letters of all tenants."""


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of a token.

    Attributes:
        id: a random name, by which one of several can be revoked.
        tenant: the tenant's keyed id, made with the first id key.
        digest: the keyed hash of the whole token.
        day: the day it was made on.
    """

    id: str
    tenant: str
    role: Role
    digest: str
    day: str


@dataclass(frozen=True, slots=True)
class Access:
    """Who is asking: the holder of a token that is in the file.

    Attributes:
        tenant: the tenant's name, needed to make its people's ids; content-free answers never hold it.
        token_id: which token it was.
    """

    tenant: str = field(repr=False)
    role: Role
    token_id: str

    @property
    def is_operator(self) -> bool:
        """Whether the figures of the whole deployment are theirs to see."""
        return self.role is Role.OPERATOR


class TokenFile:
    """The tokens of a deployment, read anew when the file changes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int, int] | None = None
        self._tokens: dict[str, Token] = {}

    def access(self, token: str, key: IdKey) -> Access | None:
        """Who holds `token`; None when it is not one of ours, or was revoked."""
        tenant = _tenant_in(token)
        if tenant is None:
            return None
        found = self._current().get(digest_of(token, key))
        return Access(tenant, found.role, found.id) if found else None

    def _current(self) -> dict[str, Token]:
        try:
            found = self._path.stat()
        except OSError:
            self._seen, self._tokens = None, {}
            return self._tokens
        stamp = found.st_mtime_ns, found.st_ino, found.st_size
        if stamp != self._seen:
            self._tokens = {token.digest: token for token in read_tokens(self._path)}
            self._seen = stamp
        return self._tokens


def add_token(path: Path, tenant: str, role: Role, key: IdKey) -> str:
    """Makes a token for `tenant`, keeps its hash, and returns the token: it cannot be shown again.

    Raises:
        UsageError: for an empty or overlong name, or a file that cannot be read.
    """
    if not tenant or len(tenant.encode("utf-8", "surrogatepass")) > MAX_TOKEN // 2:
        raise UsageError("a tenant's name has 1 to 512 bytes")
    name = base64.urlsafe_b64encode(tenant.encode("utf-8", "surrogatepass")).decode().rstrip("=")
    token = f"{PREFIX}.{name}.{secrets.token_urlsafe(SECRET_BYTES)}"
    with _changing(path) as tokens:
        tokens.append(
            Token(secrets.token_hex(4), _tenant_id(tenant, key), role, digest_of(token, key), today().isoformat())
        )
    return token


def revoke_tokens(path: Path, tenant: str, token_id: str | None, key: IdKey) -> int:
    """Revokes the tenant's tokens, or the one with that id; returns how many. A running server follows at once."""
    owner = _tenant_id(tenant, key)
    with _changing(path) as tokens:
        kept = [each for each in tokens if each.tenant != owner or token_id not in (None, each.id)]
        revoked = len(tokens) - len(kept)
        tokens[:] = kept
    return revoked


def read_tokens(path: Path) -> Sequence[Token]:
    """The tokens in the file; none when there is no file.

    Raises:
        UsageError: when it is open to others or not of the expected form.
    """
    try:
        if path.stat().st_mode & 0o077:
            raise UsageError(f"the token file {path} is readable by others: chmod 600 it")
        rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["tokens"]
        return [Token(**row | {"role": Role(row["role"])}) for row in rows]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(f"the token file {path} cannot be read: restore it, or add tokens anew") from None


def digest_of(token: str, key: IdKey) -> str:
    """What is kept of `token`."""
    said = token.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, key=key.secret, digest_size=32, person=b"token").hexdigest()


def _tenant_id(tenant: str, key: IdKey) -> str:
    return key.keyed(Kind.TENANT, tenant)


def _tenant_in(token: str) -> str | None:
    prefix, _, rest = token.partition(".")
    name, dot, _ = rest.partition(".")
    if prefix != PREFIX or not dot or len(token) > MAX_TOKEN:
        return None
    try:
        padded = name + "=" * (-len(name) % 4)
        return base64.b64decode(padded, altchars=b"-_", validate=True).decode("utf-8", "surrogatepass") or None
    except (binascii.Error, ValueError):
        return None


@contextmanager
def _changing(path: Path) -> Iterator[list[Token]]:
    """The file's tokens, to be changed in place; written back as a whole, one process at a time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        tokens = list(read_tokens(path))
        yield tokens
        os.replace(write_private(path, {"tokens": [asdict(token) for token in tokens]}), path)
        os.fsync(folder)
    finally:
        os.close(folder)
