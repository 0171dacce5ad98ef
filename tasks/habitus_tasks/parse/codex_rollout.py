"""Codex CLI rollouts: JSON Lines of ``{timestamp, type, payload}``.

A rollout tells the person's words up to three times: as ``UserMessage`` items (from about 0.149), as ``user_message``
events, and among the model's input as messages of role ``user``, where injected text lies too. The first kind that a
rollout has is taken, and the others are left alone (vectorize-io/hindsight#4377).
"""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Mapping

from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.parse.jsonio import as_map, as_text, moment
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.messages import texts
from habitus_tasks.parse.openai_responses import take_item
from habitus_tasks.parse.turns import TurnLog
from habitus_tasks.parse.words import is_slash_command, own_text

_ITEM, _EVENT, _INPUT = "UserMessage", "user_message", "input"
_NEVER = sys.maxsize
_BARE_ITEMS = frozenset({"message", "function_call", "function_call_output", "reasoning", "local_shell_call"})
"""Rollouts of before September 2025 hold the items themselves, without an envelope."""
_QUIET = frozenset({"turn_context", "compacted", "event_msg", "session_meta", "world_state"})


def read_records(records: Iterable[object], limits: Limits) -> Transcript:
    """The transcript of one rollout. A sub-agent's has no turn of the person: its prompts are another agent's.

    Args:
        records: the decoded lines; anything but an object counts as a bad record.
        limits: what is kept at most.
    """
    reader = _Reader(limits)
    for record in records:
        reader.take(as_map(record))
    return reader.transcript()


class _Reader:
    def __init__(self, limits: Limits) -> None:
        self._log = TurnLog(limits)
        self._meta: Mapping[str, object] | None = None
        self._told: dict[str, list[int]] = {source: [] for source in (_ITEM, _EVENT, _INPUT)}
        self._replies: dict[str, set[int]] = {_EVENT: set(), _INPUT: set()}
        self._rolled_back: list[tuple[int, int]] = []

    def take(self, record: Mapping[str, object]) -> None:
        self._log.at += 1
        kind = as_text(record.get("type"))
        self._log.saw(moment(record.get("timestamp")))
        if kind == "session_meta" or ("instructions" in record and not kind):
            payload = as_map(record.get("payload", record))
            self._meta = payload if self._meta is None else self._meta
        elif kind == "response_item" or (kind in _BARE_ITEMS and "payload" not in record):
            self._response_item(as_map(record.get("payload", record)))
        elif kind == "event_msg":
            self._event(as_map(record.get("payload")))
        else:
            self._log.skipped += kind not in _QUIET

    def _response_item(self, item: Mapping[str, object]) -> None:
        if item.get("type") == "message" and item.get("role") == "user":
            self._log.messages += 1
            self._person(_INPUT, texts(item.get("content")))
            return
        if item.get("type") == "message" and item.get("role") == "assistant":
            self._replies[_INPUT].add(self._log.at)
        take_item(self._log, item)

    def _event(self, event: Mapping[str, object]) -> None:
        kind, item = event.get("type"), as_map(event.get("item"))
        if kind == "item_completed" and item.get("type") == "UserMessage":
            self._person(_ITEM, texts(item.get("content")))
        elif kind == "user_message" and event.get("kind") in (None, "plain"):
            self._person(_EVENT, [as_text(event.get("message"))])
        elif kind == "agent_message":
            self._replies[_EVENT].add(self._log.at)
            self._log.assistant(as_text(event.get("message")))
        elif kind == "thread_rolled_back" and isinstance(turns := event.get("num_turns"), int):
            self._rolled_back.append((self._log.at, turns))

    def _person(self, source: str, parts: list[str]) -> None:
        own = [text for part in parts if (text := own_text(part))]
        if own and not is_slash_command(own[0]):
            self._told[source].append(self._log.at)
            self._log.person("\n\n".join(own))

    def transcript(self) -> Transcript:
        meta = self._meta or {}
        told = next((rows for rows in self._told.values() if rows), [])
        dead = _abandoned(told, self._rolled_back)
        person = set() if "subagent" in as_map(meta.get("source")) else set(told)
        echoes = self._replies[_EVENT] if self._replies[_INPUT] else set()

        def keep(at: int, turn: Turn) -> bool:
            mine = at in person if turn.speaker is Speaker.PERSON else at not in echoes
            return mine and not _lies_in(dead, at)

        self._log.messages = max(self._log.messages, len(told))
        return self._log.transcript(Format.CODEX_ROLLOUT, as_text(meta.get("id")), keep)


def _abandoned(told: list[int], rolled_back: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches of rows that the person took back: from the first message rolled back to the roll-back.

    They come in order and do not overlap, so that a row is looked up by bisection.
    """
    live: list[int] = []
    stretches: list[tuple[int, int]] = []
    coming = iter([*told, _NEVER])
    following = next(coming)
    for row, turns in rolled_back:
        while following < row:
            live.append(following)
            following = next(coming)
        if turns > 0 and live:
            first = live[-turns:][0]
            del live[-turns:]
            while stretches and stretches[-1][0] > first:
                stretches.pop()
            stretches.append((first, row))
    return stretches


def _lies_in(stretches: list[tuple[int, int]], row: int) -> bool:
    before = bisect_right(stretches, (row, _NEVER)) - 1
    return before >= 0 and row < stretches[before][1]
