"""`handle`: a note with a handle of a person is refused."""

import pytest

from habitus_tasks.barriers.handle import BARRIER

CAUGHT = [
    "ask @ann",
    "(@ann)",
    "@ann_dev",
    "u/ann12",
    "r/private",
    "ann#1234",
    "#general",
    "in #random_x",
]
LEFT_ALONE = [
    "Uses @dataclass and @pytest.fixture.",
    "Uses @property",
    "w/o and I/O",
    "n/a",
    "# Heading",
    "C#",
    "a/b",
    "issue#12",
    "#ab",
    "## Heading",
    "a#bcd",
    "@",
    "your/their",
]
LEFT_ALONE += [
    f"Uses @{word} here"
    for word in (
        "dataclass property staticmethod classmethod abstractmethod override overload cached_property cache "
        "lru_cache pytest contextmanager final param params return returns throws type media import "
        "deprecated ts-ignore wraps see example author since todo decorator decorators"
    ).split()
]


@pytest.mark.parametrize("text", CAUGHT)
def test_handle_catches_a_handle_of_a_person(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_handle_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
