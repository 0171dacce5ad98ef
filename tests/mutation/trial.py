"""Whether tests tell a mutant from the module: each is tried in a fork of one warm process, some at a time."""

import ast
import contextlib
import gc
import importlib
import importlib.abc
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import hypothesis
import plain
import pytest
from mutants import Mutant

SECONDS = 180
"""A mutant that runs longer is killed: it hangs."""
AT_ONCE = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
"""As many as this process may use processors; `taskset -c 0 python tests/mutation` leaves the others free."""
_PLUGINS = ("pytest_timeout", "_hypothesis_pytestplugin", "no:cacheprovider")
"""All that are loaded: finding the others takes longer than the tests."""
_QUIET = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""Hypothesis is warm already, which pytest's rewriting of assertions warns of."""
_OURS = ("habitus_schema", "habitus_tasks", "habitus_classifier", "habitus_worker")
_WARM = (
    "hypothesis",
    "pydantic",
    "_hypothesis_pytestplugin",
    "pytest_timeout",
    "celery",
    "sqlalchemy",
    "sqlmodel",
    "numpy",
)


class Trials:
    """Runs tests against mutants. No module under test stays imported in the process that forks."""

    def __init__(self, root: Path) -> None:
        os.chdir(root)
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        for name in _WARM:
            importlib.import_module(name)
        slow = [hypothesis.HealthCheck.too_slow]  # of a busy machine, not of a test
        found = [hypothesis.Phase.explicit, hypothesis.Phase.generate]  # that one case fails is enough, however large
        hypothesis.settings.register_profile(
            "judged", deadline=None, derandomize=True, database=None, suppress_health_check=slow, phases=found
        )
        hypothesis.settings.load_profile("judged")

    def survivors(
        self, module: str, path: str, found: Sequence[Mutant], tests: Sequence[str], options: Sequence[str] = ()
    ) -> list[Mutant]:
        """Those that every test passes; the first test file is asked of all, the others of what it leaves alive.

        A test file's own conftest.py is read, and none above it: those start servers.

        Raises:
            RuntimeError: when the tests fail without any mutant.
        """
        alive = list(found)
        for test in tests:
            codes = _asked(module, path, alive, (*options, test))
            alive = [one for one, code in zip(alive, codes, strict=True) if code == 0]
        return alive


def _asked(module: str, path: str, found: Sequence[Mutant], arguments: Sequence[str]) -> bytes:
    """For each mutant 0, when the tests pass, or 1.

    They are asked in forks of a process that has imported everything, and imports anew only what a mutant changes.
    """
    test = Path(arguments[-1])
    reading, writing = os.pipe()

    def ask(_: Mutant | None) -> int:
        plain.load(test, "tests_of_mutants")
        stale = plain.takers(module, _OURS)
        gc.freeze()  # pytest collects twice a run: not through what was here before

        def with_pytest(mutant: Mutant | None) -> int:
            _change(module, path, mutant, stale)
            return _pytest(arguments)

        def directly(mutant: Mutant | None) -> int:
            _change(module, path, mutant, stale)
            plain.run(test)
            return 0

        unchanged, *codes = _codes([None, *found], directly)
        left = [one for one, code in zip(found, codes, strict=True) if unchanged or code == 0]
        sound, *slow = _codes([None, *left], with_pytest)
        os.write(writing, bytes(int((unchanged == 0 and code != 0) or slow.pop(0) != 0) for code in codes))
        return sound

    if _codes([None], ask, seconds=None) != [0]:
        raise RuntimeError(f"{test} fails without a mutant: mend it first")
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        return stream.read()


def _change(module: str, path: str, mutant: Mutant | None, stale: Iterable[str]) -> None:
    """Puts a mutant in the place of its module, for the next that imports it."""
    for name in stale:
        sys.modules.pop(name, None)
    if mutant is not None:
        sys.meta_path.insert(0, _Swap(module, path, mutant.tree))


def _codes(
    found: Sequence[Mutant | None], run: Callable[[Mutant | None], int], seconds: float | None = SECONDS
) -> list[int]:
    """The exit code for each, of a process of its own that may take so many seconds."""
    codes = [1] * len(found)
    running: dict[int, tuple[int, float]] = {}
    waiting = list(enumerate(found))
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            at, mutant = waiting.pop(0)
            running[_fork(run, mutant)] = at, time.monotonic()
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid in running:
            codes[running.pop(pid)[0]] = os.waitstatus_to_exitcode(status)
        else:
            for child, (_, since) in running.items():
                if seconds is not None and time.monotonic() - since > seconds:
                    os.killpg(child, signal.SIGKILL)
            time.sleep(0.002)
    return codes


def _fork(run: Callable[[Mutant | None], int], mutant: Mutant | None) -> int:
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    code = 1
    with contextlib.suppress(BaseException):
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        code = int(run(mutant))
    os._exit(code)


def _pytest(arguments: Sequence[str]) -> int:
    words = ["-x", "-q", *_QUIET, *(f"-p{name}" for name in _PLUGINS), "--noconftest", *arguments]
    fixtures = Path(arguments[-1]).with_name("conftest.py")
    return pytest.main(words, plugins=[plain.load(fixtures, "own_conftest")] if fixtures.exists() else [])


class _Swap(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads a changed tree in place of one module."""

    def __init__(self, module: str, path: str, tree: ast.Module) -> None:
        self._module, self._path, self._tree = module, path, tree

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module's own place, loaded by us; of any other nothing is known."""
        if name != self._module:
            return None
        spec = importlib.util.spec_from_file_location(name, self._path, loader=self)
        if spec is not None and self._path.endswith("__init__.py"):
            spec.submodule_search_locations = [str(Path(self._path).parent)]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Runs the changed tree."""
        exec(compile(self._tree, self._path, "exec"), module.__dict__)
