"""`national_id`: a note with a number that a state gives is refused."""

import pytest

from habitus_tasks.barriers.national_id import BARRIER

CAUGHT = [
    "611-13-8735",
    "726.110.742-54",
    "AC 99 64 55 C",
    "AC996455C",
    "2924 2002 1997",
    "261275 68987",
    "010190-1234",
    "900101-123",
    "12345678Z",
    "12345678-Z",
    "X-1234567-L",
    "X1234567L",
    "H2CY5R2R09",
    "AB1234567",
    "SSN",
    "nino",
    "aadhaar",
    "passport",
    "national insurance",
    "Social Security",
    "NHS number",
    "tax id",
    "ID card",
    "licence plate",
    "license plate",
    "12AB3456",
]
LEFT_ALONE = [
    "611-13-87355",
    "1 of 3",
    "2026-03-14",
    "250-1234",
    "12345678",
    "security notes",
    "2924 2002",
    "AC 99 64 C",
    "a card",
    "number plate",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_national_id_catches_a_number_that_a_state_gives(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_national_id_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
