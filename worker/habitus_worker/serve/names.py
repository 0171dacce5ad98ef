"""Names that travel percent-encoded: one that cannot be decoded is refused, since two of them would be one person."""

from urllib.parse import unquote, unquote_to_bytes

from fastapi import Request

from habitus_worker.serve.problems import Problem


def decoded(name: str) -> str:
    """What a header's percent-encoded UTF-8 says.

    Raises:
        Problem: 422 when it is not UTF-8.
    """
    try:
        return unquote(name, errors="strict")
    except UnicodeDecodeError:
        raise _not_utf8() from None


def check_path(request: Request) -> None:
    """Refuses a path whose percent-encoding is not UTF-8: the server has put the same character in its place each time.

    Raises:
        Problem: 422.
    """
    try:
        unquote_to_bytes(request.scope.get("raw_path") or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise _not_utf8() from None


def _not_utf8() -> Problem:
    return Problem(422, "a name is not percent-encoded UTF-8: encode it anew")
