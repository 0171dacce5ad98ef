"""Preferences in free text, judged by a language model. They come from the caller and are never stored.

A compound one ('likes spicy food but avoids shellfish') is split before it is judged. The model does it, and says of
each statement its subject and area, which is what CPE-Recall and MLE are shown in its place; when that fails, the split
by conjunctions does, and all three modules see the statement.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import httpx

from habitus_classifier.decide import voted
from habitus_classifier.judgement import Judgement
from habitus_classifier.llm.answers import PARTS_SCHEMA, Part, read_parts
from habitus_classifier.llm.chat import CallError
from habitus_classifier.llm.endpoint import Endpoint
from habitus_classifier.llm.panel import Heard, Panel
from habitus_classifier.llm.prompts import Item, splitting
from habitus_classifier.llm.running import run
from habitus_classifier.policy import Policy
from habitus_classifier.split import split_preference, strongest

REMEMBERED = 4096
"""Preferences whose parts are kept in memory, so that each is split once and not once a query."""


@dataclass(frozen=True, slots=True)
class PartDecision:
    """The policy of one statement. Its words are in no repr.

    Attributes:
        unreadable: rankings of the judgement that stand for answers that could not be read.
    """

    policy: Policy
    judgement: Judgement
    unreadable: int
    part: Part

    def rankings(self, *, read: bool = False) -> int:
        """How many modules answered; with `read`, in a form that could be read."""
        answered = sum(order is not None for order in self.judgement.rankings.values())
        return answered - self.unreadable if read else answered


@dataclass(frozen=True, slots=True)
class TextDecision:
    """The policy of a preference: the strongest among its parts, each of which may be applied by itself."""

    policy: Policy
    parts: tuple[PartDecision, ...]

    @property
    def failed(self) -> bool:
        """Whether no part has the two rankings that a vote takes."""
        return all(each.rankings() < 2 for each in self.parts)

    @property
    def unreadable(self) -> bool:
        """Whether no part has two rankings that could be read."""
        return all(each.rankings(read=True) < 2 for each in self.parts)


class FreeText(Panel):
    """Judges preferences in free text."""

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self._parts: OrderedDict[str, tuple[Part, ...]] = OrderedDict()

    def classify(self, query: str, preferences: Sequence[str]) -> list[TextDecision]:
        """`classify_async` for callers without an event loop."""
        return run(self.classify_async(query, preferences))

    async def classify_async(self, query: str, preferences: Sequence[str]) -> list[TextDecision]:
        """One decision a preference, in order. Never raises for what the endpoint does."""
        deadline = time.monotonic() + self.endpoint.query_seconds
        async with self.client() as client:
            split = await asyncio.gather(*(self._split(client, each, deadline) for each in preferences))
            items = [Item(part.area, part.subject, part.statement) for parts in split for part in parts]
            heard = iter(await self.heard(client, query, items, deadline, recheck=len(preferences) > 1))
        return [_decision(parts, [next(heard) for _ in parts]) for parts in split]

    async def _split(self, client: httpx.AsyncClient, preference: str, deadline: float) -> tuple[Part, ...]:
        known = self._parts.get(preference)
        if known is None:
            known = await self._prepared(client, preference, deadline)
            if known is None:
                return tuple(Part(each, each, each) for each in split_preference(preference))
            self._parts[preference] = known
            if len(self._parts) > REMEMBERED:
                self._parts.popitem(last=False)
        return known

    async def _prepared(self, client: httpx.AsyncClient, preference: str, deadline: float) -> tuple[Part, ...] | None:
        try:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                return await self.chat.ask(client, splitting(preference), PARTS_SCHEMA, read_parts)
        except (CallError, TimeoutError):
            return None


def _decision(parts: Sequence[Part], heard: Sequence[Heard]) -> TextDecision:
    found = tuple(
        PartDecision(voted(each.judgement).policy, each.judgement, each.unreadable, part)
        for part, each in zip(parts, heard, strict=True)
    )
    return TextDecision(strongest(each.policy for each in found), found)
