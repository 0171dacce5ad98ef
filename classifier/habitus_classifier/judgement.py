"""What a backend says of a pair, and what a backend is."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from habitus_classifier.policy import Module, Reason

if TYPE_CHECKING:
    from habitus_schema.pairs import Pair


class Judgement(NamedTuple):
    """What a backend says of one pair.

    Attributes:
        gate: why the pair is ignored without a vote, or None.
        rankings: the ranking of each module, most fitting first; None from a module that failed or timed out.
    """

    gate: Reason | None
    rankings: Mapping[Module, str | None]


class Backend(Protocol):
    """Where the judgements come from: the built-in facets, or another that keeps the same contract.

    The contract (one test suite runs over every backend): one judgement a pair, in order; the same call gives the same
    answer; no exception for any query or any trouble, which shows as rankings that are None; nothing of the query in a
    log, an error or a repr.
    """

    def __call__(self, query: str, pairs: Sequence["Pair"]) -> Sequence[Judgement]:
        """One judgement a pair, in order."""


@runtime_checkable
class AsyncBackend(Protocol):
    """A backend that waits for something, and so has an entrance for event loops too."""

    def __call__(self, query: str, pairs: Sequence["Pair"]) -> Sequence[Judgement]:
        """One judgement a pair, in order."""

    async def judge(self, query: str, pairs: Sequence["Pair"]) -> Sequence[Judgement]:
        """The same, awaited."""
