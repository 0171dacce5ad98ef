"""`high_entropy`: a note with a random string is refused."""

import pytest

from habitus_tasks.barriers.high_entropy import BARRIER

CAUGHT = [
    "ff4f1f0e-41a7-411e-91b6-8df2c9ae11e1",
    "85b806c12ec9402284464ddd4058b0b8",
    "83db04f",
    "b8ca9cf",
    "0x48616e6e",
    "djwWBk3CCNhdaO1a",
    "kOHqGuVWKdGMvzR3/R",
    "dHZpbGxhbGJhQHRlc3Nh0w==",
    "YWJjZGVmZ2hpamtsbW5=",
    "Ab1Cd2Ef3Gh4Ij5",
    "xxx1xxZxxZxxxZ",
    "totalRetryCount djwWBk3CCNhdaO1a",
    "xxxxxxxxxxxxxx==",
    "xxxxxxxxxxxxxxx=",
    "1xxxxZxxZxxxxZ",
    "Z1_xxxZxxZxxxZ9",
    "3 ZZxxxxZxxZxxxZ",
]
LEFT_ALONE = [
    "2026-03-14",
    "1234567",
    "totalRetryCount",
    "test_returns_empty_list_when_no_rows",
    "SCREAMING_SNAKE_CASE",
    "fence_backtick_count=4",
    "facade",
    "20260314",
    "defaced",
    "step-by-step",
    "Ab1Cd2Ef3Gh4I",
    "xxx1xxZxxxxxxZ",
    "xx1xxZxxZxxxZ",
    "defaced 3",
    "xxxxxxxxxxx=",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_high_entropy_catches_a_random_string(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_high_entropy_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
