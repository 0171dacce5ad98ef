"""The names of the method's description, for one preference or a few: `classify_preference`, `build_generation_prompt`.

A preference is a pair of the catalog. A preference in free text needs a backend that can read it (an LLM); the built-in
one cannot, and says so.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from habitus_classifier.decide import Decisions, built_in, decide
from habitus_classifier.judgement import Backend
from habitus_classifier.policy import Module, Policy
from habitus_classifier.prompt import MAX_LINES, section
from habitus_classifier.split import split_preference, strongest
from habitus_classifier.vote import aggregate_rankings
from habitus_schema.errors import UsageError

if TYPE_CHECKING:
    from habitus_schema.pairs import Pair

Ranker = Callable[[Module, str, str], str]
"""A module for free text: given the module, the query and the preference, its ranking, such as ``B > C > A``."""
_POLICIES = {policy.word: policy for policy in Policy}


class TextBackend(Protocol):
    """A backend that reads free text, such as `habitus_classifier.llm.FreeText`."""

    def classify(self, query: str, preferences: Sequence[str]) -> Sequence[Any]:
        """One decision a preference, each with a `policy`."""


def classify_preference(query: str, preference: "Pair | str", ranker: "Ranker | TextBackend | None" = None) -> Policy:
    """The policy of one preference for one query. A compound one in free text is split, and the strongest part counts.

    Args:
        query: the person's words.
        preference: a pair of the catalog, or free text.
        ranker: judges a free-text preference: a backend that reads text, or a function for one module, which is left
            out when it raises TimeoutError, OSError or ValueError.

    Raises:
        UsageError: for a free-text preference without a ranker.
    """
    if not isinstance(preference, str):
        return _POLICIES[decide(query, [preference]).items[0].policy]
    if ranker is None:
        raise UsageError("a preference in free text needs a ranker; the built-in backend judges pairs of the catalog")
    if not callable(ranker):
        return Policy(ranker.classify(query, [preference])[0].policy)
    return strongest(
        aggregate_rankings(_answers(ranker, query, part).values()).policy for part in split_preference(preference)
    )


def _answers(ranker: Ranker, query: str, preference: str) -> Mapping[Module, str]:
    found: dict[Module, str] = {}
    for module in Module:
        try:
            found[module] = ranker(module, query, preference)
        except (TimeoutError, OSError, ValueError):
            continue  # left out of the vote: two of three still decide
    return found


def build_generation_prompt(
    query: str,
    preferences: "Sequence[Pair] | Sequence[tuple[Pair | str, Policy]] | Decisions" = (),
    backend: Backend = built_in,
) -> str:
    """The prompt for the model: the section of what applies, a blank line, and the query, verbatim.

    Args:
        query: the person's words; every character of them ends the prompt.
        preferences: the profile; or preferences, of the catalog or in free text, with their policies for this query; or
            decisions already made for it.
        backend: the source of the judgements, when there are none yet.
    """
    head = _head(query, preferences, backend)
    return f"{head}\n\n{query}" if head else query


def _head(query: str, preferences: Any, backend: Backend) -> str:
    if isinstance(preferences, Decisions):
        return preferences.prompt
    if any(isinstance(each, tuple) for each in preferences):
        return section([(each, policy.word) for each, policy in preferences], MAX_LINES)
    return decide(query, preferences, backend=backend).prompt
