"""One call: a query and a profile in, a policy for each pair out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from habitus_classifier import modules
from habitus_classifier.evidence import Evidence, weigh
from habitus_classifier.gate import closed_by
from habitus_classifier.judgement import AsyncBackend, Backend, Judgement
from habitus_classifier.policy import Module, Policy, Reason
from habitus_classifier.prompt import MAX_LINES, section
from habitus_classifier.vote import parse_ranking, tally

if TYPE_CHECKING:
    from habitus_schema.pairs import Pair


@dataclass(frozen=True, slots=True)
class Decision:
    """The policy of one pair, and how it came about.

    Attributes:
        policy: ``ignore``, ``support`` or ``drive``.
        rankings: by module that answered (``mle``, ``cpe_recall``, ``cpe_intent``): its letters, most fitting first.
        scores: by policy word: its positions 1-2-3 summed over the modules that answered.
        reason: the vote, or what closed the gate before it.
    """

    pair: "Pair"
    policy: str
    rankings: Mapping[str, str]
    scores: Mapping[str, int]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions of one query, in the order of its pairs.

    Attributes:
        all_drive: every one of two or more pairs came out as drive, which is suspicious.
        prompt: the section for the model's prompt; empty when no pair applies.
    """

    items: tuple[Decision, ...]
    all_drive: bool
    prompt: str


def _attempt(judge: Callable[..., str], evidence: Evidence, *seen: str) -> str | None:
    """A module's ranking, or None when it broke: the others still vote."""
    try:
        return judge(evidence, *seen)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return None


def built_in(query: str, pairs: Sequence["Pair"]) -> list[Judgement]:
    """The backend that ships: facets once a query, then tables. Needs no network and takes well under a millisecond."""
    return judgements(weigh(query), pairs)


def judgements(evidence: Evidence, pairs: Sequence["Pair"]) -> list[Judgement]:
    """The gate and the three modules by the tables, whatever the evidence comes from."""
    from habitus_schema.catalog import group  # here, so that importing this package does not load the catalog

    typical = {name: _attempt(modules.mle, evidence, name) for name in modules.GROUP_NAMES}
    return [
        Judgement(
            closed_by(evidence, pair.dimension, pair.value),
            {
                Module.MLE: typical[group(pair.dimension)],
                Module.CPE_RECALL: _attempt(modules.cpe_recall, evidence, pair.dimension),
                Module.CPE_INTENT: _attempt(modules.cpe_intent, evidence, pair.dimension, pair.value),
            },
        )
        for pair in pairs
    ]


class Outcome(NamedTuple):
    """What becomes of a judgement; see `Decision`."""

    policy: Policy
    rankings: Mapping[str, str]
    scores: Mapping[str, int]
    reason: Reason


def voted(judgement: Judgement) -> Outcome:
    """The vote over a judgement, unless its gate is closed or fewer than two modules answered."""
    rankings = {module.value: parse_ranking(text) for module, text in judgement.rankings.items() if text is not None}
    found = tally(tuple(rankings.values()))
    if judgement.gate:
        return Outcome(Policy.IGNORE, rankings, found.scores, judgement.gate)
    reason = Reason.VOTE if len(rankings) >= 2 else Reason.TOO_FEW_MODULES
    return Outcome(found.policy, rankings, found.scores, reason)


def _decisions(pairs: Sequence["Pair"], judgements: Sequence[Judgement], max_lines: int) -> Decisions:
    outcomes = map(voted, judgements)
    items = tuple(
        Decision(pair, policy.word, rankings, scores, reason)
        for pair, (policy, rankings, scores, reason) in zip(pairs, outcomes, strict=True)
    )
    drives = sum(item.policy == Policy.PREFERENCE_DRIVEN.word for item in items)
    prompt = section([(item.pair, item.policy) for item in items], max_lines)
    return Decisions(items, len(items) > 1 and drives == len(items), prompt)


def decide(
    query: str, pairs: Sequence["Pair"], *, backend: Backend = built_in, max_lines: int = MAX_LINES
) -> Decisions:
    """Decides for each pair whether to ignore it, let it support the answer, or let it drive it.

    Args:
        query: the person's words, any language and length; a capped part is read.
        pairs: the profile, at most one value a dimension as a rule.
        backend: the source of the judgements.
        max_lines: how many preferences the prompt section may hold.
    """
    return _decisions(pairs, backend(query, pairs), max_lines)


async def decide_async(
    query: str, pairs: Sequence["Pair"], *, backend: Backend = built_in, max_lines: int = MAX_LINES
) -> Decisions:
    """`decide` for callers in an event loop: a backend that waits is awaited, one that does not runs where it is."""
    judgements = await backend.judge(query, pairs) if isinstance(backend, AsyncBackend) else backend(query, pairs)
    return _decisions(pairs, judgements, max_lines)
