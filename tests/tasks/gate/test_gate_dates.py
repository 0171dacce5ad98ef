"""`without_dates`: dates, times, ranges and rounded counts are taken out whole; what only looks like one stays."""

import pytest

from habitus_tasks.barriers.dates import without_dates

TAKEN = [
    "2026-03",
    "2026-10",
    "2026-03-01",
    "2026-03-14",
    "2026-03-31",
    "2026-03-14T09:30",
    "2026-03-14 09:30:15",
    "2026-03-14T09:30:00Z",
    "5/3/26",
    "05.03.2026",
    "15-12-26",
    "3/15/26",
    "30/31/2026",
    "31/30/26",
    "2026/3/5",
    "2026.12.31",
    "2026/11/15",
    "9:30",
    "14:05",
    "24:00",
    "14:05:09",
    "14:05:09.123Z",
    "2024-2026",
    "2024/2025",
    "10-20",
    "1000-2000",
    "2000",
    "150000",
    "16384",
    "32768",
    "65535",
    "65536",
]
LEFT = [
    "2026-13",
    "1997-03-14",
    "2050-03",
    "2026-03-32",
    "32/3/26",
    "5/3/56",
    "2026/13/5",
    "9:60",
    "25:00",
    "1999-2026",
    "11-20",
    "10-21",
    "2001",
    "x2000",
    "3.2000",
    "1:2000",
    "-2000",
    "/2000",
    "2000x",
    "2000:1",
    "2000/1",
    "2000-1",
    "2000.5",
    "2000,5",
    "16385",
]


@pytest.mark.parametrize("text", TAKEN)
def test_a_date_a_time_a_range_or_a_rounded_count_is_taken_out_whole(text: str) -> None:
    assert without_dates(f"a {text}, b {text}.") == "a  ; , b  ; ."


@pytest.mark.parametrize("text", LEFT)
def test_what_only_looks_like_one_stays(text: str) -> None:
    assert without_dates(f"a {text} b") == f"a {text} b"
