"""Scores the built-in backend on a labelled policy set, with each module alone and the usual baselines beside it.

A row is ``{"query": ..., "preferences": [{"dimension", "value"}], "policies": [...], "tags": [...]}``.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from habitus_classifier.decide import Decision, decide
from habitus_classifier.policy import GATED, WORDS, Module, Policy
from habitus_classifier.vote import aggregate_rankings
from habitus_schema.pairs import Pair

IGNORE, SUPPORT, DRIVE = WORDS.values()
OVERRIDE = "override"
"""The tag of queries that contradict a pair or have another recipient."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One pair of one query with its label. `key`: what the baselines may look at."""

    decision: Decision
    gold: str
    query: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """How well policies fit their labels. Shares are 0..1; a share of nothing is 0.

    Attributes:
        rows: pairs judged.
        micro: share of right policies.
        macro_f1: mean F1 of the three policies.
        recall: by policy word.
        over_use: share of the pairs labelled ignore that were taken as support or drive.
        misapplied: the same among queries tagged `OVERRIDE`.
    """

    rows: int
    micro: float
    macro_f1: float
    recall: Mapping[str, float]
    over_use: float
    misapplied: float


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _f1(confusion: Counter[tuple[str, str]], word: str) -> float:
    right = confusion[word, word]
    labelled = sum(count for (gold, _), count in confusion.items() if gold == word)
    given = sum(count for (_, policy), count in confusion.items() if policy == word)
    return _share(2 * right, labelled + given)


def figures(outcomes: Iterable[tuple[str, str, bool]]) -> Figures:
    """The figures of (label, policy, tagged as override) triples."""
    confusion: Counter[tuple[str, str]] = Counter()
    override: Counter[bool] = Counter()
    for gold, policy, tagged in outcomes:
        confusion[gold, policy] += 1
        if tagged and gold == IGNORE:
            override[policy != IGNORE] += 1
    words = tuple(WORDS.values())
    right = sum(confusion[word, word] for word in words)
    labelled = {word: sum(confusion[word, policy] for policy in words) for word in words}
    recall = {word: _share(confusion[word, word], labelled[word]) for word in words}
    return Figures(
        rows=confusion.total(),
        micro=_share(right, confusion.total()),
        macro_f1=sum(_f1(confusion, word) for word in words) / len(words),
        recall=recall,
        over_use=_share(labelled[IGNORE] - confusion[IGNORE, IGNORE], labelled[IGNORE]),
        misapplied=_share(override[True], override.total()),
    )


def judge(rows: Iterable[Mapping[str, Any]]) -> list[Judged]:
    """Decides every row.

    Raises:
        KeyError, TypeError, ValueError: for a row of another form.
    """
    found: list[Judged] = []
    for row in rows:
        pairs = [Pair.model_validate(each) for each in row["preferences"]]
        tags = tuple(row.get("tags", ()))
        decisions = decide(row["query"], pairs).items
        for decision, gold in zip(decisions, row["policies"], strict=True):
            if gold not in WORDS.values():
                raise ValueError("a policy is ignore, support or drive")
            found.append(Judged(decision, gold, row["query"], tags))
    return found


def _voted(judged: Judged) -> str:
    return aggregate_rankings(judged.decision.rankings.values()).policy.word


def _alone(module: Module) -> Callable[[Judged], str]:
    return lambda judged: Policy(judged.decision.rankings[module.value][0]).word


SYSTEMS: Mapping[str, Callable[[Judged], str]] = {
    **{f"{module.value} alone": _alone(module) for module in Module},
    "vote": _voted,
    "vote and gate": lambda judged: judged.decision.policy,
    "always ignore": lambda judged: IGNORE,
}
"""What the ablation compares: the policy each gives a pair."""
BASELINES: Mapping[str, Callable[[Judged], str]] = {
    "pair only": lambda judged: str(judged.decision.pair),
    "dimension only": lambda judged: str(judged.decision.pair.dimension),
    "query only": lambda judged: judged.query,
}
"""Upper bounds that know the labels: for all pairs with the same key, the policy most often right there."""


def _majority(judged: Sequence[Judged], key: Callable[[Judged], str]) -> list[str]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for each in judged:
        counts[key(each)][each.gold] += 1
    order = list(WORDS.values())
    best = {name: max(order, key=lambda word: (count[word], -order.index(word))) for name, count in counts.items()}
    return [best[key(each)] for each in judged]


def _measure(judged: Sequence[Judged], policies: Iterable[str]) -> Figures:
    return figures((each.gold, policy, OVERRIDE in each.tags) for each, policy in zip(judged, policies, strict=True))


def ablation(judged: Sequence[Judged]) -> dict[str, Figures]:
    """The figures of each module alone, the vote, the vote behind the gate, and the baselines, by name."""
    found = {name: _measure(judged, map(system, judged)) for name, system in SYSTEMS.items()}
    found |= {name: _measure(judged, _majority(judged, key)) for name, key in BASELINES.items()}
    return found


def score(rows: Iterable[Mapping[str, Any]]) -> Figures:
    """The figures of the built-in backend on a labelled set."""
    judged = judge(rows)
    return _measure(judged, (each.decision.policy for each in judged))


def _line(name: str, found: Figures) -> dict[str, Any]:
    return {
        "of": name,
        "pairs": found.rows,
        "micro": found.micro,
        "macro_f1": found.macro_f1,
        "drive_recall": found.recall[DRIVE],
        "over_use": found.over_use,
        "misapplied": found.misapplied,
    }


def _split(judged: Sequence[Judged], names: Callable[[Judged], Iterable[str]]) -> list[dict[str, Any]]:
    parts: dict[str, list[Judged]] = defaultdict(list)
    for each in judged:
        for name in names(each):
            parts[name].append(each)
    return [
        _line(name, _measure(part, (each.decision.policy for each in part))) for name, part in sorted(parts.items())
    ]


def report(rows: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """What ``habitus eval policy`` prints: the totals, and tables by system, tag and dimension."""
    judged = judge(rows)
    found = _measure(judged, (each.decision.policy for each in judged))
    totals = {
        "pairs": found.rows,
        "micro": found.micro,
        "macro_f1": found.macro_f1,
        **{f"{word}_recall": share for word, share in found.recall.items()},
        "over_use": found.over_use,
        "misapplied": found.misapplied,
        "gated": sum(each.decision.reason in GATED for each in judged),
    }
    tables = {
        "ablation": [_line(name, part) for name, part in ablation(judged).items()],
        "by_tag": _split(judged, lambda each: each.tags or ("untagged",)),
        "by_dimension": _split(judged, lambda each: (str(each.decision.pair.dimension),)),
    }
    return totals, tables
