"""Errors as problem+json (RFC 9457): fixed words and closed codes, never a byte of what was sent."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from habitus_schema.errors import HabitusError, UnavailableError, UsageError
from habitus_worker.lanes import RETRY_SECONDS as BUSY_SECONDS
from habitus_worker.lanes import BacklogFullError

_log = structlog.get_logger("habitus.serve")
MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 5
"""What a client is told to wait when a service does not answer."""
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "Fixed words."},
        "code": {"type": "string", "description": "A code of the rejection log."},
        "advice": {"type": "string"},
        "errors": {"type": "array", "items": {"type": "object"}},
    },
}
_FIELDS = frozenset({"body", "path", "query", "header", "user", "preferences", "dimension", "value", "authorization"})
"""Names of ours; any other name in an error's place was the caller's."""


def documented(**meanings: str) -> dict[int | str, dict[str, Any]]:
    """Problem responses for the OpenAPI document: ``s401="..."`` for the status 401."""
    content = {MEDIA_TYPE: {"schema": _SCHEMA}}
    return {int(name[1:]): {"description": text, "content": content} for name, text in meanings.items()}


class Problem(Exception):  # noqa: N818 - RFC 9457 calls it so
    """A refusal with its status, in fixed words.

    Attributes:
        more: further members of the document, of closed values.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail
        self.headers, self.more = dict(headers or {}), dict(more or {})


def problem_response(problem: Problem) -> JSONResponse:
    """The problem as a response."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "detail": problem.detail,
        **problem.more,
    }
    return JSONResponse(body, problem.status, problem.headers, MEDIA_TYPE)


def problem_of(error: Exception) -> Problem:
    """The problem that an exception of any kind amounts to."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RequestValidationError):
        return Problem(422, "the request is not of the documented form", more={"errors": _places(error.errors())})
    if isinstance(error, BacklogFullError):
        return Problem(429, "the backlog is full: try again later", headers={"Retry-After": str(BUSY_SECONDS)})
    if isinstance(error, UnavailableError):
        return Problem(503, "a service does not answer; try again", headers={"Retry-After": str(RETRY_SECONDS)})
    if isinstance(error, UsageError):
        return Problem(400, "the request cannot be carried out as it is")
    if isinstance(error, HTTPException):
        return Problem(error.status_code, HTTPStatus(error.status_code).phrase.lower(), headers=error.headers)
    if not isinstance(error, HabitusError):
        _log.error("request_failed", error=type(error).__name__)
    return Problem(500, "the request failed; nothing of it was kept")


def _places(errors: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {"at": [part for part in each["loc"] if isinstance(part, int) or part in _FIELDS], "problem": each["type"]}
        for each in errors[:20]
    ]


Show = Callable[[Request, Problem], Response]


def install(app: FastAPI, show: Show) -> None:
    """Makes every error of the application a problem document for programs, and what `show` makes of it for people."""

    async def answer(request: Request, error: Exception) -> Response:
        problem = problem_of(error)
        return problem_response(problem) if is_for_programs(request) else show(request, problem)

    for kind in (Problem, HabitusError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, answer)


def is_for_programs(request: Request) -> bool:
    """Whether the request is for the interface for programs."""
    path = request.url.path
    return path.startswith("/v1/") or path in ("/healthz", "/metrics", "/openapi.json")
