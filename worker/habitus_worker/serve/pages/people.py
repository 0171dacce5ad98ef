"""One person: their profile, and why each pair is in it or not. The id is typed in, and appears nowhere again."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from habitus_schema import catalog
from habitus_tasks import effect, profile
from habitus_worker.serve.access import HasServices
from habitus_worker.serve.pages.entry import HasForm, HasSigned
from habitus_worker.serve.pages.render import page
from habitus_worker.serve.problems import Problem

router = APIRouter(include_in_schema=False)
MAX_USER = 1024
REASONS = {
    "leads": "enough contexts, and far enough ahead of every rival",
    "recent": "the most recent contexts all say it",
    "incumbent": "it was promoted before, and no rival has taken its place",
    "below_k": "not yet seen in enough task contexts",
    "held_back": "a rival value holds it back",
    "expired": "all its evidence is older than the window",
    "pinned": "the person put it there",
    "blocked": "the person does not want it learned",
}
"""What each reason of `profile explain` means."""


@router.get("/people")
def ask(request: Request, services: HasServices, signed: HasSigned) -> HTMLResponse:
    """The form for the id."""
    return page(request, services, signed, "people.html", subject=None, rows=(), reasons=())


@router.post("/people")
def show(request: Request, services: HasServices, signed: HasSigned, form: HasForm) -> HTMLResponse:
    """The person's page, as the answer to the form: no address leads to it, so none can be kept or logged."""
    user = form.get("user", "")
    if not 0 < len(user) <= MAX_USER:
        raise Problem(400, "type the person's id, as it is used when their sessions are handed in")
    person = services.person_of(signed.access, user)
    found = profile.explain(services.database, *person, services.rule)
    return page(
        request, services, signed, "people.html",
        subject=person[1], rows=profile.show(services.database, *person), reasons=found, words=REASONS,
        meaning=catalog.meaning, effects=effect.of_person(services.database, *person, services.rule),
    )  # fmt: skip
