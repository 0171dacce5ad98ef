"""New keys in the key file. Each change is one rename, safely on the disk before anything is written with the key."""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet

from habitus_schema.errors import UsageError
from habitus_worker.keys import read_document, write_private


def add_id_key(path: Path) -> str:
    """Adds an id key, by which all ids are to be wrapped from now on; returns its name.

    Raises:
        UsageError: when the file is not usable (see `load_keys`), or an earlier rotation is not finished.
    """
    with _changing(path) as document:
        ids = document["id"]
        if document.setdefault("settled", next(iter(ids))) != list(ids)[-1]:
            raise UsageError("the last rotation is not finished: run `habitus keys rotate` first")
        name = _fresh("k", ids)
        ids[name] = secrets.token_hex(32)
        return name


def add_seal_key(path: Path) -> str:
    """Adds a sealing key, which seals from now on while the older ones open; returns its name. Raises as above."""
    with _changing(path) as document:
        name = _fresh("s", document["seal"])
        document["seal"][name] = Fernet.generate_key().decode()
        return name


def settle(path: Path, name: str) -> None:
    """Notes that every stored id is wrapped by the key `name`. Raises as above."""
    with _changing(path) as document:
        document["settled"] = name


def write_record_file(path: Path, target: Path) -> None:
    """Writes what a record worker needs of the key file to `target`: the later id keys, no sealing key, not the first.

    With it ids can be wrapped; no name can be made into an id, and no payload be opened.
    """
    document = read_document(path)
    first, *_ = document["id"]
    kept = {"id": document["id"] | {first: None}, "settled": document.get("settled", first)}
    os.replace(write_private(target, kept), target)


def _fresh(letter: str, taken: dict[str, Any]) -> str:
    number = len(taken) + 1
    while f"{letter}{number}" in taken:
        number += 1
    return f"{letter}{number}"


@contextmanager
def _changing(path: Path) -> Iterator[dict[str, Any]]:
    """The file's content, to be changed in place; written back as a whole. One process at a time."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        document = read_document(path)
        yield document
        os.replace(write_private(path, document), path)
        os.fsync(folder)
    finally:
        os.close(folder)
