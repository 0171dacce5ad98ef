"""From a transcript to candidates: rules and the classifier read each turn, then the session is weighed as a whole."""

from habitus_schema.models import Candidate, Extraction, Signal
from habitus_schema.transcript import Transcript, TurnKind
from habitus_tasks.extract import classifier
from habitus_tasks.extract.bare import bare_wishes, taken_back
from habitus_tasks.extract.cues import Cue, has
from habitus_tasks.extract.edits import structural_difference
from habitus_tasks.extract.evidence import Evidence
from habitus_tasks.extract.last_output import SATISFIED, UNKNOWN, verdicts
from habitus_tasks.extract.last_word import Heard, weigh
from habitus_tasks.extract.literal import spelled
from habitus_tasks.extract.own import Own, own_turns
from habitus_tasks.extract.pasted_back import handed_back
from habitus_tasks.extract.reading import Reading, read


def by_rule(own: Own) -> list[Evidence]:
    """What the edit rule and the literal spellings find in one turn."""
    turn = own.turn
    if turn.kind is TurnKind.EDIT:
        edited = structural_difference(turn.proposed, turn.kept)
        return [Evidence(pair, own.index, 1.0, Signal.EDIT, cue="edit") for pair in sorted(edited, key=str)]
    back = handed_back(turn.text, [before.text for before in own.before]) if own.before else frozenset()
    found = [Evidence(pair, own.index, 1.0, Signal.EDIT, cue="handed_back") for pair in sorted(back, key=str)]
    literal = sorted(spelled(turn.prose), key=str)
    found += [Evidence(pair, own.index, 1.0, Signal.STANDING, cue="literal") for pair in literal]
    return found + bare_evidence(own)


def bare_evidence(own: Own) -> list[Evidence]:
    """What a message of bare wishes gives: by habit, or as a correction of an output that is not so already.

    Without a word of habit and with nothing to correct it belongs to what is asked for (labelling.md).
    """
    standing = own.turn.kind is TurnKind.MEMORY or has(Cue.HABIT, own.turn.prose)
    wishes = sorted(bare_wishes(own.turn.prose), key=str) if standing or own.before else []
    if wishes and not standing:
        decided = verdicts(own.output())
        wishes = [pair for pair in wishes if decided.get(pair, UNKNOWN) != SATISFIED]
    signal = Signal.STANDING if standing else Signal.CORRECTION
    return [Evidence(pair, own.index, 1.0, signal, cue="bare") for pair in wishes]


def heard_of(own: Own, reading: Reading | None) -> Heard:
    """Everything that one turn says. What rules read whole needs no second reading."""
    rules = by_rule(own)
    if any(item.cue == "bare" for item in rules):
        return Heard(None, rules)
    plain = reading is None or not reading.evidence
    return Heard(reading, rules, taken_back(own.turn.prose) if plain else None)


def readings(owns: list[Own]) -> dict[int, Reading]:
    """The classifier's reading of each message that has words, by the index of its turn."""
    spoken = [own for own in owns if own.turn.kind is not TurnKind.EDIT]
    scores = classifier.score([own.turn.prose for own in spoken], [own.output for own in spoken])
    return {own.index: read(own, scored) for own, scored in zip(spoken, scores, strict=True) if scored is not None}


def extract(transcript: Transcript) -> Extraction:
    """The pairs one session gives evidence for, and what was turned down."""
    owns = own_turns(transcript.turns)
    heard = readings(owns)
    standing, rejected = weigh([heard_of(own, heard.get(own.index)) for own in owns])
    candidates = tuple(
        Candidate(item.pair, item.signal, item.scope, item.turn, item.entity, item.cue) for item in standing
    )
    return Extraction(candidates, rejected)
