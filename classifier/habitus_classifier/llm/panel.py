"""Three modules on every preference, at once: what the two entrances, pairs and free text, have in common."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

import httpx

from habitus_classifier.judgement import Judgement
from habitus_classifier.llm.answers import INTENT_SCHEMA, RANKING_SCHEMA, Ranked, read_ranking
from habitus_classifier.llm.chat import CallError, Chat, Failure
from habitus_classifier.llm.endpoint import Endpoint
from habitus_classifier.llm.prompts import Item, messages
from habitus_classifier.policy import Module, Policy, Reason
from habitus_classifier.vote import CONSERVATIVE, tally

_UNREADABLE = Ranked(CONSERVATIVE)


class Heard(NamedTuple):
    """A judgement, and how many of its rankings stand for answers that could not be read."""

    judgement: Judgement
    unreadable: int


class Panel:
    """Asks the modules. Safe to share between queries, event loops and threads."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.chat = Chat(endpoint)
        self._kept: tuple[asyncio.AbstractEventLoop, httpx.AsyncClient] | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.endpoint!r})"

    @asynccontextmanager
    async def kept_open(self) -> AsyncIterator[None]:
        """Keeps the connections over the queries of this event loop; without it, each query makes its own."""
        async with self.chat.client() as client:
            self._kept = (asyncio.get_running_loop(), client)
            try:
                yield
            finally:
                self._kept = None

    @asynccontextmanager
    async def client(self) -> AsyncIterator[httpx.AsyncClient]:
        """The client that is kept open in this event loop, or a new one."""
        kept = self._kept
        if kept and kept[0] is asyncio.get_running_loop():
            yield kept[1]
            return
        async with self.chat.client() as client:
            yield client

    async def heard(
        self, client: httpx.AsyncClient, query: str, items: Sequence[Item], deadline: float, *, recheck: bool
    ) -> list[Heard]:
        """One judgement an item, in order.

        Args:
            deadline: when what is not there has failed, by `time.monotonic`.
            recheck: whether it is suspicious when all of them are drive; then they are asked once more, stricter.
        """
        found = await self._round(client, query, items, deadline, strict=False)
        if not recheck or not all(_drives(each.judgement) for each in found):
            return found
        again = await self._round(client, query, items, deadline, strict=True)
        return [new if _answered(new.judgement) else old for old, new in zip(found, again, strict=True)]

    async def _round(
        self, client: httpx.AsyncClient, query: str, items: Sequence[Item], deadline: float, *, strict: bool
    ) -> list[Heard]:
        calls = [
            [asyncio.create_task(self._module(client, module, query, item, strict)) for module in Module]
            for item in items
        ]
        tasks = [task for row in calls for task in row]
        if not tasks:
            return []
        try:
            _, late = await asyncio.wait(tasks, timeout=max(0.0, deadline - time.monotonic()))
        finally:
            for task in tasks:  # those that are done stay as they are; the rest goes, also when the caller gives up
                task.cancel()
        for _ in late:
            self.chat.account.failed(Failure.TIMEOUT)
        if late:
            await asyncio.wait(late)
        return [_heard([None if task in late else task.result() for task in row]) for row in calls]

    async def _module(
        self, client: httpx.AsyncClient, module: Module, query: str, item: Item, strict: bool
    ) -> Ranked | None:
        schema = INTENT_SCHEMA if module is Module.CPE_INTENT else RANKING_SCHEMA
        try:
            found = await self.chat.ask(client, messages(module, query, item, strict), schema, read_ranking)
        except CallError:
            return None
        return found or _UNREADABLE


def _heard(answers: Sequence[Ranked | None]) -> Heard:
    gate: Reason | None = next((each.conflict for each in answers if each and each.conflict), None)
    rankings = {module: each and each.order for module, each in zip(Module, answers, strict=True)}
    return Heard(Judgement(gate, rankings), sum(each is _UNREADABLE for each in answers))


def _answered(judgement: Judgement) -> bool:
    return sum(order is not None for order in judgement.rankings.values()) >= 2


def _drives(judgement: Judgement) -> bool:
    orders = tuple(order for order in judgement.rankings.values() if order is not None)
    return judgement.gate is None and tally(orders).policy is Policy.PREFERENCE_DRIVEN
