"""`phone`: a note with a telephone number is refused."""

import pytest

from habitus_tasks.barriers.phone import BARRIER

CAUGHT = [
    "+33 6 98 93 66 73",
    "+1 (332) 449-9848",
    "(89) 97666-5952",
    "(0242) 523743",
    "0242/5237428",
    "07452 553463",
    "0033882979825",
    "687-639-5893",
    "687.639.5893",
    "555-0199",
    "tel. 12345",
    "call 12345 now",
    "text them at 12345",
    "ext: 1234",
    "phone 1234",
    "mobile 1234",
    "cell: 1234",
    "fax 1234",
    "whatsapp 1234",
    "extension 123",
    "dial 999",
    "ring 999",
    "call on 1234",
    "text at 1234",
    "1555-123-45678",
    "tel 1234",
]
LEFT_ALONE = [
    "3 May 2026, not 05/03/26",
    "2026-03-14",
    "from 1,000-2,000 words",
    "text of 300 words",
    "call 2 times",
    "+ 3 more",
    "14:05:09",
    "(3-5) bullets",
    "100-200 words",
    "100 200 300",
    "1990-1999",
    "100-15000",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_phone_catches_a_telephone_number(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_phone_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
