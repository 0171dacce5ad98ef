"""Joins the requests of one conversation in an API log: each request repeats all the turns before it."""

import hashlib
from collections.abc import Iterable, Iterator

from habitus_schema.models import Rejection
from habitus_schema.transcript import Format, Transcript, Turn

_LOGGED = frozenset({Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES})
_OPEN = 64
"""How many conversations may be interleaved in a log before the oldest is taken as ended."""


def whole_threads(sessions: Iterable[Transcript | Rejection], most_chars: int) -> Iterator[Transcript | Rejection]:
    """The sessions without those that a later request of the log goes on from, turn for turn.

    Nothing is lost: what is left out is contained in what takes its place. The order is that of the last requests.

    Args:
        sessions: what was read, in the order of the log.
        most_chars: the most characters held back while a continuation may still come.
    """
    held: dict[bytes, Transcript | Rejection] = {}
    size = 0
    for count, session in enumerate(sessions):
        prefixes = _prefixes(session)
        end = prefixes.pop() if prefixes else count.to_bytes(8, "big")
        for prefix in prefixes:
            size -= _size(held.pop(prefix, None))
        key = end if end not in held else end + count.to_bytes(8, "big")
        held[key] = session
        size += _size(session)
        while len(held) > _OPEN or (size > most_chars and len(held) > 1):
            oldest = held.pop(next(iter(held)))
            size -= _size(oldest)
            yield oldest
    yield from held.values()


def _prefixes(session: Transcript | Rejection) -> list[bytes]:
    """A digest after each turn of a logged conversation; none for anything else."""
    if isinstance(session, Rejection) or session.format not in _LOGGED:
        return []
    digest, prefixes = hashlib.blake2b(digest_size=16), []
    for turn in session.turns:
        digest.update(repr((turn.speaker, turn.kind, turn.action, turn.path, turn.text)).encode())
        prefixes.append(digest.copy().digest())
    return prefixes


def _size(session: Transcript | Rejection | None) -> int:
    return sum(_chars(turn) for turn in session.turns) if isinstance(session, Transcript) else 0


def _chars(turn: Turn) -> int:
    return len(turn.text) + len(turn.prose)
