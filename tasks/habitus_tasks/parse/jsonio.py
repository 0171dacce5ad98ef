"""JSON of unknown shape: decoding that fails with one closed code, and look-ups that cannot fail."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_MILLISECONDS = 1e11
"""Epoch figures above this are milliseconds: as seconds they would lie after the year 5000."""


def decode(raw: bytes) -> object:
    """The JSON value in ``raw``: UTF-8, with or without a byte order mark; bytes that are no UTF-8 are replaced.

    Raises:
        TranscriptError: MALFORMED_TRANSCRIPT, when it is not JSON or nested too deeply to be a transcript.
    """
    try:
        return json.loads(raw.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        raise TranscriptError(Code.MALFORMED_TRANSCRIPT) from None


def as_map(value: object) -> Mapping[str, object]:
    """``value`` when it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> Sequence[object]:
    """``value`` when it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else ()


def as_text(value: object) -> str:
    """``value`` when it is a string, else an empty one; a lone surrogate, which no database takes, is replaced."""
    return plain(value) if isinstance(value, str) else ""


def plain(text: str) -> str:
    """``text`` with Unix line ends, without NULs, and with lone surrogates replaced."""
    if _SURROGATE.search(text):
        text = _SURROGATE.sub("\ufffd", text)
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def unique_id(value: object) -> str:
    """``value`` when it is a UUID, which names one message in all the world; else empty ('m1' names many)."""
    return value.lower() if isinstance(value, str) and _UUID.fullmatch(value) else ""


def moment(value: object) -> datetime | None:
    """A time from RFC 3339 text or epoch seconds or milliseconds, aware and in UTC; None for anything else."""
    try:
        if isinstance(value, str):
            read = datetime.fromisoformat(value)
            return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
