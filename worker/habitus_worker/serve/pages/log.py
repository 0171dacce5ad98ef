"""The log: filtered, paged by keyset, each state of it under an address of its own; and what the codes mean."""

from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from habitus_schema.codes import MEANING, Code, Stage
from habitus_schema.detectors import Detector
from habitus_schema.vocabulary import Dimension
from habitus_tasks.log_reading import Line, Place, listed
from habitus_worker.serve.access import HasServices
from habitus_worker.serve.pages import filters
from habitus_worker.serve.pages.entry import HasSigned
from habitus_worker.serve.pages.render import page, tenants_to_choose

router = APIRouter(include_in_schema=False)
PAGE = 100
"""Lines on a page."""
CHOICES = {"stage": tuple(Stage), "code": tuple(Code), "dimension": tuple(Dimension), "detector": tuple(Detector)}


@router.get("/log")
def log(request: Request, services: HasServices, signed: HasSigned) -> HTMLResponse:
    """One page of the log, the newest lines first."""
    chosen, known = filters.parse(request.query_params)
    tenant = services.shown(signed.access, chosen.tenant)
    if chosen.tenant is not None and (tenant is None or not signed.access.is_operator):
        chosen, known = replace(chosen, tenant=None), False
    found = listed(services.database, tenant, chosen.wanted, after=chosen.before, newest_first=True, limit=PAGE)
    older = filters.link(replace(chosen, before=found.next_place)) if found.next_place else None
    return page(
        request, services, signed, "log.html",
        lines=[(line, _own_link(line)) for line in found.lines], meaning=MEANING, chosen=chosen, choices=CHOICES,
        known=known, older=older, tenants=tenants_to_choose(services, signed),
        newest=filters.link(replace(chosen, before=None)), stable=filters.link(chosen),
    )  # fmt: skip


def _own_link(line: Line) -> str:
    """The page that begins with the line, and the line on it."""
    return f"{filters.link(filters.Chosen(before=Place(line.day, line.id + 1)))}#line-{line.id}"


@router.get("/codes")
def codes(request: Request, services: HasServices, signed: HasSigned) -> HTMLResponse:
    """Every code: its stage, what it means, what to do."""
    return page(request, services, signed, "codes.html", meaning=MEANING)
