"""The person's own turns, each with the output that came before it."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from habitus_schema.transcript import Speaker, Turn, TurnKind
from habitus_tasks.extract.output import Output, of_turns
from habitus_tasks.extract.pasted_back import ECHO_CHARS, ECHO_OUTPUTS, without_echo


@dataclass(frozen=True, slots=True, repr=False)
class Own:
    """A turn of the person. `before` holds the assistant's turns since the person last spoke."""

    index: int
    turn: Turn
    before: tuple[Turn, ...]

    def output(self) -> Output:
        """The last output, as text and facts."""
        return of_turns(self.before)


def own_turns(turns: Sequence[Turn]) -> list[Own]:
    """All turns of the person in order, without what they repeat of the assistant's words.

    An edit belongs to the output it edits, so it does not end that output.
    """
    found: list[Own] = []
    before: list[Turn] = []
    outputs: deque[str] = deque(maxlen=ECHO_OUTPUTS)
    for index, turn in enumerate(turns):
        if turn.speaker is Speaker.ASSISTANT:
            before.append(turn)
            outputs.append(turn.text[:ECHO_CHARS])
            continue
        prose = without_echo(turn.prose, outputs)
        found.append(Own(index, turn if prose == turn.prose else replace(turn, prose=prose), tuple(before)))
        if turn.kind is not TurnKind.EDIT:
            before = []
    return found
