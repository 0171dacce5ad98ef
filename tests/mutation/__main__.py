"""Mutation testing: every mutant of the modules named in pyproject.toml, each against the tests of its module.

    python tests/mutation [WORD...]     all modules, or those whose path holds one of the words

A mutant that no test kills fails the run, unless survivors.toml gives a reason why no test can tell. No library does
this for us: mutmut changes functions only, cosmic-ray starts a process for each mutant, and neither knows patterns,
which are what the barriers are made of.
"""

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

from mutants import Mutant, mutants  # noqa: E402
from trial import Trials  # noqa: E402


@dataclass(frozen=True, slots=True)
class Target:
    """A module, the tests that must kill its mutants, in the order in which they are asked, and options for pytest."""

    path: Path
    tests: tuple[str, ...]
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def module(self) -> str:
        """The module's dotted name: the top-level folders are no packages."""
        parts = self.path.relative_to(ROOT).with_suffix("").parts[1:]
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


Survivors = dict[tuple[str, str, str], str]


def targets(words: list[str]) -> Iterator[Target]:
    """The modules of ``[tool.habitus.mutation]``; ``{stem}`` in a test's path is the module's own name."""
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["habitus"]["mutation"]
    taken: set[Path] = set()
    for rule in rules:
        for path in sorted(ROOT.glob(rule["modules"])):
            tests = tuple(each.format(stem=path.stem) for each in rule["tests"])
            if path in taken or not all((ROOT / each).exists() for each in tests):
                continue
            taken.add(path)
            target = Target(path, tests, tuple(rule.get("options", ())))
            if not words or any(word in target.name for word in words):
                yield target


def listed() -> Survivors:
    """(module, line, change) to reason."""
    table = tomllib.loads((HERE / "survivors.toml").read_text("utf-8"))
    return {(each["module"], each["line"], each["what"]): each["reason"] for each in table.get("survivor", [])}


def main(words: list[str]) -> int:
    """Runs, prints, and returns 1 when a survivor has no reason or a reason no survivor."""
    reasons, failures, total = listed(), 0, 0
    trials = Trials(ROOT)
    for target in targets(words):
        found = list(mutants(target.path.read_text("utf-8")))
        alive = trials.survivors(target.module, str(target.path), found, target.tests, target.options)
        total += len(found)
        unlisted = [each for each in alive if (target.name, each.line, each.what) not in reasons]
        keys = {(target.name, each.line, each.what) for each in alive}
        stale = [key for key in reasons if key[0] == target.name and key not in keys]
        failures += len(unlisted) + len(stale)
        print(f"{target.name}: {len(found)} mutants, {len(alive)} alive, {len(unlisted)} without a reason", flush=True)
        for each in unlisted:
            print(_entry(target.name, each), flush=True)
        for _, line, what in stale:
            print(f"  no longer alive: {what!r} in {line!r}", flush=True)
    print(f"{total} mutants; {failures or 'no'} survivors without a reason, or reasons without a survivor")
    return 1 if failures or not total else 0


def _entry(name: str, mutant: Mutant) -> str:
    """What to put into survivors.toml, once there is a reason."""
    head = f"[[survivor]]  # line {mutant.number}\nmodule = {name!r}\n"
    return head + f"line = '''{mutant.line}'''\nwhat = '''{mutant.what}'''\nreason = ''"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
