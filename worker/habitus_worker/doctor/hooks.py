"""The agents' hooks: where habitus is installed, is its hook in the agent's settings, and does it lead here?"""

import shlex
from collections.abc import Iterator
from pathlib import Path

from habitus_worker.doctor.finding import Finding, bad, ok, warn
from habitus_worker.settings import Settings
from habitus_worker.teardown import codex_toml, hooks_json
from habitus_worker.teardown.agents import LAYOUTS, Agent
from habitus_worker.teardown.enrolment import Enrolment, enrolments
from habitus_worker.teardown.install import CODEX_CONFIG
from habitus_worker.teardown.ours import is_ours
from habitus_worker.teardown.settings_files import text_of
from habitus_worker.teardown.spool import spool_of

END = "SessionEnd"


def hooks(settings: Settings) -> Iterator[Finding]:
    """The hook of each agent that `habitus install` was run for. Raises UsageError for notes that cannot be read."""
    found = enrolments(settings.home)
    for agent, enrolled in found.items():
        yield _hook(agent, enrolled, settings.home)
    if not found:
        yield ok("hook", "no agent is installed in this data folder")


def _hook(agent: Agent, enrolled: Enrolment, home: Path) -> Finding:
    check, again = f"hook_{agent.value}", f"run `habitus install {agent.value}` again"
    command = _command(agent, enrolled.folder)
    if command is None:
        return bad(check, "not in the agent's settings", again)
    words = shlex.split(command)
    if not all(Path(word).exists() for word in words if word.endswith("__main__.py") or word == words[0]):
        return bad(check, "it starts a program that is no more", again)
    if str(spool_of(home.absolute())) not in words:
        return bad(check, "it notes sessions down in another data folder", again)
    if agent is Agent.CODEX and codex_toml.hooks_are_off(_text(enrolled.folder / CODEX_CONFIG)):
        return warn(check, "config.toml switches hooks off", "sessions are found in the history, half an hour later")
    return ok(check, "installed")


def _command(agent: Agent, folder: Path) -> str | None:
    """The command of our teardown hook, as the agent would run it."""
    hook = hooks_json.hooks_of(_text(folder / LAYOUTS[agent].hooks)).get(END)
    if hook is not None or agent is not Agent.CODEX:
        return hook.command if hook else None
    return _inline(_text(folder / CODEX_CONFIG))


def _inline(text: str) -> str | None:
    groups = codex_toml.settings_of(text).get("hooks", {}).get(END, [])
    commands = [str(each.get("command", "")) for group in groups for each in group.get("hooks", [])]
    return next((command for command in commands if is_ours(command)), None)


def _text(path: Path) -> str:
    return text_of(path) or ""
