"""A message as lines, of which some turn out not to be the person's own."""

import re
from collections.abc import Iterator

MARK = "\n\u2060\n"
"""Stands in the prose for a stretch that was taken out: a word joiner on a line of its own."""
_GAP = "\u2060"
_MARKS = re.compile(rf"\s*{_GAP}[\s{_GAP}]*")


class Page:
    """The lines of a message. A step replaces what is not the person's own by a gap.

    Attributes:
        lines: the text of each line; parts that were taken out of a line are replaced by a gap character.
        own: for each line, whether it is still counted as the person's.
        sign_offs: the lines that may end a mail, once someone has looked for them.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.replace(_GAP, "").split("\n")
        self.own = [True] * len(self.lines)
        self.sign_offs: list[int] | None = None

    def blank(self, start: int, end: int) -> None:
        """Take out the lines from ``start`` up to, not including, ``end``."""
        self.own[start:end] = [False] * (end - start)

    def runs(self) -> Iterator[tuple[int, int]]:
        """The stretches of lines that are the person's, as (start, end)."""
        start = None
        for number, own in enumerate([*self.own, False]):
            if own and start is None:
                start = number
            elif not own and start is not None:
                yield start, number
                start = None

    def paragraphs(self) -> Iterator[tuple[int, int]]:
        """The stretches of the person's lines that hold no blank line, as (start, end)."""
        for start, end in list(self.runs()):
            first = start
            for number in range(start, end + 1):
                if number == end or not self.lines[number].strip():
                    if number > first:
                        yield first, number
                    first = number + 1

    def replace(self, start: int, end: int, text: str) -> None:
        """Put ``text``, with the same number of line ends, in the place of the lines from ``start`` to ``end``."""
        self.lines[start:end] = text.split("\n")

    def prose(self) -> str:
        """What is left, with one `MARK` for each stretch that was taken out."""
        kept = [line if own else _GAP for line, own in zip(self.lines, self.own, strict=True)]
        text = "\n".join(kept)
        return _MARKS.sub(MARK, text).strip("\n ") if _GAP in text else text.strip()
