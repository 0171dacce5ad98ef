"""From a transcript to candidates: rules and the classifier find evidence, then the session is weighed as a whole."""

from habitus_schema.catalog import all_pairs
from habitus_schema.models import Candidate, Extraction, Signal
from habitus_schema.transcript import Transcript, TurnKind

from habitus_tasks.extract import classifier
from habitus_tasks.extract.cues import Cue, has
from habitus_tasks.extract.edits import structural_difference
from habitus_tasks.extract.evidence import Evidence
from habitus_tasks.extract.literal import spelled
from habitus_tasks.extract.own import Own, own_turns
from habitus_tasks.extract.pasted_back import handed_back

THRESHOLD = 0.9


def _by_rule(own: Own) -> list[Evidence]:
    turn = own.turn
    if turn.kind is TurnKind.EDIT:
        edited = structural_difference(turn.proposed, turn.kept)
        return [Evidence(pair, own.index, 1.0, Signal.EDIT, cue="edit") for pair in edited]
    back = handed_back(turn.text, [before.text for before in own.before]) if own.before else frozenset()
    found = [Evidence(pair, own.index, 1.0, Signal.EDIT, cue="handed_back") for pair in back]
    return found + [
        Evidence(pair, own.index, 1.0, Signal.STANDING, cue="literal", words=turn.prose) for pair in spelled(turn.prose)
    ]


def _by_classifier(owns: list[Own]) -> list[Evidence]:
    spoken = [own for own in owns if own.turn.kind is not TurnKind.EDIT]
    scores = classifier.score([own.turn.prose for own in spoken], [own.output() for own in spoken])
    pairs = all_pairs()
    found: list[Evidence] = []
    for own, scored in zip(spoken, scores, strict=True):
        if scored is None:
            continue
        best = scored.windows[:, : len(pairs)].max(axis=0)
        for i in (best > THRESHOLD).nonzero()[0]:
            window = scored.tokenized.windows[int(scored.windows[:, i].argmax())]
            words = window.span.of(own.turn.prose)
            signal = Signal.STANDING if has(Cue.HABIT, words) or own.turn.kind is TurnKind.MEMORY else Signal.CORRECTION
            found.append(Evidence(pairs[i], own.index, float(best[i]), signal, cue="classifier", words=words))
    return found


def extract(transcript: Transcript) -> Extraction:
    """The pairs one session gives evidence for, and what was turned down."""
    owns = own_turns(transcript.turns)
    evidence = [found for own in owns for found in _by_rule(own)] + _by_classifier(owns)
    best: dict[object, Evidence] = {}
    for item in evidence:
        if item.pair not in best or item.weight > best[item.pair].weight:
            best[item.pair] = item
    return Extraction(tuple(Candidate(e.pair, e.signal, e.scope, e.turn, e.entity, e.cue) for e in best.values()))
