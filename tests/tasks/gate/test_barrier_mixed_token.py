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
CAUGHT += [
    f"{word}1" for word in "welcome admin login root guest user default master access hello test pass super".split()
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
    "30us",
    "10ns",
    "5m",
    "5min",
    "5mins",
    "2h",
    "2hr",
    "2hrs",
    "3d",
    "2w",
    "16px",
    "12pt",
    "2em",
    "2rem",
    "80ch",
    "5kb",
    "5mb",
    "5gb",
    "5tb",
    "5mib",
    "5kib",
    "5gib",
    "5hz",
    "5khz",
    "60fps",
    "2col",
    "2cols",
    "9am",
    "3rd",
    "4th",
    "10ish",
    "2dp",
    "80char",
    "80chars",
    "50words",
    "10lines",
    "300tokens",
    "1080p",
    "v1234",
    "x1080",
    "final_v12",
    "1234 rows",
    "10d",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_mixed_token_catches_letters_and_digits_in_one_word(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_mixed_token_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
