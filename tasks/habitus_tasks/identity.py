"""Identities of messages: the same message is the same evidence, whatever file, folder or branch it reappears in.

Where the format gives a message a name that is unique in the world (a UUID), that is its identity. Elsewhere it is a
digest of the conversation up to and including it, with the assistant's first reply, so that logs that repeat earlier
turns, copies and forks agree. As long as that much is too little to tell one conversation from another ('hi', 'Hello!
How can I help?'), the session's name is part of the identity, and without one there is none.
"""

import re
from collections.abc import Iterable

from habitus_schema.ids import IdKey, Kind
from habitus_schema.transcript import Speaker, Transcript, Turn

_NAMED, _CHAINED, _SCOPED, _START = "named", "chained", "scoped", "start"
_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}|[^\W\d_]{2,}")
"""A word, or two signs of a script that puts no space between words."""
_ENOUGH_WORDS = 14
"""Distinct words from which two conversations do not agree by chance; a greeting and its answer have about ten."""


def message_ids(transcript: Transcript, key: IdKey) -> tuple[str | None, ...]:
    """Keyed identities of the person's messages, aligned with the transcript's turns.

    Args:
        transcript: a session as the readers hand it on.
        key: the key of the ids; identities of different keys never agree.

    Returns:
        for each turn the keyed id; None for the assistant's turns, and for a message that nothing tells apart.
    """
    turns = transcript.turns
    answer = next((at for at, turn in enumerate(turns) if turn.speaker is Speaker.ASSISTANT), len(turns))
    first_reply = turns[answer : answer + 1]
    chain, words = _START, _Words(first_reply)
    for reply in first_reply:
        chain = _after(key, chain, reply)
    found: list[str | None] = []
    for at, turn in enumerate(turns):
        if at != answer:
            chain = _after(key, chain, turn)
            words.add(turn)
        found.append(_identity(turn, chain, transcript.session_id, key, enough=words.enough))
    return tuple(found)


class _Words:
    """The distinct words of a conversation so far, counted until they are enough."""

    def __init__(self, turns: Iterable[Turn]) -> None:
        self._words: set[str] = set()
        for turn in turns:
            self.add(turn)

    def add(self, turn: Turn) -> None:
        if not self.enough:
            self._words.update(word.casefold() for word in _WORDS.findall(turn.text[:2000]))

    @property
    def enough(self) -> bool:
        return len(self._words) >= _ENOUGH_WORDS


def _identity(turn: Turn, chain: str, session: str, key: IdKey, *, enough: bool) -> str | None:
    if turn.speaker is Speaker.ASSISTANT:
        return None
    if turn.identity:
        return key.keyed(Kind.MESSAGE, _NAMED, turn.identity)
    if enough:
        return key.keyed(Kind.MESSAGE, _CHAINED, chain)
    return key.keyed(Kind.MESSAGE, _SCOPED, session, chain) if session else None


def _after(key: IdKey, chain: str, turn: Turn) -> str:
    """The chain's digest after one more turn; white space and letter case do not count."""
    said = " ".join(turn.text.split()).casefold()
    return key.keyed(Kind.MESSAGE, chain, turn.speaker, turn.kind, said, turn.proposed)
