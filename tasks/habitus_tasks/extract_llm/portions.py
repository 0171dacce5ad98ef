"""A session as the model is asked about it: the person's own messages, in windows, within the token budget."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from habitus_schema.transcript import TurnKind
from habitus_tasks.extract.own import Own
from habitus_tasks.extract_llm.facts import facts_of
from habitus_tasks.extract_llm.limits import tokens_of
from habitus_tasks.extract_llm.mask import Mask

MAX_CHARS = 6_000
"""Characters of one message that are sent, half from its start and half from its end."""
OVERLAP = 3
"""Messages before a window that are shown with it, so that 'forget that' has something to refer to."""


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """One of the person's messages: its number in the session, and what is sent of it."""

    number: int
    own: Own
    sent: dict[str, Any]
    tokens: int


@dataclass(frozen=True, slots=True, repr=False)
class Portion:
    """One question: messages to judge, and some before them for the context."""

    before: tuple[Entry, ...]
    entries: tuple[Entry, ...]

    @property
    def own(self) -> dict[int, Own]:
        """The messages that a finding may cite, by number."""
        return {entry.number: entry.own for entry in self.entries}

    @property
    def tokens(self) -> int:
        """Estimated tokens of all that is sent."""
        return sum(entry.tokens for entry in (*self.before, *self.entries))


def entries_of(owns: Sequence[Own], mask: Mask, budget: int) -> list[Entry]:
    """The person's messages that have words of their own, masked; the latest of about `budget` tokens, in order.

    Edits are left to the edit rule. What will not be sent is not masked either, which takes its time.
    """
    worded = [own for own in owns if own.turn.kind is not TurnKind.EDIT and own.turn.prose.strip()]
    found: list[Entry] = []
    for number in range(len(worded), 0, -1):
        if budget <= 0:
            break
        found.append(_entry(number, worded[number - 1], mask))
        budget -= found[-1].tokens
    return found[::-1]


def _entry(number: int, own: Own, mask: Mask) -> Entry:
    words = mask.hide(_cut(own.turn.prose))
    facts = facts_of(own.output())
    sent = {"number": number, "assistant_before": facts, "kind": own.turn.kind.value, "words": words}
    return Entry(number, own, sent, tokens_of(str(sent)))


def _cut(text: str) -> str:
    """Cut between words, so that no private string is halved and then not known for one."""
    half = MAX_CHARS // 2
    if len(text) <= MAX_CHARS:
        return text
    return f"{text[:half].rpartition(' ')[0]}\n[…]\n{text[-half:].partition(' ')[2]}"


def portions_of(entries: Sequence[Entry], window: int, budget: int, overhead: int) -> list[Portion]:
    """Windows of at most `window` tokens, in order; the latest that fit into the budget.

    The last word counts: a wish of an unread start is lost and comes back another day, a withdrawal that was not read
    would make a wrong profile.

    Args:
        overhead: tokens that every question costs beside its messages: instructions, schema, answer.
    """
    runs: list[list[Entry]] = []
    for entry in entries:
        if not runs or sum(each.tokens for each in runs[-1]) + entry.tokens > window:
            runs.append([])
        runs[-1].append(entry)
    kept: list[Portion] = []
    for run in reversed(runs):
        first = entries.index(run[0])
        portion = Portion(tuple(entries[max(first - OVERLAP, 0) : first]), tuple(run))
        budget -= portion.tokens + overhead
        if budget < 0:
            break
        kept.append(portion)
    return kept[::-1]
