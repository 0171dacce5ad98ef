"""How much of a transcript is read. A reader never holds more than these figures allow, whatever the file's size."""

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one read. What is over a bound is passed over and counted, or refused with TOO_LARGE.

    The defaults keep the reader under 200 MB of memory: decoding a record of n bytes takes up to nine times n (the
    bytes, the text at four bytes a character, the strings cut from it).

    Attributes:
        record_bytes: the longest record (line) of a session that has many; a longer one is skipped and counted.
        session_bytes: the longest session that is one JSON value; a longer one is refused.
        stream_bytes: the longest file after decompression; the session that passes it is refused.
        records: the most records of one session; the session that passes it is refused.
        turns: the most turns kept of one session; the oldest go first, because the last word counts.
        turn_chars: the most characters kept of one turn.
        session_chars: the most characters kept of one session; the oldest turns go first.
    """

    record_bytes: int = 8 * MIB
    session_bytes: int = 16 * MIB
    stream_bytes: int = 4096 * MIB
    records: int = 1_000_000
    turns: int = 20_000
    turn_chars: int = 256 * 1024
    session_chars: int = 8 * MIB
