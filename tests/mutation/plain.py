"""The cases of a test file that need no fixture, run without pytest: it takes longer to start than they take to run.

It only kills sooner: what it leaves alive is asked with pytest as well.
"""

import ast
import importlib.util
import inspect
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any


def load(path: Path, name: str) -> ModuleType:
    """A file as a module, under a name of our own."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def run(path: Path) -> None:
    """Runs every case, those with many examples last; the first that fails raises."""
    found = [each for name, each in vars(load(path, "tests_of_mutants")).items() if name.startswith("test_")]
    for test in sorted(found, key=lambda each: hasattr(each, "hypothesis")):
        for arguments in _cases(test):
            test(**arguments)


def takers(module: str, ours: tuple[str, ...]) -> set[str]:
    """A module and all that took something of it: what has to be imported anew when it changes."""
    stale, before = {module}, set[str]()
    taken = {name: _taken(loaded) for name, loaded in sys.modules.items() if name.partition(".")[0] in ours}
    while stale != before:
        before = set(stale)
        stale |= {name for name, names in taken.items() if names & stale}
    return stale


def _cases(test: Callable[..., object]) -> Iterator[dict[str, Any]]:
    """The arguments of each case; none when something else than a parameter is asked for."""
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    tables = [list(_rows(*mark.args[:2])) for mark in marks]
    for rows in itertools.product(*tables):
        arguments = {name: value for row in rows for name, value in row.items()}
        if set(inspect.signature(test).parameters) <= set(arguments):
            yield arguments


def _rows(names: str | list[str] | tuple[str, ...], values: Any) -> Iterator[dict[str, Any]]:
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    for value in values:
        row = getattr(value, "values", value) if type(value).__name__ == "ParameterSet" else value
        row = row if len(keys) > 1 or type(value).__name__ == "ParameterSet" else [row]
        yield dict(zip(keys, row, strict=True))


def _taken(module: ModuleType) -> set[str]:
    """The modules that a module names in its imports, and what may be one."""
    path = getattr(module, "__file__", None)
    names: set[str] = set()
    for node in ast.walk(ast.parse(Path(path).read_text("utf-8"))) if path else ():
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names
