"""The gate over findings: a pair that is none, or a note with anything private in it, goes no further."""

from collections.abc import Iterable
from dataclasses import dataclass

from habitus_schema.codes import Code
from habitus_schema.models import Rejection
from habitus_schema.pairs import Pair
from habitus_tasks.extract_llm.answer import Finding
from habitus_tasks.gate import Decision, judge


@dataclass(frozen=True, slots=True, repr=False)
class Passed:
    """A finding that the gate let through, without its note."""

    pair: Pair
    finding: Finding


@dataclass(frozen=True, slots=True, repr=False)
class Refused:
    """A finding that it did not. `pair`: None when the schema refused it; else only its note was."""

    finding: Finding
    code: Code
    detector: str | None
    pair: Pair | None

    @property
    def mendable(self) -> bool:
        """Whether another note could let it through."""
        return self.pair is not None

    @property
    def rejection(self) -> Rejection:
        """Its line in the rejection log."""
        return Rejection(code=self.code, dimension=self.pair.dimension if self.pair else None, detector=self.detector)


def gated(findings: Iterable[Finding]) -> tuple[list[Passed], list[Refused]]:
    """Each finding before the gate, as one context would be; its note ends here."""
    passed: list[Passed] = []
    refused: list[Refused] = []
    for finding in findings:
        dimension, _, value = finding.pair.partition("=")
        verdict = judge(dimension, value, 1, finding.note)
        bare = finding.model_copy(update={"note": None})
        if verdict.verdict is Decision.REJECTED or verdict.pair is None:
            code = verdict.code or Code.FREE_TEXT
            refused.append(Refused(bare, code, verdict.detector, verdict.pair))
        else:
            passed.append(Passed(verdict.pair, bare))
    return passed, refused
