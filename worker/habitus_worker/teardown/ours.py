"""The commands that agents run for us: how they are written into their settings, and known again."""

import shlex
import sys
from pathlib import Path

import habitus_hook
from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.spool import spool_of

_PROGRAM = Path(habitus_hook.__file__).with_name("__main__.py")
_TAIL = ("habitus_hook", "__main__.py")


def teardown_words(agent: Agent, home: Path) -> list[str]:
    """The teardown hook: Python alone, without site-packages, the environment's words or the folder it starts in."""
    return [sys.executable, "-I", "-S", str(_PROGRAM), agent.value, "--spool", str(spool_of(home.absolute()))]


def is_ours(command: str) -> bool:
    """Whether a command line starts a hook of habitus, of this or another version or place."""
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    program = Path(words[0]).name if words else ""
    if program == "habitus-hook" or (program == "habitus" and "hook" in words[1:]):
        return True
    return any(Path(word).parts[-2:] == _TAIL for word in words[1:4])


def prompt_words(home: Path, user: str, tenant: str) -> list[str]:
    """The query-time hook, for one person's profile. It goes through the same program, which exits 0 whatever happens:
    with exit code 2 an agent would throw the person's prompt away."""
    who = ["--user", user, "--tenant", tenant]
    return [sys.executable, "-I", str(_PROGRAM), "user-prompt", "--home", str(home.absolute()), *who]


def shell(words: list[str]) -> str:
    """A command as one line for a shell."""
    return shlex.join(words)
