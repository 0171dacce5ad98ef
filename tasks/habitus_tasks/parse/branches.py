"""Which records of a tree of records lie on the live branch.

A person who goes back and asks again leaves the first attempt in the file: two prompts under one parent. The earlier
one is abandoned, unless it went on after the later one began: then two terminals write one session, and both are live.
"""

from array import array

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError

_MISSING, _NULL = -1, -2


class Branches:
    """A tree built record by record, in the order of the file. A cycle cannot arise: a parent is an earlier record.

    Memory is bounded by ``most`` records of about 150 bytes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._numbers: dict[int, int] = {}
        self._parents = array("q")
        self._prompts = bytearray()
        self._neutral = bytearray()
        self._dead = bytearray()

    def add(self, uuid: str, parent: str | None, *, prompt: bool = False, neutral: bool = False) -> int | None:
        """Add a record; its number, or None when its uuid was seen before (a copy).

        Args:
            uuid: the record's id.
            parent: its parent's id; None for an explicit root.
            prompt: whether a person asks something in it.
            neutral: whether it is only an attachment of its neighbours (hook output, reminders, system rows).

        Raises:
            TranscriptError: TOO_LARGE, past the most records.
        """
        number, key = len(self._parents), hash(uuid)
        if self._numbers.setdefault(key, number) != number:
            return None
        if number >= self._most:
            raise TranscriptError(Code.TOO_LARGE)
        self._parents.append(_NULL if parent is None else self._numbers.get(hash(parent), _MISSING))
        self._prompts.append(prompt)
        self._neutral.append(neutral)
        return number

    def settle(self) -> None:
        """Find the abandoned records, once all are added."""
        count = len(self._parents)
        last, asks, opens = array("q", range(count)), bytearray(self._prompts), bytearray(self._prompts)
        for number in range(count - 1, -1, -1):
            parent = self._parents[number]
            if parent >= 0:
                last[parent] = max(last[parent], last[number])
                asks[parent] |= asks[number]
                opens[parent] |= opens[number] and self._neutral[parent]
        self._dead = bytearray(count)
        latest = array("q", [-1]) * (count + 1)  # for each parent, and at the end for the roots
        for number in range(count - 1, -1, -1):
            parent = self._parents[number]
            if parent == _MISSING:
                continue
            slot, linked = (parent, True) if parent >= 0 else (count, last[number] > number)
            self._dead[number] = asks[number] and linked and last[number] < latest[slot]
            if opens[number] and latest[slot] < 0:
                latest[slot] = number
        for number, parent in enumerate(self._parents):
            if parent >= 0:
                self._dead[number] |= self._dead[parent]

    def live(self, number: int) -> bool:
        """Whether the record of this number lies on a live branch; records without a number (-1) always do."""
        return number < 0 or not self._dead[number]
