"""`mixed_token`: a note with letters and digits in one word is refused."""

import pytest

from habitus_tasks.barriers.mixed_token import BARRIER

CAUGHT = [
    "CUST045804",
    "300 CUST045804 2x",
    "Tr1angle",
    "Winter2025",
    "hunter42",
    "H2CY5",
    "lucí0",
    "k_bl4c8",
    "ab1",
    "abc_123_xyz1",
    "test_1234",
    "x_12_okapi1",
    "Row2",
    "welcome1",
    "row22",
    "retry_1234",
]
LEFT_ALONE = [
    "30s and 2x",
    "H2 and v2",
    "UTF8 and sha256",
    "1st and 22nd",
    "python3",
    "10k tokens",
    "spaces_2",
    "test_case_1",
    "row2",
    "is_utf8",
    "is_sha256",
    "at 09:30Z",
    "tmp_final_v3",
    "test_1",
    "300",
    "2026-03-14T09:30:00Z",
    "3x3",
    "0-based",
    "50ms",
    "x86",
    "p95",
    "5pm",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_mixed_token_catches_letters_and_digits_in_one_word(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_mixed_token_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
