"""`numbers`: a note with a number that is not a count is refused."""

import pytest

from habitus_tasks.barriers.numbers import BARRIER

CAUGHT = [
    "64237561",
    "2162.91.15515",
    "06-08-45 93320312",
    "43110",
    "0597",
    "007",
    "0000",
    "59.3293",
    "2924 2002 1997",
    "5-2-7-5-6-1-8",
    "12345",
    "+1 . (49 . 2) . 956",
    "(555) 12-34",
    "8 . 1 . - . 7 . 6 . 1 - 3 . 2",
    "0|8|2|5|9|8|4",
    "12345 6",
]
LEFT_ALONE = [
    "Limit near 300 tokens",
    "1,500 words",
    "100,000 rows",
    "10000 rows",
    "65536",
    "16384",
    "32768",
    "65535",
    "2026-03-14",
    "2026/03/14",
    "05/03/26",
    "14:05:09",
    "2024-2025",
    "1000-2000 words",
    "3-5 bullets",
    "0.25 s",
    "0.8512",
    "v1.2.3456",
    "4/5 sessions",
    "v1.2.3",
    "100%",
    "1,000-2,000",
    "2026-03-14T09:30:00Z",
    "1234",
    "0-based",
    "123 456",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_numbers_catches_a_number_that_is_not_a_count(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_numbers_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
