"""What the agent tells its hook: read within a deadline and a size, and taken for what it is, untrusted text."""

import os
import time
from select import select

MAX_BYTES = 64 * 1024
"""What is read at most. The agents send about 300 bytes (their documentation, and `docs/teardown.md`)."""
MAX_PATH = 4096
MAX_SESSION = 128


def read_event(fd: int, seconds: float) -> dict[str, object]:
    """The JSON object that comes on `fd`; empty when none has come after `seconds`, or something else has.

    It is taken as soon as it is whole: some versions of the agents leave the pipe open.
    """
    data, deadline = b"", time.monotonic() + seconds
    while len(data) <= MAX_BYTES:
        left = deadline - time.monotonic()
        if left <= 0 or not select([fd], [], [], left)[0]:
            break
        part = os.read(fd, MAX_BYTES)
        data += part
        if not part or part.rstrip().endswith(b"}"):
            found = parse(data)
            if found or not part:
                return found
    return {}


def parse(data: bytes) -> dict[str, object]:
    """The JSON object in `data`; empty when there is none."""
    try:
        value = _loads(data.decode("utf-8", "surrogatepass").lstrip("\ufeff").strip())
    except (ValueError, RecursionError, StopIteration):
        return {}
    return value if isinstance(value, dict) else {}


def _loads(text: str) -> object:
    try:
        from _json import make_scanner  # the C half of `json`, which alone starts in no time: `json` loads `re`

        value, end = make_scanner(_Rules)(text, 0)  # type: ignore[arg-type]  # typeshed asks for a decoder
    except (ImportError, AttributeError):  # another Python
        import json

        return json.loads(text)
    if end != len(text):
        raise ValueError("more than one value")
    return value


class _Rules:
    """What `json.JSONDecoder` sets by default."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float
    memo: dict[str, str] = {}  # noqa: RUF012 - nothing writes to it


def quoted(text: str) -> str:
    """`text` as a JSON string."""
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:  # another Python
        from json.encoder import py_encode_basestring_ascii as quote
    return str(quote(text))


def session_of(value: object) -> str:
    """A session's id; empty when the value cannot be one."""
    if not isinstance(value, str) or not 0 < len(value) <= MAX_SESSION or not value.isascii():
        return ""
    return value if value.replace("-", "").replace("_", "").replace(".", "").isalnum() else ""


def path_of(value: object) -> str:
    """A transcript's absolute path; empty when the value cannot be one."""
    if not isinstance(value, str) or not 0 < len(value) <= MAX_PATH:
        return ""
    return value if value.startswith("/") and value.isprintable() else ""
