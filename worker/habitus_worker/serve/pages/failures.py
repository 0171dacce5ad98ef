"""What a person sees when something goes wrong: fixed words, and where to go on."""

from fastapi import Request
from fastapi.responses import Response

from habitus_worker.serve.pages.cookies import signed_in
from habitus_worker.serve.pages.entry import sign_in_page
from habitus_worker.serve.pages.render import page
from habitus_worker.serve.problems import Problem
from habitus_worker.serve.services import services_of


def failure_page(request: Request, problem: Problem) -> Response:
    """The problem as a page."""
    services = services_of(request)
    signed = signed_in(request, services)
    response = page(request, services, signed, "failure.html", status=problem.status, problem=problem)
    response.headers.update(problem.headers)
    return response


async def sign_in_needed(request: Request, _: Exception) -> Response:
    """The form for the token, in the page's place."""
    return sign_in_page(request, services_of(request))
