"""The query-time hook of Claude Code and Codex: which of the person's habits apply to the prompt just sent.

Reads the event of UserPromptSubmit on stdin and prints what the agent adds to the model's context, or nothing. The
person waits for it, so it ends after `DEADLINE_SECONDS` in any case, and on any trouble it prints nothing and exits 0:
exit code 2 would erase the prompt (the agents' documentation, https://code.claude.com/docs/en/hooks).
"""

import os
import sys
import threading
import time
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from habitus_schema.pairs import Pair

DEADLINE_SECONDS = 0.29
"""Since the process was started, the interpreter's own start included."""
MAX_BYTES = 4 * 1024 * 1024
"""Of an event that is read; a longer prompt gets no lines."""
EVENT = "UserPromptSubmit"


def main() -> None:
    """Runs the hook and ends the process with exit code 0."""
    left = DEADLINE_SECONDS - _age()
    if left <= 0:
        os._exit(0)
    watch = threading.Timer(left, os._exit, (0,))  # works while a database or a pipe hangs
    watch.daemon = True
    watch.start()
    try:
        answer = run(sys.argv[1:], time.monotonic() + left)
        if answer:
            os.write(1, answer)  # shorter than what a pipe takes at once, so never half of it
    except BaseException:  # noqa: BLE001, S110 - whatever it is, the prompt goes on without us
        pass
    os._exit(0)


def run(words: list[str], deadline: float, stdin: int = 0) -> bytes:
    """What is to be printed for the event on stdin; empty when nothing applies.

    Args:
        words: ``[--home FOLDER] [--user ID] [--tenant ID]``; what is missing comes from ``HABITUS_HOME`` and
            ``HABITUS_TENANT``, and the login name.
        deadline: by `time.monotonic`; what has not come by then is not waited for.

    Raises:
        HabitusError: for keys that cannot be read.
    """
    query = _prompt(_read(stdin, deadline))
    if not query:
        return b""
    from pathlib import Path

    from habitus_classifier import decide
    from habitus_classifier.profile import Reader
    from habitus_worker.id_keys import load_id_keys
    from habitus_worker.stored import stored

    options = dict(zip(words[::2], words[1::2], strict=False))
    given = options.get("--home") or os.environ.get("HABITUS_HOME") or "~/.local/share/habitus"
    home = Path(given).expanduser()
    keys = load_id_keys(Path(os.environ.get("HABITUS_KEY_FILE") or home / "keys.json"))
    reader = Reader(os.environ.get("HABITUS_DATABASE_URL") or f"sqlite:///{home.absolute() / 'habitus.db'}")
    tenant = options.get("--tenant") or os.environ.get("HABITUS_TENANT") or "default"
    pairs = stored(reader.settled, keys, tenant, options.get("--user") or login_name())
    # The modules look at a pair's two halves and no more, so it need not be the model that pydantic checks.
    return _answer(decide(query, cast("Sequence[Pair]", pairs)).prompt) if pairs else b""


def _age() -> float:
    """Seconds since this process was started; 0 where the system does not tell (proc(5), field 22)."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


def _answer(prompt: str) -> bytes:
    import json

    if not prompt:
        return b""
    output = {"hookSpecificOutput": {"hookEventName": EVENT, "additionalContext": prompt}}
    return json.dumps(output).encode("ascii") + b"\n"


def _prompt(event: object) -> str:
    """The prompt of an event of the right kind; empty for anything else."""
    if not isinstance(event, dict) or event.get("hook_event_name", EVENT) != EVENT:
        return ""
    prompt = event.get("prompt")
    return prompt if isinstance(prompt, str) else ""


def _read(stdin: int, deadline: float) -> object:
    """The JSON value on stdin, taken as soon as it is whole: some versions of the agents leave the pipe open."""
    import json
    from select import select

    data = bytearray()
    while len(data) <= MAX_BYTES:
        left = deadline - time.monotonic()
        if left <= 0 or not select([stdin], [], [], left)[0]:
            return None
        part = os.read(stdin, 1 << 16)
        data += part
        if not part or part.rstrip().endswith(b"}"):
            try:
                return json.loads(data.decode("utf-8-sig", "surrogatepass"))
            except (ValueError, RecursionError):
                if not part:
                    return None
    return None


def login_name() -> str:
    """The person's name on this machine; ``me`` where the system knows none."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "me"


if __name__ == "__main__":
    main()
