"""`iban`: a note with a bank account number is refused."""

import pytest

from habitus_tasks.barriers.iban import BARRIER

CAUGHT = [
    "FR0307274130324829111986167",
    "DE87 6788 7445 7511 0668 39",
    "NO88 1503 3318 125",
    "GB29 NWBK 6016 13",
    "gb29 nwbk 6016 1331 9268 19",
]
LEFT_ALONE = [
    "UTF8 text here",
    "AB12 CDEF GHIJ KLMN",
    "DE87 6788",
    "IBAN",
    "GB29 NWBK 6016 1",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_iban_catches_a_bank_account_number(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_iban_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
