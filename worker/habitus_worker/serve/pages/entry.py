"""Signing in with a token, signing out, and what a page asks before it shows anything."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from habitus_worker.serve.access import HasServices
from habitus_worker.serve.bodies import form_of
from habitus_worker.serve.pages import filters
from habitus_worker.serve.pages.cookies import Signed, check_form, sign_in, sign_out, signed_in
from habitus_worker.serve.pages.render import page
from habitus_worker.serve.services import Services

router = APIRouter(include_in_schema=False)
SEE_OTHER = 303


class SignInNeeded(Exception):  # noqa: N818 - not an error
    """Nobody is signed in."""


def signed_page(request: Request, services: HasServices) -> Signed:
    """Whoever is signed in.

    Raises:
        SignInNeeded: nobody is; `sign_in_page` is shown in the page's place.
    """
    signed = signed_in(request, services)
    if signed is None:
        raise SignInNeeded
    return signed


HasSigned = Annotated[Signed, Depends(signed_page)]
Form = Annotated[dict[str, str], Depends(form_of)]


def checked_form(request: Request, services: HasServices, signed: HasSigned, form: Form) -> dict[str, str]:
    """The fields of a form of ours. Raises Problem: 403 for another one."""
    check_form(request, form, signed.session, services.keys.ids.first)
    return form


HasForm = Annotated[dict[str, str], Depends(checked_form)]


def sign_in_page(request: Request, services: Services, *, refused: bool = False, status: int = 401) -> HTMLResponse:
    """The form for the token; afterwards the reader is where they wanted to go."""
    then = filters.link(filters.parse(request.query_params)[0]) if request.url.path == "/log" else "/"
    return page(request, services, None, "sign_in.html", status=status, refused=refused, then=then)


@router.get("/sign-in")
def show_sign_in(request: Request, services: HasServices) -> Response:
    """The form."""
    return sign_in_page(request, services, status=200)


@router.post("/sign-in")
def do_sign_in(request: Request, services: HasServices, form: Form) -> Response:
    """Takes the token. What was typed is never shown again."""
    key = services.keys.ids.first
    check_form(request, form, "", key)
    token = form.get("token", "").strip()
    if services.tokens.access(token, key) is None:
        return sign_in_page(request, services, refused=True)
    response = RedirectResponse(filters.safe_link(form.get("then", "")), SEE_OTHER)
    sign_in(response, token, key, secure=request.url.scheme == "https")
    return response


@router.post("/sign-out")
def do_sign_out(form: HasForm) -> Response:
    """Ends the session in this browser."""
    response = RedirectResponse("/sign-in", SEE_OTHER)
    sign_out(response)
    return response
