"""The person's own turns, each with the output that came before it."""

from collections.abc import Sequence
from dataclasses import dataclass

from habitus_schema.transcript import Speaker, Turn, TurnKind
from habitus_tasks.extract.output import Output, of_turns


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
    """All turns of the person in order. An edit belongs to the output it edits, so it does not end that output."""
    found: list[Own] = []
    before: list[Turn] = []
    for index, turn in enumerate(turns):
        if turn.speaker is Speaker.ASSISTANT:
            before.append(turn)
            continue
        found.append(Own(index, turn, tuple(before)))
        if turn.kind is not TurnKind.EDIT:
            before = []
    return found
