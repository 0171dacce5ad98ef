"""The last word of the session: withdrawals, reversals, and what is left open."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from habitus_schema.codes import Code
from habitus_schema.models import Rejection
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import Dimension
from habitus_tasks.extract.evidence import Evidence
from habitus_tasks.extract.reading import Reading, State

_CODES = {State.ONE_OFF: Code.ONE_OFF, State.UNDECIDED: Code.UNDECIDED, State.WITHDRAWN: Code.WITHDRAWN}


@dataclass
class Ledger:
    """What stands, in the order in which it was said."""

    standing: list[Evidence] = field(default_factory=list)
    topics: list[frozenset[Dimension]] = field(default_factory=list)
    rejected: set[tuple[Code, Dimension | None]] = field(default_factory=set)

    def drop(self, dimensions: Iterable[Dimension], code: Code) -> None:
        """Takes back what was said about some dimensions."""
        gone = frozenset(dimensions)
        self.rejected |= {(code, item.pair.dimension) for item in self.standing if item.pair.dimension in gone}
        self.standing = [item for item in self.standing if item.pair.dimension not in gone]

    def add(self, item: Evidence) -> None:
        """Adds evidence. An earlier rival of the same scope is overruled; of two in one turn the surer stays."""
        rivals = [
            other
            for other in self.standing
            if other.pair.dimension == item.pair.dimension and other.scope == item.scope and other.entity == item.entity
        ]
        if any(other.turn == item.turn and other.weight >= item.weight and other.pair != item.pair for other in rivals):
            return
        for other in rivals:
            if other.pair != item.pair and other.turn < item.turn:
                self.rejected.add((Code.WITHDRAWN, other.pair.dimension))
        self.standing = [other for other in self.standing if other not in rivals or other.pair == item.pair]
        self.standing.append(item)


def _taken_back(ledger: Ledger, reading: Reading) -> frozenset[Dimension]:
    """The dimensions that a withdrawing message speaks about; if nothing stands in those, the latest wish's as well."""
    if any(item.pair.dimension in reading.topics for item in ledger.standing):
        return reading.topics
    latest = max((item.turn for item in ledger.standing), default=None)
    return reading.topics | {item.pair.dimension for item in ledger.standing if item.turn == latest}


def _outweighed(ledger: Ledger, reading: Reading) -> frozenset[Dimension]:
    """The dimensions of which something else was said before than this message leans to."""
    heard = {item.pair for item in reading.evidence}  # what is evidence overrules by itself, within its scope
    leaning = {pair.dimension for pair in reading.leanings - heard}
    return frozenset(
        item.pair.dimension
        for item in ledger.standing
        if item.pair.dimension in leaning and item.pair not in reading.leanings and item.turn < reading.own.index
    )


def _hear(ledger: Ledger, reading: Reading, rules: Sequence[Evidence]) -> None:
    """Takes in one turn."""
    earlier = bool(ledger.topics or ledger.standing)
    code = Code.UNDECIDED if reading.undecided else Code.WITHDRAWN
    back = _taken_back(ledger, reading) if (reading.withdraws or reading.undecided) and earlier else frozenset()
    ledger.drop(back, code)
    for dimension, state in reading.held:
        ledger.rejected.add((_CODES[state], dimension))
        if state is State.UNDECIDED:
            ledger.drop([dimension], Code.UNDECIDED)
    ledger.drop(_outweighed(ledger, reading), Code.WITHDRAWN)
    for item in (*rules, *reading.evidence):
        if item.pair.dimension in back:
            ledger.rejected.add((code, item.pair.dimension))
        else:
            ledger.add(item)
    if reading.topics:
        ledger.topics.append(reading.topics)


def best_by_pair(standing: Sequence[Evidence]) -> list[Evidence]:
    """One piece of evidence for each pair: the surest, and of equals the earliest, in the order of the session."""
    best: dict[Pair, Evidence] = {}
    for item in standing:
        if item.pair not in best or item.weight > best[item.pair].weight:
            best[item.pair] = item
    return sorted(best.values(), key=lambda item: item.turn)


@dataclass(frozen=True, slots=True, repr=False)
class Heard:
    """All that one turn of the person says.

    Attributes:
        reading: the classifier's, if it read the message.
        rules: what rules found.
        back: the dimensions that a short message takes back; empty when it takes back the latest wish, whatever it was;
            None when it takes nothing back.
    """

    reading: Reading | None
    rules: Sequence[Evidence] = ()
    back: frozenset[Dimension] | None = None


def _take_back(ledger: Ledger, named: frozenset[Dimension]) -> None:
    latest = max((item.turn for item in ledger.standing), default=None)
    last = {item.pair.dimension for item in ledger.standing if item.turn == latest}
    ledger.drop(named or last, Code.WITHDRAWN)


def weigh(turns: Sequence[Heard]) -> tuple[list[Evidence], tuple[Rejection, ...]]:
    """What stands at the end of the session, and what was turned down and why."""
    ledger = Ledger()
    for heard in turns:
        if heard.back is not None:
            _take_back(ledger, heard.back)
        if heard.reading is None:
            for item in heard.rules:
                ledger.add(item)
        else:
            _hear(ledger, heard.reading, heard.rules)
    rejected = sorted(ledger.rejected, key=lambda entry: (entry[0], entry[1] or ""))
    return best_by_pair(ledger.standing), tuple(Rejection(code=code, dimension=name) for code, name in rejected)
