"""The keys of a deployment: one names people (`IdKey`), the others seal payloads. They live in one file, mode 0600.

The file is JSON: ``{"id": {"k1": "<hex>"}, "seal": {"s1": "<fernet key>"}}``; the last entry of each is the newest,
which writes; all of them read.
"""

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.fernet import Fernet, MultiFernet

from habitus_schema.errors import UsageError
from habitus_schema.ids import IdKey


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The keys in use.

    Attributes:
        ids: the key that turns names into keyed ids.
        seal: opens with any of the sealing keys, seals with the newest.
    """

    ids: IdKey = field(repr=False)
    seal: MultiFernet = field(repr=False)


def load_keys(path: Path) -> KeyRing:
    """Reads the key file.

    Raises:
        UsageError: when it is missing, open to others, or not of the form above.
    """
    try:
        if path.stat().st_mode & 0o077:
            raise UsageError(f"the key file {path} is readable by others: chmod 600 it")
        document = json.loads(path.read_text("utf-8"))
    except OSError:
        raise UsageError(f"no key file at {path}: `habitus up` makes one, or set HABITUS_KEY_FILE") from None
    except ValueError:
        raise UsageError(f"the key file {path} is not JSON: restore it from your backup") from None
    return _parse(document, path)


def _parse(document: object, path: Path) -> KeyRing:
    try:
        ids, seals = document["id"], document["seal"]  # type: ignore[index]
        key_id = list(ids)[-1]
        return KeyRing(
            IdKey(key_id, bytes.fromhex(ids[key_id])),
            MultiFernet([Fernet(key) for key in reversed(list(seals.values()))]),
        )
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        raise UsageError(f"the key file {path} is not of the expected form: restore it from your backup") from None


def create_keys(path: Path) -> KeyRing:
    """The key file's keys; makes the file with fresh keys, mode 0600, when there is none. Embedded stack only."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = {"id": {"k1": IdKey.generate().secret.hex()}, "seal": {"s1": Fernet.generate_key().decode()}}
        scratch = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(fresh, file)
        try:
            os.link(scratch, path)  # fails when another process was first: then theirs counts
        except FileExistsError:
            pass
        finally:
            scratch.unlink()
    return load_keys(path)


def mask_url(url: str) -> str:
    """`url` without its password, to be shown in a message."""
    return re.sub(r"(://[^:/@]*:)[^@/]*@", r"\1***@", url)
