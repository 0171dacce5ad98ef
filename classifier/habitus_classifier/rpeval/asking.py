"""Puts RPEval's records to a language model: our vote, and L1, which is given all preferences at once and decides."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from habitus_classifier.llm import Endpoint, FreeText
from habitus_classifier.llm.chat import Account, CallError
from habitus_classifier.llm.prompts import POLICIES, shown
from habitus_classifier.policy import Policy
from habitus_classifier.rpeval.figures import MISSING
from habitus_classifier.rpeval.files import Record
from habitus_classifier.rpeval.results import Answer, Results
from habitus_schema.errors import UnavailableError

VOTE, L1 = "vote", "L1"
SYSTEMS = (VOTE, L1)
HOPELESS = 5
"""After so many records without an answer, and none with one, the run ends."""
_LETTERS = re.compile(r'"policies"\s*:\s*"([ABC]+)"')
Work = tuple[Record, str]


def patient(endpoint: Endpoint) -> Endpoint:
    """The endpoint with the limits of an evaluation: nobody waits, and an answer is worth more than a second."""
    return replace(endpoint, module_seconds=120.0, query_seconds=600.0, retries=2)


class Run:
    """Asks for what the results lack, several records at once, each by one worker with an account of its own."""

    def __init__(self, endpoint: Endpoint, records: Sequence[Record], results: Results, at_once: int) -> None:
        self._results = results
        self._workers = [
            FreeText(replace(endpoint, connections=max(1, endpoint.connections // at_once))) for _ in range(at_once)
        ]
        self.left: list[Work] = [
            (record, system) for record in records for system in SYSTEMS if not results.has(record.name, system)
        ]
        self.unanswered = 0

    async def ask(self, done: Callable[[], None]) -> None:
        """Asks for all that is left; `done` is called after each. What got no answer is not kept, and left for later.

        Raises:
            UnavailableError: when the first records all got none.
        """
        queue: asyncio.Queue[Work] = asyncio.Queue()
        for work in self.left:
            queue.put_nowait(work)
        await asyncio.gather(*(self._work(worker, queue, done) for worker in self._workers))

    async def _work(self, worker: FreeText, queue: "asyncio.Queue[Work]", done: Callable[[], None]) -> None:
        async with worker.kept_open():
            while not queue.empty():
                record, system = queue.get_nowait()
                answer = await _timed(worker, record, system, _vote if system == VOTE else _at_once)
                if answer is None:
                    self._failed()
                else:
                    self._results.add(answer)
                done()

    def _failed(self) -> None:
        self.unanswered += 1
        if self.unanswered >= HOPELESS and not self._results.answers:
            raise UnavailableError("the endpoint gives no answers: check its address, the model's name and the key")


async def _timed(
    worker: FreeText, record: Record, system: str, ask: Callable[[FreeText, Record], Awaitable[str | None]]
) -> Answer | None:
    before, start = _totals(worker.chat.account), time.monotonic()
    letters = await ask(worker, record)
    if letters is None:
        return None
    spent = [now - then for now, then in zip(_totals(worker.chat.account), before, strict=True)]
    return Answer(*record.name, system, letters, round(time.monotonic() - start, 4), *spent)


def _totals(account: Account) -> tuple[int, int, int]:
    return account.calls, account.prompt_tokens, account.completion_tokens


async def _vote(worker: FreeText, record: Record) -> str | None:
    """The letters of the vote and gate; None when an answer is missing for want of calls that came back."""
    decisions = await worker.classify_async(record.question, record.preferences)
    if any(decision.failed for decision in decisions):
        return None
    return "".join(MISSING if each.unreadable else each.policy.value for each in decisions)


async def _at_once(worker: FreeText, record: Record) -> str | None:
    """The letters that one call gives with all preferences before it."""
    count = len(record.preferences)

    def read(text: str) -> str | None:
        found = _LETTERS.findall(text.rpartition("</think>")[2][:20_000])
        return found[-1] if found and len(found[-1]) == count else None

    try:
        async with worker.client() as client:
            letters = await worker.chat.ask(client, _messages(record), _schema(count), read)
    except CallError:
        return None
    return letters or MISSING * count


def _messages(record: Record) -> list[Mapping[str, str]]:
    known = "\n".join(f"{at}. {shown(text)}" for at, text in enumerate(record.preferences, 1))
    form = (
        'Answer with one JSON object and nothing else. Its key "policies" holds one string: for each numbered item, in '
        f"order, the letter of its policy, {len(record.preferences)} in all, nothing between them."
    )
    return [
        {"role": "system", "content": f"{POLICIES}\n\n{form}"},
        {"role": "user", "content": f"Known of the person:\n{known}\n\nTheir request:\n{shown(record.question)}"},
    ]


def _schema(count: int) -> dict[str, Any]:
    letters = "".join(policy.value for policy in Policy)
    return {
        "type": "object",
        "properties": {"policies": {"type": "string", "pattern": f"^[{letters}]{{{count}}}$"}},
        "required": ["policies"],
        "additionalProperties": False,
    }
