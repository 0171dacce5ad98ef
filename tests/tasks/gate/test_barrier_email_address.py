"""`email_address`: a note with an e-mail address is refused."""

import pytest

from habitus_tasks.barriers.email_address import BARRIER

CAUGHT = [
    "ann@host.org",
    "ann@host",
    "ann@ host",
    "ann @ host",
    "git@host:x",
    "a@b",
]
LEFT_ALONE = [
    "Uses @dataclass here.",
    "Uses (@property) here.",
    "an at sign",
    "`@cache` only",
    "@",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_email_address_catches_an_email_address(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_email_address_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
