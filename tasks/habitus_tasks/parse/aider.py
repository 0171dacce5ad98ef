"""Aider's ``.aider.chat.history.md``: many sessions in one Markdown file.

The lines of the person's message start with ``#### ``; so do level-4 headings of the model. Aider ends a message with
a blank line, and what it reports itself (tokens, commits, files added) starts with ``> ``. So a message can open a
session or follow such a report, and it ends at its first blank line; what comes next is the model's until a report.
"""

import re
from collections.abc import Iterable, Iterator

from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse.jsonio import moment
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.turns import Passage, TurnLog
from habitus_tasks.parse.words import is_slash_command, own_text

_HEADER = re.compile(r"# aider chat started at (.+)")
_PERSON, _REPORT = "#### ", ">"


def read_text(lines: Iterable[str], limits: Limits) -> Iterator[Transcript]:
    """One transcript for each session header in the file.

    Args:
        lines: the file's lines, without their ends.
        limits: what is kept at most.
    """
    session: _Session | None = None
    for line in lines:
        if header := _HEADER.match(line):
            if session:
                yield session.transcript()
            session = _Session(limits, header[1].strip())
        elif session:
            session.take(line)
    if session:
        yield session.transcript()


class _Session:
    def __init__(self, limits: Limits, started: str) -> None:
        self._log = TurnLog(limits)
        self._log.saw(moment(started))
        self._limits = limits
        self._words, self._reply, self._replying = Passage(limits), Passage(limits), False

    def take(self, line: str) -> None:
        if line.startswith(_REPORT):
            self._end_turn()
        elif self._replying:
            self._reply.add(line)
        elif line.startswith(_PERSON.rstrip()):
            self._words.add(line.removeprefix(_PERSON).rstrip())
        elif line.strip() or self._words:
            self._replying = True
            self._reply.add(line)

    def _end_turn(self) -> None:
        text = own_text(str(self._words))
        self._log.messages += bool(self._words) + self._replying
        if text and not is_slash_command(text):
            self._log.person(text)
        self._log.assistant(str(self._reply))
        self._words, self._reply, self._replying = Passage(self._limits), Passage(self._limits), False

    def transcript(self) -> Transcript:
        self._end_turn()
        return self._log.transcript(Format.AIDER)
