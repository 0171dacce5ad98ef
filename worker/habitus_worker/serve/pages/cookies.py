"""Who is signed in, kept in one encrypted cookie; and the proof that a form was ours (CSRF).

The cookie holds the tenant's token under Fernet with a key made from the deployment's first id key, so that any
replica reads it, nothing is kept on the server, and a revoked token ends the session at once. A form carries a keyed
digest of a random cookie and of the session; without both cookies of this browser it cannot be made.
"""

import base64
import hashlib
import hmac
import secrets
from typing import NamedTuple

from cryptography.fernet import Fernet, InvalidToken
from fastapi import Request, Response

from habitus_schema.ids import IdKey
from habitus_worker.serve.problems import Problem
from habitus_worker.serve.services import Services
from habitus_worker.serve.tokens import Access

SESSION, NONCE = "habitus_session", "habitus_form"
SESSION_SECONDS = 12 * 3600
"""After this one signs in again."""
_MAX_COOKIE = 4096


class Signed(NamedTuple):
    """The signed-in tenant."""

    access: Access
    session: str


def signed_in(request: Request, services: Services) -> Signed | None:
    """Whose session the request belongs to; None without one that is in force."""
    cookie = request.cookies.get(SESSION, "")
    if not cookie or len(cookie) > _MAX_COOKIE:
        return None
    key = services.keys.ids.first
    try:
        token = _box(key).decrypt(cookie.encode(), ttl=SESSION_SECONDS).decode()
    except (InvalidToken, ValueError):
        return None
    access = services.tokens.access(token, key)
    return Signed(access, cookie) if access else None


def sign_in(response: Response, token: str, key: IdKey, *, secure: bool) -> None:
    """Puts the session into the browser."""
    _set(response, SESSION, _box(key).encrypt(token.encode("utf-8")).decode(), secure=secure)


def sign_out(response: Response) -> None:
    """Takes it out again."""
    response.delete_cookie(SESSION, path="/")


def nonce_of(request: Request) -> str:
    """This browser's random cookie; a fresh one when it has none."""
    found = request.cookies.get(NONCE, "")
    return found if len(found) == 32 and found.isalnum() and found.isascii() else secrets.token_hex(16)


def keep_nonce(response: Response, nonce: str, *, secure: bool) -> None:
    """Puts it into the browser."""
    _set(response, NONCE, nonce, secure=secure)


def form_proof(nonce: str, session: str, key: IdKey) -> str:
    """What a form of ours carries."""
    said = f"{nonce} {session}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, key=key.secret, digest_size=16, person=b"form").hexdigest()


def check_form(request: Request, form: dict[str, str], session: str, key: IdKey) -> None:
    """Refuses a form that is not ours, or that another site sent.

    Raises:
        Problem: 403.
    """
    nonce = request.cookies.get(NONCE, "")
    expected = form_proof(nonce, session, key).encode()
    ours = bool(nonce) and hmac.compare_digest(form.get("proof", "").encode("utf-8", "surrogatepass"), expected)
    if not ours or request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Problem(403, "this form has expired: go back, reload the page and try again")


def _set(response: Response, name: str, value: str, *, secure: bool) -> None:
    # Lax, so that a link from a chat or a mail still opens the page it names; every action is a POST with a proof.
    response.set_cookie(name, value, SESSION_SECONDS, path="/", secure=secure, httponly=True, samesite="lax")


def _box(key: IdKey) -> Fernet:
    made = hashlib.blake2b(b"session", key=key.secret, digest_size=32, person=b"cookie").digest()
    return Fernet(base64.urlsafe_b64encode(made))
