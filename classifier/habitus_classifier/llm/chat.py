"""One question to the endpoint: structured output negotiated down, every answer validated, failures as closed codes.

Servers differ (measured on llama.cpp's: HTTP 500 to ``json_schema``, ``json_object`` with a schema accepted), so each
form is tried in turn and the first that was served is kept for the life of the object. No error of this module holds a
byte of a question or an answer; what a server writes into its own errors is not read.
"""

import asyncio
import json
import logging
import ssl
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cache
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import httpx

from habitus_classifier.llm.endpoint import Endpoint

_log = logging.getLogger("habitus_classifier.llm")
Answer = TypeVar("Answer")
Messages = Sequence[Mapping[str, str]]
MOST_TOKENS = 4096
"""Answers are never given more room than this."""
MOST_BYTES = 1_000_000
"""Of a response that is read."""
BACKOFF_SECONDS = 0.5
"""Before the first retry; doubled for each further one."""


class Form(IntEnum):
    """How an answer's form is asked for, from the strictest on."""

    JSON_SCHEMA = 0
    JSON_OBJECT = 1
    TEXT = 2


_JSON = {"Content-Type": "application/json"}
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_FORM_REFUSED = frozenset({400, 415, 422, 500, 501})
"""What servers answer to a ``response_format`` that they do not know."""


class Failure(StrEnum):
    """Why a call gave no answer. Closed; the only thing that is said of it."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    BAD_RESPONSE = "bad_response"
    UNPARSEABLE = "unparseable"
    """The call was answered, with nothing that can be read."""


class CallError(Exception):
    """A call without an answer.

    Attributes:
        code: why.
    """

    def __init__(self, code: Failure) -> None:
        super().__init__(code.value)
        self.code = code


@dataclass(slots=True)
class Account:
    """What the calls cost. Content-free.

    Attributes:
        calls: requests sent.
        prompt_tokens, completion_tokens: as the server counted them.
        failures: by code.
        seconds: of the latest calls that were answered.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    seconds: deque[float] = field(default_factory=lambda: deque(maxlen=10_000))

    def failed(self, code: Failure) -> None:
        """Counts and logs a failure by its code alone."""
        self.failures[code.value] += 1
        _log.warning("a call to the language model failed: %s", code.value)


@cache
def _certificates() -> ssl.SSLContext:
    """Made once a process: reading the authorities takes longer than a call."""
    return httpx.create_ssl_context()


class Chat:
    """Asks the model. May be shared between queries, event loops and threads."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.account = Account()
        self.form = Form.JSON_SCHEMA
        self._tokens = endpoint.max_tokens
        self._gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    def client(self) -> httpx.AsyncClient:
        """A client for the endpoint, to be closed by the caller. Timeouts are kept by `ask`."""
        headers = {"Authorization": f"Bearer {self.endpoint.key}"} if self.endpoint.key else {}
        limits = httpx.Limits(max_connections=self.endpoint.connections)
        here = httpx.URL(self.endpoint.url).host in _LOOPBACK  # a proxy of the environment must not get these
        no_limit = httpx.Timeout(None)  # `ask` keeps one over the whole call
        return httpx.AsyncClient(
            headers=headers, limits=limits, timeout=no_limit, trust_env=not here, verify=_certificates()
        )

    async def ask(
        self,
        client: httpx.AsyncClient,
        messages: Messages,
        schema: Mapping[str, Any],
        read: Callable[[str], Answer | None],
    ) -> Answer | None:
        """The answer as `read` understands it, or None when there is one that it cannot read.

        Args:
            messages: the conversation.
            schema: the JSON schema of the answer.
            read: makes an answer of the text, or None.

        Raises:
            CallError: when there is no answer.
        """
        loop = asyncio.get_running_loop()
        gate = self._gates.setdefault(loop, asyncio.Semaphore(self.endpoint.connections))
        for attempt in range(self.endpoint.retries + 1):
            try:
                async with gate, asyncio.timeout(self.endpoint.module_seconds):
                    return await self._negotiated(client, messages, schema, read)
            except TimeoutError:
                code = Failure.TIMEOUT
            except CallError as failed:
                code = failed.code
            except (httpx.HTTPError, httpx.InvalidURL, OSError):
                code = Failure.UNREACHABLE
            self.account.failed(code)
            if attempt < self.endpoint.retries:
                await asyncio.sleep(BACKOFF_SECONDS * 2**attempt)
        raise CallError(code) from None

    async def _negotiated(
        self,
        client: httpx.AsyncClient,
        messages: Messages,
        schema: Mapping[str, Any],
        read: Callable[[str], Answer | None],
    ) -> Answer | None:
        for form in tuple(Form)[self.form :]:
            status, body = await self._send(client, messages, schema, form)
            if status in _FORM_REFUSED and form is not Form.TEXT:
                continue
            if status != httpx.codes.OK:
                break
            self.form = max(self.form, form)
            text, cut_off = _content(body)
            answer = read(text)
            if answer is None and cut_off and self._tokens < MOST_TOKENS:
                self._tokens = min(4 * self._tokens, MOST_TOKENS)
                return await self._negotiated(client, messages, schema, read)
            if answer is None:
                self.account.failed(Failure.UNPARSEABLE)
            return answer
        raise CallError(Failure.REFUSED)

    async def _send(
        self, client: httpx.AsyncClient, messages: Messages, schema: Mapping[str, Any], form: Form
    ) -> tuple[int, Any]:
        request: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": list(messages),
            "temperature": 0,
            "max_tokens": self._tokens,
        }
        if form is Form.JSON_SCHEMA:
            wanted = {"name": "answer", "strict": True, "schema": schema}
            request["response_format"] = {"type": "json_schema", "json_schema": wanted}
        elif form is Form.JSON_OBJECT:
            request["response_format"] = {"type": "json_object", "schema": schema}
        self.account.calls += 1
        start = time.monotonic()
        async with client.stream("POST", self.endpoint.chat, content=_body(request), headers=_JSON) as response:
            if response.status_code != httpx.codes.OK:
                return response.status_code, None  # its body may repeat the question, so it is not read
            body = await _json(response)
        self.account.seconds.append(time.monotonic() - start)
        usage = body.get("usage") if isinstance(body, dict) else None
        if isinstance(usage, dict):
            self.account.prompt_tokens += _count(usage.get("prompt_tokens"))
            self.account.completion_tokens += _count(usage.get("completion_tokens"))
        return response.status_code, body


def _body(request: dict[str, Any]) -> bytes:
    """In ASCII, with escapes: a lone surrogate in a query is no reason to fail."""
    return json.dumps(request).encode("ascii")


async def _json(response: httpx.Response) -> Any:
    data = bytearray()
    async for chunk in response.aiter_bytes():
        data += chunk
        if len(data) > MOST_BYTES:
            raise CallError(Failure.BAD_RESPONSE)
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise CallError(Failure.BAD_RESPONSE) from None


def _content(body: Any) -> tuple[str, bool]:
    """The text of the first choice, and whether it was cut off."""
    try:
        choice = body["choices"][0]
        text = choice["message"]["content"]
        cut_off = choice.get("finish_reason") == "length"
    except (AttributeError, IndexError, KeyError, TypeError):
        raise CallError(Failure.BAD_RESPONSE) from None
    return (text if isinstance(text, str) else ""), cut_off


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
