"""The gate under the names of the original description: it raises where `habitus_tasks.gate.judge` returns."""

from dataclasses import dataclass, field
from typing import cast

from habitus_schema.codes import Code
from habitus_schema.errors import HabitusError
from habitus_schema.pairs import Pair
from habitus_tasks.gate import MIN_K, Decision, check_k, judge


class PrivateDataLeakageViolation(HabitusError):  # noqa: N818 - the name of the original description
    """A candidate that is not a closed pair, or whose note holds something private.

    Attributes:
        code: the closed reason; also the whole message.
        detector: the name of what refused it.
    """

    def __init__(self, code: Code, detector: str) -> None:
        super().__init__(code.value)
        self.code = code
        self.detector = detector


class InsufficientRecurrence(HabitusError):  # noqa: N818 - a sibling of the violation, named like it
    """A clean candidate that was not yet seen in enough contexts; not a privacy violation.

    Attributes:
        code: BELOW_RECURRENCE.
    """

    def __init__(self) -> None:
        super().__init__(Code.BELOW_RECURRENCE.value)
        self.code = Code.BELOW_RECURRENCE


@dataclass(frozen=True, slots=True)
class CandidateImplicitPreference:
    """A candidate as a caller brings it. Nothing is checked here: the gate takes anything. Its repr shows nothing."""

    dimension_key: str = field(repr=False)
    dimension_value: str = field(repr=False)
    observed_across_distinct_contexts: int = field(repr=False)
    source_justification_note: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ImplicitPreferencePrivacyGate:
    """The gate for K contexts.

    Raises:
        UsageError: when `min_context_recurrence` is not an integer of at least 2.
    """

    min_context_recurrence: int = MIN_K

    def __post_init__(self) -> None:
        check_k(self.min_context_recurrence)

    def validate_preference(self, candidate: CandidateImplicitPreference) -> tuple[str, str]:
        """The (key, value) of an accepted candidate, as plain text.

        Raises:
            PrivateDataLeakageViolation: for a rejected candidate, with a code and no text.
            InsufficientRecurrence: for one that is clean but below K.
        """
        verdict = judge(
            candidate.dimension_key,
            candidate.dimension_value,
            candidate.observed_across_distinct_contexts,
            candidate.source_justification_note,
            k=self.min_context_recurrence,
        )
        # A rejected verdict has a code and a detector, an accepted one its pair; the casts only tell the type checker.
        if verdict.verdict is Decision.REJECTED:
            raise PrivateDataLeakageViolation(cast(Code, verdict.code), cast(str, verdict.detector)) from None
        if verdict.verdict is Decision.DEFERRED:
            raise InsufficientRecurrence from None
        pair = cast(Pair, verdict.pair)
        return pair.dimension.value, pair.value
