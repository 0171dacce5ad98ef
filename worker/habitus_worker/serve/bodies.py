"""Reading a request's body, in memory and up to a bound: no byte of it touches a disk."""

from urllib.parse import parse_qsl

from fastapi import Request

from habitus_worker.serve.problems import Problem

MAX_FORM = 8 * 1024
"""Bytes of a page's form."""


async def body_of(request: Request, most: int) -> bytes:
    """The whole body, of at most `most` bytes.

    Raises:
        Problem: 413 as soon as it is longer, whatever length was announced.
    """
    announced = request.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and int(announced[:20]) > most:
        raise _too_large()
    whole = bytearray()
    async for part in request.stream():
        whole += part
        if len(whole) > most:
            raise _too_large()
    return bytes(whole)


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a page's form; of a repeated one the last.

    Raises:
        Problem: 413 for a long one, 400 for one that is no form.
    """
    body = await body_of(request, MAX_FORM)
    try:
        return dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=20))
    except ValueError:
        raise Problem(400, "not a form") from None


def _too_large() -> Problem:
    return Problem(413, "over the size limit: raise HABITUS_MAX_SESSION_BYTES or split it", more={"code": "TOO_LARGE"})
