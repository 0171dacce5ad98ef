"""From findings to candidates, by the same rules and the same last word as the embedded extractor."""

from collections.abc import Iterable, Mapping, Sequence

from habitus_schema.models import Candidate, Extraction, Rejection, Scope, Signal
from habitus_schema.transcript import TurnKind
from habitus_tasks.extract.evidence import Evidence
from habitus_tasks.extract.last_word import Heard, weigh
from habitus_tasks.extract.names import entity_name, normalised
from habitus_tasks.extract.own import Own
from habitus_tasks.extract.pipeline import by_rule
from habitus_tasks.extract.reading import Reading, State
from habitus_tasks.extract_llm.answer import Hold
from habitus_tasks.extract_llm.mask import Mask
from habitus_tasks.extract_llm.notes import Passed

WEIGHT = 0.9
"""How sure a finding is held to be: less than a rule, so that of two rivals in one message the rule's stays."""
_HELD = {Hold.ONE_OFF: State.ONE_OFF, Hold.UNDECIDED: State.UNDECIDED}


def weighed(
    owns: Sequence[Own], found: Mapping[int, Sequence[Passed]], mask: Mask, rejections: Iterable[Rejection]
) -> Extraction:
    """The extraction of a session.

    Args:
        owns: the person's turns, in order.
        found: what was found, by the index of the turn it cites.
        rejections: what the gate refused on the way.
    """
    turns: list[Heard] = []
    for own in owns:
        said = found.get(own.index, ())
        taken_back = frozenset(each.pair.dimension for each in said if each.finding.hold is Hold.WITHDRAWN)
        if taken_back:
            turns.append(Heard(Reading(own, (), taken_back, (), withdraws=True, undecided=False)))
        rest = [each for each in said if each.finding.hold is not Hold.WITHDRAWN]
        turns.append(Heard(_reading(own, rest, mask) if rest else None, by_rule(own)))
    standing, rejected = weigh(turns)
    candidates = (Candidate(e.pair, e.signal, e.scope, e.turn, e.entity, e.cue) for e in standing)
    return Extraction(tuple(candidates), (*rejections, *rejected))


def _reading(own: Own, said: Sequence[Passed], mask: Mask) -> Reading:
    evidence = tuple(_evidence(own, each, mask) for each in said if each.finding.hold is Hold.HOLDS)
    held = tuple((each.pair.dimension, _HELD[each.finding.hold]) for each in said if each.finding.hold in _HELD)
    topics = frozenset(each.pair.dimension for each in said)
    return Reading(own, evidence, topics, held, withdraws=False, undecided=False)


def _evidence(own: Own, passed: Passed, mask: Mask) -> Evidence:
    finding = passed.finding
    tied = finding.scope is Scope.ENTITY
    name = (normalised(mask.name(finding.name)) or entity_name(own.turn.prose)) if tied else ""
    signal = Signal.STANDING if own.turn.kind is TurnKind.MEMORY else finding.signal
    if signal is Signal.EDIT:  # the edit rule's word alone
        signal = Signal.CORRECTION
    return Evidence(passed.pair, own.index, WEIGHT, signal, finding.scope, name, "llm")
