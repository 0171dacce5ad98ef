"""Dead letters: what was given up, and the two things to do about it."""

import re

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from habitus_schema.codes import MEANING
from habitus_worker.deadletters import drop, retry
from habitus_worker.serve.access import HasServices
from habitus_worker.serve.pages.entry import SEE_OTHER, HasForm, HasSigned
from habitus_worker.serve.pages.render import page
from habitus_worker.serve.problems import Problem

router = APIRouter(include_in_schema=False)
SHOWN = 200
"""Dead letters on the page; the oldest first."""
_TICKET = re.compile(r"[0-9a-f]{32}")
_OUTCOMES = {
    "sent": "Sent again.",
    "dropped": "Dropped: its payload is burned; it stays counted.",
    "gone": "Not there any more: it has expired, or somebody was faster.",
}


@router.get("/dead-letters")
def dead_letters(request: Request, services: HasServices, signed: HasSigned) -> HTMLResponse:
    """The dead letters of the tenant; for an operator everybody's."""
    letters = services.dead_letters(signed.access)
    said = _OUTCOMES.get(request.query_params.get("done", ""), "")
    return page(
        request, services, signed, "dead_letters.html",
        letters=letters[:SHOWN], count=len(letters), meaning=MEANING, said=said,
    )  # fmt: skip


@router.post("/dead-letters")
def decide(services: HasServices, signed: HasSigned, form: HasForm) -> Response:
    """Sends one again, or drops it. Somebody else's is as if it were not there."""
    ticket, action = form.get("ticket", ""), form.get("action", "")
    if not _TICKET.fullmatch(ticket) or action not in ("retry", "drop"):
        raise Problem(400, "choose a dead letter, and whether to retry or to drop it")
    outcome = "gone"
    if ticket in {letter.ticket for letter in services.dead_letters(signed.access)}:
        done, _ = (retry if action == "retry" else drop)(services.settings, [ticket])
        outcome = ("sent" if action == "retry" else "dropped") if done else "gone"
    return RedirectResponse(f"/dead-letters?done={outcome}", SEE_OTHER)
