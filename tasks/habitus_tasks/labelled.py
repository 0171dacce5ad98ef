"""Labels in the extractor's place: what follows from the right pairs, judged apart from whether they are found."""

from collections.abc import Iterable, Mapping
from typing import Any

from habitus_schema.models import Candidate, Extraction, Scope, Signal
from habitus_schema.pairs import Pair
from habitus_schema.transcript import Speaker, Transcript
from habitus_tasks.pipeline import Extractor


def as_labelled(labels: Iterable[Mapping[str, Any]]) -> Extractor:
    """An extractor that finds just these: ``{"dimension", "value", "signal", "scope"}`` (formats.md of the contract).

    A label may name the person's message that gives it ("message", from 1; by default the last) and its "entity".
    """
    given = list(labels)

    def extract(transcript: Transcript) -> Extraction:
        own = [at for at, turn in enumerate(transcript.turns) if turn.speaker is Speaker.PERSON]
        return Extraction(tuple(_candidate(label, own) for label in given))

    return extract


def _candidate(label: Mapping[str, Any], own: list[int]) -> Candidate:
    pair = Pair.model_validate({"dimension": label["dimension"], "value": label["value"]})
    turn = own[label.get("message", len(own)) - 1]
    return Candidate(pair, Signal(label["signal"]), Scope(label["scope"]), turn, label.get("entity", ""), "label")
