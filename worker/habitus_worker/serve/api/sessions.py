"""POST /v1/sessions: finished sessions go in, by the same reader, seal and queue as with `habitus submit`."""

import io
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Header, Request
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from habitus_schema.codes import MEANING, Code
from habitus_schema.models import Rejection
from habitus_schema.pairs import CLOSED
from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse import Limits, read
from habitus_tasks.pipeline import Caller
from habitus_worker.days import today
from habitus_worker.serve.access import HasAccess, HasServices
from habitus_worker.serve.bodies import body_of
from habitus_worker.serve.names import decoded
from habitus_worker.serve.problems import Problem, documented
from habitus_worker.serve.receipts import Receipts, digest_of, name_of
from habitus_worker.serve.services import Services

router = APIRouter()
MAX_SESSIONS = 1000
"""Sessions of one request that get a receipt."""


class Receipt(BaseModel):
    """One session: its ticket when it was taken, else the closed code of its refusal.

    `repeated`: the same session with the same content was handed in before; the ticket is the one it had then.
    """

    model_config = CLOSED

    ticket: str | None = None
    repeated: bool = False
    code: Code | None = None
    advice: str | None = None


class Receipts202(BaseModel):
    """What became of each session, in order."""

    model_config = CLOSED

    receipts: list[Receipt]


_BODY = {
    "requestBody": {
        "required": True,
        "description": "One session or many, in any format that habitus reads; plain or zstd-compressed.",
        "content": {
            "application/json": {"schema": {}},
            "application/x-ndjson": {"schema": {"type": "string"}},
            "text/markdown": {"schema": {"type": "string"}},
            "application/zstd": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}
_REFUSALS = documented(
    s413="Over the size limit.",
    s422="No session in it could be taken, or whose it is was not said.",
    s429="The backlog is full: Retry-After says when to come back.",
)
Name = Annotated[str, Header(max_length=1024, description="Percent-encoded UTF-8.")]


@router.post("/v1/sessions", status_code=202, openapi_extra=_BODY, responses=_REFUSALS)
async def submit_sessions(
    request: Request,
    services: HasServices,
    access: HasAccess,
    habitus_user: Name = "",
    habitus_context: Name = "",
    habitus_format: Annotated[Format | None, Header()] = None,
) -> Receipts202:
    """Hand finished sessions in. Idempotent: the same session again gives the same ticket and counts once.

    Whose session it is stands in its envelope, or in the header `Habitus-User`; the tenant is the token's, always.
    """
    caller = Caller(decoded(habitus_user), access.tenant, decoded(habitus_context), today())
    await run_in_threadpool(services.ledger.check_room, services.settings.max_backlog)
    body = await body_of(request, services.settings.max_session_bytes)
    receipts = await run_in_threadpool(lambda: list(_handed_in(services, body, habitus_format, caller)))
    if not any(each.ticket for each in receipts):
        refused = next((each.code for each in receipts if each.code), Code.MALFORMED_TRANSCRIPT)
        raise Problem(422, MEANING[refused][1], more={"code": refused, "advice": advice_on(refused)})
    return Receipts202(receipts=receipts)


def _handed_in(services: Services, body: bytes, format_: Format | None, caller: Caller) -> Iterator[Receipt]:
    most = services.settings.max_session_bytes
    receipts = Receipts(services.settings.redis, services.settings.payload_ttl)
    for number, found in enumerate(read(io.BytesIO(body), format_, Limits(stream_bytes=most))):
        if number >= MAX_SESSIONS:
            yield Receipt(code=Code.TOO_LARGE, advice=f"over {MAX_SESSIONS} sessions: send the rest in another body")
            return
        if isinstance(found, Rejection):
            yield _refused(found.code)
        elif not caller.user and not found.user_id:
            raise Problem(422, "whose session is it? Name them in the header Habitus-User, or in the envelope")
        else:
            yield _taken(services, receipts, found, caller)


def _taken(services: Services, receipts: Receipts, transcript: Transcript, caller: Caller) -> Receipt:
    ids = services.keys.ids
    name, digest = name_of(transcript, caller, ids), digest_of(transcript, caller, ids)
    if name and (before := receipts.find(name, digest)):
        return Receipt(ticket=before, repeated=True)
    ticket = services.submitter.submit(transcript, caller)
    if name:
        receipts.keep(name, digest, ticket)
    return Receipt(ticket=ticket)


def _refused(code: Code) -> Receipt:
    return Receipt(code=code, advice=advice_on(code))


def advice_on(code: Code) -> str:
    """What to do about a refusal, in the words of this interface."""
    return MEANING[code][2].replace("--format", "the header Habitus-Format")
