"""Asks the endpoint: in the best shape it can do, as often as makes sense, within the session's time and tokens."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

import httpx
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_exponential, wait_random

from habitus_tasks.extract_llm.answer import Answer, read_answer
from habitus_tasks.extract_llm.config import LlmConfig
from habitus_tasks.extract_llm.dialects import LADDER, Conversation, Said, body_of, headers_of, said, url_of
from habitus_tasks.extract_llm.faults import Fault, LlmError
from habitus_tasks.extract_llm.limits import RateLimiter, tokens_of
from habitus_tasks.extract_llm.transport import Reply, open_client, post

UNABLE = frozenset({400, 415, 422, 500, 501})
"""Statuses with which servers refuse a shape that they do not know. 500 is what some say to a `response_format`."""
LONGEST_BACKOFF = 20.0


@dataclass(slots=True, repr=False)
class Allowance:
    """What is left of a session: until when, on the monotonic clock, and how many tokens."""

    until: float
    tokens: int


@dataclass(slots=True)
class _Rung:
    """Where on the ladder of shapes this endpoint stands, and whether it answered there."""

    at: int = 0
    sure: bool = False
    lock: Lock = field(default_factory=Lock)

    def down(self, from_: int) -> bool:
        """One shape down from `from_`, unless an answer came there or there is none below; whether to ask again."""
        with self.lock:
            if self.at > from_:  # another thread went down already
                return True
            if self.sure or self.at + 1 == len(LADDER):
                self.at, self.sure = 0, False  # begin anew next time: the server may have changed, or was just ill
                return False
            self.at += 1
            return True


class LlmClient:
    """One endpoint. Safe between threads; opens its connection at the first question, so after any fork."""

    def __init__(self, config: LlmConfig, sleep: Callable[[float], None] = time.sleep) -> None:
        self._config, self._sleep = config, sleep
        self._url, self._headers = url_of(config), headers_of(config)
        self._limiter = RateLimiter(config.requests_per_minute, sleep=sleep)
        self._rung, self._opening = _Rung(), Lock()
        self._http: httpx.Client | None = None
        pause = config.backoff_seconds
        self._backoff = wait_exponential(multiplier=pause, max=LONGEST_BACKOFF) + wait_random(0, pause)

    def ask(self, asked: Conversation, allowance: Allowance) -> tuple[Answer, str]:
        """The answer, and its text for a conversation that goes on.

        Raises:
            LlmError: when the endpoint does not help within the session's time and the configured tries.
        """

        def may_pass(error: BaseException) -> bool:
            left = allowance.until - time.monotonic()
            return isinstance(error, LlmError) and error.passing and left > max(error.wait or 0, 0)

        tries = Retrying(
            stop=stop_after_attempt(self._config.attempts), wait=self._wait, retry=retry_if_exception(may_pass),
            sleep=self._sleep, reraise=True,
        )  # fmt: skip
        return tries(self._try, asked, allowance)

    def close(self) -> None:
        """Closes the connection."""
        if self._http is not None:
            self._http.close()

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked_for = error.wait if isinstance(error, LlmError) and error.wait else 0.0
        return max(self._backoff(state), asked_for)

    def _try(self, asked: Conversation, allowance: Allowance) -> tuple[Answer, str]:
        heard = self._heard(asked, allowance)
        sent = sum(tokens_of(message["content"]) for message in asked.messages) + tokens_of(asked.system)
        allowance.tokens -= heard.tokens or sent + tokens_of(heard.text)
        answer = read_answer(heard.text)
        if answer is None:
            raise LlmError(Fault.BAD_ANSWER)
        return answer, heard.text

    def _heard(self, asked: Conversation, allowance: Allowance) -> Said:
        """One answer, in the first shape from where the endpoint stands that it does not refuse."""
        while True:
            at = self._rung.at
            reply = self._post(body_of(self._config, asked, LADDER[at]), allowance.until)
            if reply.status == httpx.codes.OK:
                self._rung.sure = True
                heard = said(self._config.api, reply.body)
                if heard is None:
                    raise LlmError(Fault.BAD_ANSWER)
                return heard
            if reply.status not in UNABLE or not self._rung.down(at):
                raise LlmError(_fault(reply.status), reply.retry_after)

    def _post(self, body: bytes, until: float) -> Reply:
        if time.monotonic() >= until:
            raise LlmError(Fault.TIMEOUT)
        self._limiter.take(until)
        with self._opening:
            self._http = self._http or open_client()
        return post(self._http, self._url, self._headers, body, until, self._config.request_seconds)


def _fault(status: int) -> Fault:
    if status == httpx.codes.TOO_MANY_REQUESTS:
        return Fault.RATE_LIMITED
    if status == httpx.codes.REQUEST_TIMEOUT:
        return Fault.TIMEOUT
    return Fault.SERVER_ERROR if status >= 500 else Fault.REFUSED
