"""`payment_card`: a note with a card number is refused."""

import pytest

from habitus_tasks.barriers.payment_card import BARRIER

CAUGHT = [
    "5200126612776278",
    "4005 4812 6010 7577",
    "3775-7225-0766-147",
    "ending 0597",
    "ends with 1234",
    "ends in 1234",
    "last four digits 1234",
    "last 4: 1234",
    "xxxx-1234",
    "**** 1234",
    "visa 4111",
    "card #4111",
    "CVV 123",
    "IBAN: ABC",
    "bic ABC",
    "1234567890123",
    "mastercard 4111",
    "amex 4111",
    "maestro 4111",
    "CVC 123",
    "•••• 1234",
    "#### 1234",
    "card 4111",
]
LEFT_ALONE = [
    "ending with 3 bullets",
    "the last 4 lines",
    "last four edits",
    "123456789012",
    "12345678901234567890",
    "ends in 12345",
    "card layout",
    "swift code",
    "wait.... 2000 lines",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_payment_card_catches_a_card_number(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_payment_card_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
