"""From values to a page: Jinja2 with escaping on, and what every page shows."""

from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from habitus_worker.cli.effects import interval, rate
from habitus_worker.serve.pages import charts
from habitus_worker.serve.pages.cookies import Signed, form_proof, keep_nonce, nonce_of
from habitus_worker.serve.services import Services

FOLDER = Path(__file__).parent.parent / "templates"
PLACES = (
    ("/", "Overview"),
    ("/log", "Log"),
    ("/dead-letters", "Dead letters"),
    ("/people", "One person"),
    ("/effect", "Does it help?"),
    ("/codes", "Codes"),
)


_templates = Environment(
    loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)
_templates.globals["charts"] = charts
_templates.filters["words"] = lambda name: str(name).replace("_", " ")
_templates.filters["number"] = lambda value: f"{value:,}"
_templates.filters["rate"] = rate
_templates.filters["interval"] = interval


def tenants_to_choose(services: Services, signed: Signed) -> tuple[str, ...]:
    """The tenants that an operator can narrow a page to, by keyed ids; none for a tenant's token or one tenant."""
    found = tuple(services.tenants) if signed.access.is_operator else ()
    return found if len(found) > 1 else ()


def page(
    request: Request, services: Services, signed: Signed | None, template: str, *, status: int = 200, **values: Any
) -> HTMLResponse:
    """The page, with the proof that its forms need."""
    nonce = nonce_of(request)
    proof = form_proof(nonce, signed.session if signed else "", services.keys.ids.first)
    path = request.url.path if any(request.url.path == place for place, _ in PLACES) else ""
    text = _templates.get_template(template).render(
        places=PLACES, here=path, proof=proof, signed=signed is not None,
        operator=signed is not None and signed.access.is_operator, **values,
    )  # fmt: skip
    response = HTMLResponse(text, status)
    keep_nonce(response, nonce, secure=request.url.scheme == "https")
    return response
