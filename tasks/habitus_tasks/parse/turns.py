"""Collects the turns of one session, within its limits, and makes the transcript of them."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from habitus_schema.transcript import ActionKind, Format, Speaker, Transcript, Turn, TurnKind
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.prose import own_prose


class TurnLog:
    """The turns of one session in order, each with the number of the record it came from.

    Attributes:
        messages: how many records were messages of any role.
        skipped: how many records or turns were passed over.
        ended_at: the latest time seen.
        at: the number of the record that is being read; turns are kept or dropped by it in the end.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._turns: deque[tuple[int, Turn]] = deque()
        self._chars = 0
        self.messages = 0
        self.skipped = 0
        self.ended_at: datetime | None = None
        self.at = 0

    def saw(self, when: datetime | None) -> None:
        """Note the time of a record."""
        if when and (self.ended_at is None or when > self.ended_at):
            self.ended_at = when

    def person(self, text: str, kind: TurnKind = TurnKind.MESSAGE, identity: str = "") -> None:
        """Add the person's words; nothing when there are none."""
        text = text.strip()[: self._limits.turn_chars]
        if text:
            self._add(Turn(Speaker.PERSON, text, kind=kind, identity=identity))

    def edit(self, proposed: str, kept: str, path: str = "", identity: str = "") -> None:
        """Add an edit by the person: what the assistant proposed and what the person kept."""
        cap = self._limits.turn_chars
        turn = Turn(Speaker.PERSON, kept[:cap], "", TurnKind.EDIT, identity, None, path, proposed[:cap], kept[:cap])
        self._add(turn)

    def assistant(self, text: str) -> None:
        """Add the assistant's text; nothing when there is none."""
        text = text.strip()[: self._limits.turn_chars]
        if text:
            self._add(Turn(Speaker.ASSISTANT, text))

    def action(self, kind: ActionKind, text: str, path: str = "") -> None:
        """Add what the assistant did through a tool."""
        text = text[: self._limits.turn_chars]
        self._add(Turn(Speaker.ASSISTANT, text, kind=TurnKind.ACTION, action=kind, path=path))

    def _add(self, turn: Turn) -> None:
        self._turns.append((self.at, turn))
        self._chars += _size(turn)
        while len(self._turns) > self._limits.turns or self._chars > self._limits.session_chars:
            self._chars -= _size(self._turns.popleft()[1])
            self.skipped += 1

    def transcript(
        self, format_: Format, session_id: str = "", keep: Callable[[int, Turn], bool] = lambda *_: True
    ) -> Transcript:
        """The transcript of what was collected; ``keep`` says, by record number, what belongs to it.

        The person's prose is found here, and not turn by turn: most of a huge session's turns are gone by then.
        """
        live = without_replays(turn for at, turn in self._turns if keep(at, turn))
        return Transcript(
            format=format_,
            session_id=session_id,
            turns=tuple(_with_prose(turn) for turn in live),
            ended_at=self.ended_at,
            messages=self.messages,
            skipped=self.skipped,
        )


class Passage:
    """Lines gathered up to a limit: a turn of a text format, whose end is known only when the next one begins."""

    def __init__(self, limits: Limits) -> None:
        self._room = limits.turn_chars
        self._lines: list[str] = []

    def add(self, line: str) -> None:
        """Add a line; what is over the limit is left out."""
        if self._room > 0:
            self._lines.append(line[: self._room])
            self._room -= len(line) + 1

    def __bool__(self) -> bool:
        return bool(self._lines)

    def __str__(self) -> str:
        return "\n".join(self._lines)


def _with_prose(turn: Turn) -> Turn:
    spoken = turn.speaker is Speaker.PERSON and turn.kind is not TurnKind.EDIT
    return replace(turn, prose=own_prose(turn.text)) if spoken else turn


def _size(turn: Turn) -> int:
    """Characters held for a turn; the person's text is held twice in the end, as text and as prose."""
    twice = 2 if turn.speaker is Speaker.PERSON else 1
    return len(turn.text) * twice + len(turn.proposed) + len(turn.kept)


def without_replays(turns: Iterable[Turn]) -> list[Turn]:
    """The turns without repetitions of the whole conversation so far.

    Some clients write the history again before each new turn (anthropics/claude-code#5034). A run is such a replay
    when it equals everything before it, from the first turn on; 'continue' said twice is not one.
    """
    history: list[Turn] = []
    run: list[Turn] = []
    for turn in turns:
        run.append(turn)
        if history and not _same(history[len(run) - 1], turn):
            history += run
            run = []
        elif not history or len(run) == len(history):
            history = history or run
            run = []
    return history + run


def _same(one: Turn, other: Turn) -> bool:
    return (one.speaker, one.kind, one.text, one.proposed) == (other.speaker, other.kind, other.text, other.proposed)
