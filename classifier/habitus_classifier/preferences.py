"""The names of the method's description, for one preference or a few: `classify_preference`, `build_generation_prompt`.

A preference is a pair of the catalog. A preference in free text needs a backend that can read it (an LLM); the built-in
one cannot, and says so.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from habitus_classifier.decide import Backend, Decisions, built_in, decide
from habitus_classifier.policy import Module, Policy
from habitus_classifier.vote import aggregate_rankings
from habitus_schema.errors import UsageError

if TYPE_CHECKING:
    from habitus_schema.pairs import Pair

Ranker = Callable[[Module, str, str], str]
"""A module for free text: given the module, the query and the preference, its ranking, such as ``B > C > A``."""
_POLICIES = {policy.word: policy for policy in Policy}


def classify_preference(query: str, preference: "Pair | str", ranker: Ranker | None = None) -> Policy:
    """The policy of one preference for one query.

    Args:
        query: the person's words.
        preference: a pair of the catalog, or free text.
        ranker: judges a free-text preference; a module that raises TimeoutError, OSError or ValueError is left out.

    Raises:
        UsageError: for a free-text preference without a ranker.
    """
    if not isinstance(preference, str):
        return _POLICIES[decide(query, [preference]).items[0].policy]
    if ranker is None:
        raise UsageError("a preference in free text needs a ranker; the built-in backend judges pairs of the catalog")
    return aggregate_rankings(_answers(ranker, query, preference).values()).policy


def _answers(ranker: Ranker, query: str, preference: str) -> Mapping[Module, str]:
    found: dict[Module, str] = {}
    for module in Module:
        try:
            found[module] = ranker(module, query, preference)
        except (TimeoutError, OSError, ValueError):
            continue  # left out of the vote: two of three still decide
    return found


def build_generation_prompt(
    query: str, preferences: "Sequence[Pair] | Decisions" = (), backend: Backend = built_in
) -> str:
    """The prompt for the model: the section of what applies, a blank line, and the query, verbatim.

    Args:
        query: the person's words; every character of them ends the prompt.
        preferences: the profile, or decisions already made for this query.
        backend: the source of the judgements, when there are none yet.
    """
    decisions = preferences if isinstance(preferences, Decisions) else decide(query, preferences, backend=backend)
    return f"{decisions.prompt}\n\n{query}" if decisions.prompt else query
