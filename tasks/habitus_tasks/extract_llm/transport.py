"""One HTTP request: bounded in time and size, and closed about what went wrong."""

import logging
import math
import time
from dataclasses import dataclass

import httpx

from habitus_tasks.extract_llm.faults import Fault, LlmError

MAX_ANSWER = 1_000_000
"""Bytes of an answer that are read; findings are a few thousand."""
NEVER = logging.CRITICAL + 1


@dataclass(frozen=True, slots=True, repr=False)
class Reply:
    """What came back. `retry_after`: seconds, when the endpoint named some."""

    status: int
    retry_after: float | None
    body: bytes


def silence() -> None:
    """httpx and httpcore log URLs and headers, and would log them into whatever the process has set up."""
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(NEVER)


def open_client() -> httpx.Client:
    """A client that follows no redirects: the words go to the endpoint that was named, and nowhere else."""
    silence()
    return httpx.Client(follow_redirects=False)


def post(client: httpx.Client, url: str, headers: dict[str, str], body: bytes, until: float, seconds: float) -> Reply:
    """Sends one request.

    Args:
        until: when it must be over, on the monotonic clock.
        seconds: how long it may take at most.

    Raises:
        LlmError: TIMEOUT, UNREACHABLE or BAD_ANSWER. It is raised outside the handlers, so that not even its context
            leads to the request.
    """
    until = min(until, time.monotonic() + seconds)
    try:
        with client.stream("POST", url, headers=headers, content=body, timeout=_left(until)) as response:
            read = _read(response, until)
            if isinstance(read, bytes):
                return Reply(response.status_code, _seconds(response.headers.get("retry-after", "")), read)
            fault = read
    except httpx.TimeoutException:
        fault = Fault.TIMEOUT
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, ValueError):
        fault = Fault.UNREACHABLE
    raise LlmError(fault)


def _left(until: float) -> float:
    return max(until - time.monotonic(), 0.001)


def _read(response: httpx.Response, until: float) -> bytes | Fault:
    """The body; a server that sends a byte now and then would outlast every timeout between two bytes."""
    parts, size = [], 0
    for part in response.iter_bytes():
        parts.append(part)
        size += len(part)
        if size > MAX_ANSWER:
            return Fault.BAD_ANSWER
        if time.monotonic() > until:
            return Fault.TIMEOUT
    return b"".join(parts)


def _seconds(header: str) -> float | None:
    """`Retry-After` in seconds; its other form, a date, is left to our own backoff."""
    try:
        seconds = float(header)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
