"""The language model as a backend for pairs of the catalog: the same contract as the built-in one."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from habitus_classifier.decide import built_in
from habitus_classifier.evidence import NAMES, weigh
from habitus_classifier.judgement import Judgement
from habitus_classifier.llm.panel import Panel
from habitus_classifier.llm.prompts import Item
from habitus_classifier.llm.running import run
from habitus_classifier.policy import Reason
from habitus_classifier.vote import tally
from habitus_schema.catalog import group, meaning

if TYPE_CHECKING:
    from habitus_schema.pairs import Pair

LIKELY = 0.4
"""From this chance on, a query is taken to be for somebody else, or for a medium without Markdown."""


class LanguageModel(Panel):
    """Judges pairs: a gate by the built-in facets, then three modules by the model.

    Of a profile, at most `Endpoint.top_k` pairs are sent, those that the built-in backend finds least out of place; the
    others are ignored with the reason ``filtered``. When nothing answers, every pair is ignored.
    """

    def __call__(self, query: str, pairs: Sequence["Pair"]) -> list[Judgement]:
        """`judge` for callers without an event loop; inside one, it runs in a thread and blocks the caller."""
        return run(self.judge(query, pairs))

    async def judge(self, query: str, pairs: Sequence["Pair"]) -> list[Judgement]:
        """One judgement a pair, in order. Never raises for what the endpoint does."""
        deadline = time.monotonic() + self.endpoint.query_seconds
        found = built_in(query, pairs)
        sent = self._worth_asking(found)
        recipient, medium = _circumstances(query)
        items = [_item(pairs[at], recipient, medium) for at in sent]
        async with self.client() as client:
            heard = await self.heard(client, query, items, deadline, recheck=1 < len(pairs) == len(sent))
        answers = {at: each.judgement for at, each in zip(sent, heard, strict=True)}
        return [
            answers[at] if at in answers else each._replace(gate=each.gate or Reason.FILTERED)
            for at, each in enumerate(found)
        ]

    def _worth_asking(self, found: Sequence[Judgement]) -> list[int]:
        """Positions of the pairs that are sent: not stopped by the gate, and the best `top_k` of those."""
        open_ = [at for at, each in enumerate(found) if each.gate is None]
        best = sorted(open_, key=lambda at: -_room(found[at]))[: self.endpoint.top_k]
        return sorted(best)


def _room(judgement: Judgement) -> int:
    """How far down the modules rank ignore, 0..9."""
    orders = tuple(order for order in judgement.rankings.values() if order is not None)
    return tally(orders).scores["ignore"] if orders else 0


def _circumstances(query: str) -> tuple[str, str]:
    """Whom the answer is for and where it is shown, in words."""
    vector = weigh(query).vector
    recipient = "somebody else, or the public" if vector[NAMES["letter"]] >= LIKELY else "the person"
    medium = "something that shows no Markdown" if vector[NAMES["medium"]] >= LIKELY else "the chat"
    return recipient, medium


def _item(pair: "Pair", recipient: str, medium: str) -> Item:
    subject = pair.dimension.value.replace("_", " ")
    return Item(group(pair.dimension), subject, meaning(pair), recipient, medium)
