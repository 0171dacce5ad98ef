"""The spool: a folder of small files, each of which says where a transcript lies. Never what it says."""

import os
import time

from habitus_hook.event import quoted

FORMATS = {"claude-code": "claude_code", "codex": "codex_rollout"}
"""The transcript format of each agent, by its name in `habitus_schema.transcript.Format`."""
VERSION = 1


def default_spool() -> str:
    """The spool of the default data folder."""
    home = os.path.expanduser(os.environ.get("HABITUS_HOME") or "~/.local/share/habitus")
    return f"{home}/spool"


def put(folder: str, agent: str, event: str, session: str, path: str) -> str:
    """Writes one entry, whole or not at all; returns its path.

    Args:
        folder: the spool; made, for its owner alone, when it is not there.
        agent: a key of `FORMATS`.
        event: ``end`` of a session, or of a ``turn`` where the agent tells no more.
        session, path: where known, else empty.

    Raises:
        OSError: when it cannot be written; nothing is left then.
    """
    os.umask(0o077)
    os.makedirs(folder, 0o700, exist_ok=True)
    name = f"{time.time_ns():020d}-{os.getpid()}"
    scratch, final = f"{folder}/.{name}", f"{folder}/{name}.json"
    day = time.strftime("%Y-%m-%d", time.gmtime())
    fields = {
        "agent": agent, "format": FORMATS[agent], "event": event, "session": session, "path": path, "day": day,
    }  # fmt: skip
    body = ", ".join(f"{quoted(name)}: {quoted(value)}" for name, value in fields.items())
    try:
        _write(scratch, f'{{"version": {VERSION}, {body}}}\n'.encode("ascii"))
        os.rename(scratch, final)
    except OSError:
        _forget(scratch)
        raise
    return final


def _write(path: str, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        while data:
            data = data[os.write(fd, data) :]
        os.fsync(fd)
    finally:
        os.close(fd)


def _forget(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
