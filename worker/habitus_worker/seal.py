"""Sealed payloads (claim check): a session on Redis is compressed, encrypted, and dies at its time to live.

The transcript is read before it is sealed, where it lies: only the two voices that count go on, so what tools printed,
what a system said and what a file held never leave the machine on which they were written.
"""

import json
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

import zstandard
from cryptography.fernet import InvalidToken, MultiFernet

from habitus_schema.errors import UnsealError
from habitus_schema.transcript import ActionKind, Format, Speaker, Transcript, Turn, TurnKind
from habitus_tasks.pipeline import Caller

_SPEAKERS, _KINDS = {each.value: each for each in Speaker}, {each.value: each for each in TurnKind}
MAX_OPEN_BYTES = 512 * 1024 * 1024
"""A payload that would unpack to more is refused: a small blob must not fill a worker's memory."""


@dataclass(frozen=True, slots=True, repr=False)
class Submission:
    """What the submitter hands in: content, so it exists only in memory and sealed.

    Attributes:
        transcript: the session, read.
        caller: who submits it, in the caller's names.
    """

    transcript: Transcript
    caller: Caller


def seal(submission: Submission, keys: MultiFernet) -> bytes:
    """The submission, compressed and encrypted with the newest key."""
    # ensure_ascii keeps lone surrogates, which real transcripts hold, encodable.
    plain = json.dumps(asdict(submission), ensure_ascii=True, separators=(",", ":"), default=_iso).encode("ascii")
    return keys.encrypt(zstandard.ZstdCompressor().compress(plain))


def unseal(blob: bytes, keys: MultiFernet) -> Submission:
    """Opens what `seal` made with any of the keys.

    Raises:
        UnsealError: when no key opens it, or what is inside is not a submission.
    """
    try:
        return _submission(json.loads(_unpacked(keys.decrypt(blob))))
    except (InvalidToken, zstandard.ZstdError, ValueError, TypeError, KeyError):
        raise UnsealError("no key opens this payload") from None


def _unpacked(packed: bytes) -> bytes:
    # Asked first, since a frame that names its own size is unpacked whole whatever limit is given; -1: it names none.
    if not 0 <= zstandard.frame_content_size(packed) <= MAX_OPEN_BYTES:
        raise UnsealError("no key opens this payload")
    return zstandard.ZstdDecompressor().decompress(packed)


def _iso(value: date) -> str:
    return value.isoformat()


def _submission(plain: dict[str, Any]) -> Submission:
    said, caller = plain["transcript"], plain["caller"]
    turns = tuple(_turn(each) for each in said["turns"])
    ended = datetime.fromisoformat(said["ended_at"]) if said["ended_at"] else None
    transcript = Transcript(**said | {"format": Format(said["format"]), "turns": turns, "ended_at": ended})
    return Submission(transcript, Caller(**caller | {"day": date.fromisoformat(caller["day"])}))


def _turn(plain: dict[str, Any]) -> Turn:
    plain["speaker"], plain["kind"] = _SPEAKERS[plain["speaker"]], _KINDS[plain["kind"]]
    plain["action"] = ActionKind(plain["action"]) if plain["action"] else None
    return Turn(**plain)
