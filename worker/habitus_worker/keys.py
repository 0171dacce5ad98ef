"""The keys of a deployment: id keys name people, the others seal payloads. They live in one file, mode 0600.

The file is JSON: ``{"id": {"k1": "<hex>"}, "settled": "k1", "seal": {"s1": "<fernet key>"}}``; the last entry of each
is the newest. Sealing: the newest writes, all read. Ids are made with the first and wrapped by each later one
(`KeyChain`); `settled` names the key that all stored ids are known to be wrapped by. A record worker's file has no
``seal``, and null for the first id key: it wraps ids and can make none.
"""

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from cryptography.fernet import Fernet, MultiFernet

from habitus_schema.errors import UsageError
from habitus_schema.ids import IdKey, KeyChain
from habitus_worker.id_keys import chain_of, misshapen
from habitus_worker.id_keys import load_id_keys as load_id_keys
from habitus_worker.id_keys import read_document as read_document

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The keys in use.

    Attributes:
        ids: the keys that turn names into keyed ids.
        seal: opens with any of the sealing keys, seals with the newest.
    """

    ids: KeyChain = field(repr=False)
    seal: MultiFernet = field(repr=False)


class Watched(Generic[Read]):
    """What `read` makes of a file, read anew when the file changes: a running worker takes up a new key at once."""

    def __init__(self, path: Path, read: Callable[[Path], Read]) -> None:
        self._path, self._read = path, read
        self._seen: tuple[int, int, int] | None = None
        self._value: Read = read(path)

    def __call__(self) -> Read:
        """What it says now. Raises what `read` raises."""
        try:
            found = self._path.stat()
        except OSError:
            return self._value  # it is gone: what was read holds until it is back
        stamp = found.st_mtime_ns, found.st_ino, found.st_size
        if stamp != self._seen:
            self._value = self._read(self._path)
            self._seen = stamp
        return self._value


def load_keys(path: Path) -> KeyRing:
    """Reads the key file.

    Raises:
        UsageError: when it is missing, open to others, or not of the form above.
    """
    document = read_document(path)
    ids = chain_of(document, path)
    try:
        seals = [Fernet(key) for key in reversed(list(document["seal"].values()))]
        if not seals or ids.first_key is None:
            raise misshapen(path)
        return KeyRing(ids, MultiFernet(seals))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise misshapen(path) from None


def sealing_keys(path: Path) -> MultiFernet | None:
    """What opens sealed payloads; None on a host without such keys, or where the file cannot be used."""
    try:
        return load_keys(path).seal
    except UsageError:
        return None


def create_keys(path: Path) -> KeyRing:
    """The key file's keys; makes the file with fresh keys, mode 0600, when there is none. Embedded stack only."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = {"id": {"k1": IdKey.generate().secret.hex()}, "seal": {"s1": Fernet.generate_key().decode()}}
        scratch = write_private(path, fresh)
        try:
            os.link(scratch, path)  # fails when another process was first: then theirs counts
        except FileExistsError:
            pass
        finally:
            scratch.unlink()
    return load_keys(path)


def write_private(path: Path, document: dict[str, Any]) -> Path:
    """Writes `document` beside `path`, for its owner alone and safely on the disk; returns where."""
    scratch = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(document, file)
        file.flush()
        os.fsync(file.fileno())
    return scratch


def mask_url(url: str) -> str:
    """`url` without its passwords, to be shown in a message."""
    masked = re.sub(r"(://[^:/@]*:)[^@/]*@", r"\1***@", url)
    return re.sub(r"(password=)[^&]*", r"\1***", masked)
