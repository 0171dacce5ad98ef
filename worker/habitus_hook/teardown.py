"""The teardown hook: one spool entry, within a deadline, whatever happens. What it misses, the sweep finds."""

import os
import sys

from habitus_hook.event import parse, path_of, read_event, session_of
from habitus_hook.spool import FORMATS, default_spool, put

STDIN_SECONDS = 0.8
"""Codex gives its SessionEnd hooks 1 s, Claude Code 1.5 s for all of them together, unless the settings say more."""
ALARM_SECONDS = 3
"""After which the hook ends in any case, a disk that hangs included. Codex allows no more."""
SESSION_END = "SessionEnd"


def main() -> None:
    """Runs the hook and ends the process with exit code 0. Prints nothing."""
    try:
        _be_undisturbed()
        run(sys.argv[1:])
    except BaseException:  # noqa: BLE001, S110 - an agent's teardown must never see us fail; the sweep finds the session
        pass
    os._exit(0)


def run(words: list[str], stdin: int = 0) -> str:
    """Writes the entry that the words of a command line and stdin ask for. Returns its path; empty when there is none.

    Args:
        words: ``claude-code|codex [--spool FOLDER] [the JSON that Codex gives its `notify` program]``.
        stdin: what the event is read from when the command line holds none.

    Raises:
        OSError: when the spool cannot be written.
    """
    agent, *rest = words or [""]
    if agent not in FORMATS:
        return ""
    folder = ""
    if rest[:1] == ["--spool"]:
        folder, rest = rest[1] if len(rest) > 1 else "", rest[2:]
    told = parse(os.fsencode(rest[-1])) if rest else read_event(stdin, STDIN_SECONDS)
    session = session_of(told.get("session_id") or told.get("thread-id"))
    path = path_of(told.get("transcript_path"))
    if not session and not path:
        return ""
    event = "end" if told.get("hook_event_name") == SESSION_END else "turn"
    return put(folder or default_spool(), agent, event, session, path)


def _be_undisturbed() -> None:
    """The signals of a terminal that closes do not end the hook; the clock does."""
    # What `signal` is made of; that loads `enum`.
    from _signal import SIG_IGN, SIGALRM, SIGHUP, SIGINT, SIGTERM, alarm, signal  # type: ignore[import-not-found]

    for each in (SIGINT, SIGTERM, SIGHUP):
        signal(each, SIG_IGN)
    signal(SIGALRM, lambda _signal, _frame: os._exit(0))
    alarm(ALARM_SECONDS)
