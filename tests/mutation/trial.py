"""Whether tests tell a mutant from the module: each is tried in a fork of one warm process, two at a time."""

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
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import hypothesis
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
        _warm_patterns()
        hypothesis.settings.register_profile("judged", deadline=None, derandomize=True, database=None)
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
            arguments = (*options, test)
            if _codes(module, path, [None], arguments) != [0]:
                raise RuntimeError(f"{test} fails without a mutant: mend it first")
            codes = _codes(module, path, alive, arguments)
            alive = [one for one, code in zip(alive, codes, strict=True) if code == 0]
        return alive


def _warm_patterns() -> None:
    """Compiles the patterns of the barriers: `re` keeps them, the modules are forgotten, a fork loads them anew."""
    importlib.import_module("habitus_tasks.barriers")
    for name in [name for name in sys.modules if name.partition(".")[0] in _OURS]:
        del sys.modules[name]
    gc.collect()
    gc.freeze()  # pytest collects twice a run: not through what was here before


def _codes(module: str, path: str, found: Sequence[Mutant | None], arguments: Sequence[str]) -> list[int]:
    """The exit code of the tests for each."""
    codes = [1] * len(found)
    running: dict[int, tuple[int, float]] = {}
    waiting = list(enumerate(found))
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            at, mutant = waiting.pop(0)
            running[_fork(module, path, mutant, arguments)] = at, time.monotonic()
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid in running:
            codes[running.pop(pid)[0]] = os.waitstatus_to_exitcode(status)
        else:
            for child, (_, since) in running.items():
                if time.monotonic() - since > SECONDS:
                    os.killpg(child, signal.SIGKILL)
            time.sleep(0.01)
    return codes


def _fork(module: str, path: str, mutant: Mutant | None, arguments: Sequence[str]) -> int:
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    code = 1
    with contextlib.suppress(BaseException):
        code = int(_run(module, path, mutant, arguments))
    os._exit(code)


def _run(module: str, path: str, mutant: Mutant | None, arguments: Sequence[str]) -> int:
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    if mutant is not None:
        sys.meta_path.insert(0, _Swap(module, path, mutant.tree))
    loaded = [name for name in sys.modules if name.partition(".")[0] in _OURS]
    if loaded:
        raise RuntimeError("a module under test was imported before the fork")
    folder = Path(arguments[-1]).parent
    own = ["-pconftest"] if (folder / "conftest.py").exists() else []
    sys.path.insert(0, str(folder))
    return pytest.main(["-x", "-q", *_QUIET, *(f"-p{name}" for name in _PLUGINS), "--noconftest", *own, *arguments])


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
