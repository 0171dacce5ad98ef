"""One barrier is one file, one test file, one id and one line in docs/gate.md; the four lists are equal."""

from pathlib import Path

import habitus_tasks.barriers as package
from habitus_tasks.barriers import BARRIERS, characters

ROOT = Path(__file__).parents[3]
MATTERS = {"body", "event", "law", "mind", "money", "pattern", "tie", "work"}
HELPERS = {"__init__", "barrier", "dates", "wordlists", *(f"life_{matter}" for matter in MATTERS)}
NAMES = [barrier.name for barrier in (characters.BARRIER, *BARRIERS)]


def test_every_barrier_is_a_file_of_its_name() -> None:
    files = {path.stem for path in Path(package.__file__).parent.glob("*.py")}
    assert files - HELPERS == set(NAMES)


def test_every_barrier_has_a_test_file_of_its_name() -> None:
    files = {path.stem.removeprefix("test_barrier_") for path in Path(__file__).parent.glob("test_barrier_*.py")}
    assert files == set(NAMES)


def test_every_matter_of_a_life_is_a_file_with_a_test_file() -> None:
    files = {path.stem.removeprefix("life_") for path in Path(package.__file__).parent.glob("life_*.py")}
    tests = {path.stem.removeprefix("test_gate_life_") for path in Path(__file__).parent.glob("test_gate_life_*.py")}
    assert files - {"phrase"} == tests == MATTERS


def test_every_barrier_is_documented_in_the_order_in_which_it_is_asked() -> None:
    lines = (ROOT / "docs/gate.md").read_text("utf-8").splitlines()
    assert [line.split("`")[1] for line in lines if line.startswith("| `")] == NAMES
