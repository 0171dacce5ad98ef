"""The id keys of a key file, without the library that seals: what a reader of profiles needs, and fast to import."""

import json
from pathlib import Path
from typing import Any

from habitus_schema.errors import UsageError
from habitus_schema.ids import IdKey, KeyChain


def load_id_keys(path: Path) -> KeyChain:
    """Reads the id keys alone, from a key file or a record worker's one. Raises as `read_document` does."""
    return chain_of(read_document(path), path)


def read_document(path: Path) -> dict[str, Any]:
    """The key file as it is.

    Raises:
        UsageError: when it is missing, open to others, or no JSON object.
    """
    try:
        if path.stat().st_mode & 0o077:
            raise UsageError(f"the key file {path} is readable by others: chmod 600 it")
        document = json.loads(path.read_text("utf-8"))
    except OSError:
        raise UsageError(f"no key file at {path}: `habitus up` makes one, or set HABITUS_KEY_FILE") from None
    except ValueError:
        raise UsageError(f"the key file {path} is not JSON: restore it from your backup") from None
    if not isinstance(document, dict):
        raise misshapen(path)
    return document


def chain_of(document: dict[str, Any], path: Path) -> KeyChain:
    """The id keys in the document of a key file. Raises UsageError when it is of another form."""
    try:
        (first, secret), *later = document["id"].items()
        settled = list(document["id"]).index(document.get("settled", first))
        key = None if secret is None else IdKey(first, bytes.fromhex(secret))
        return KeyChain(first, key, tuple(IdKey(name, bytes.fromhex(value)) for name, value in later), settled)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise misshapen(path) from None


def misshapen(path: Path) -> UsageError:
    """What is said of a key file of another form."""
    return UsageError(f"the key file {path} is not of the expected form: restore it from your backup")
