"""Prints the part of requirements.lock, hashes and all, that the image needs: habitus, some extras, and its builder.

    python deploy/runtime_requirements.py worker serve otel

The lock holds the development tools too. It says of each package what needs it (``# via``), which is followed from what
pyproject.toml asks for; a package that is only needed with some extra of another may come along, none is left out.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def name_of(requirement: str) -> str:
    """The normalised name in a requirement (PEP 503)."""
    return re.sub(r"[-_.]+", "-", re.match(r"[A-Za-z0-9._-]+", requirement)[0]).lower()


def blocks(lock: str) -> dict[str, tuple[str, set[str]]]:
    """Each package of a lock: its lines, and the names of what needs it."""
    found: dict[str, tuple[str, set[str]]] = {}
    for block in re.split(r"^(?=[a-z0-9])", lock, flags=re.M):
        if "==" in block:
            via = block.partition("# via")[2].replace("#", " ").split()
            needers = {name_of(word) for word in via if re.match(r"[a-zA-Z0-9]", word)}
            before, known = found.get(name_of(block), ("", set()))  # one version for each kind of Python
            found[name_of(block)] = (before + block, known | needers)
    return found


def needed(project: dict, extras: list[str]) -> set[str]:
    """What a project asks for itself."""
    optional = project["project"]["optional-dependencies"]
    asked = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    return {name_of(each) for each in [*asked, *(each for extra in extras for each in optional[extra])]}


def chosen(lock: dict[str, tuple[str, set[str]]], names: set[str]) -> set[str]:
    """The names, and whatever they need, near or far."""
    while more := {name for name, (_, via) in lock.items() if name not in names and via & names}:
        names = names | more
    return names


if __name__ == "__main__":
    parts = blocks((ROOT / "requirements.lock").read_text())
    wanted = chosen(parts, needed(tomllib.loads((ROOT / "pyproject.toml").read_text()), sys.argv[1:]))
    sys.stdout.writelines(parts[name][0] for name in sorted(wanted & set(parts)))
