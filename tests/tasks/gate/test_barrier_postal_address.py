"""`postal_address`: a note with a street address is refused."""

import pytest

from habitus_tasks.barriers.postal_address import BARRIER

CAUGHT = [
    "14 Alder Crescent",
    "88a Harbour Road",
    "2207 Old Mocking Bird Lane",
    "Rua das Flores 118",
    "rue de Rivoli 40",
    "Calle Mayor 5",
    "P.O. Box 4471",
    "PO box 4",
    "postcode",
    "zip code",
    "flat 3",
    "apt 12",
    "suite 9",
    "Rue Haute 5",
    "Avenida Sol 5",
    "Plaza Mayor 5",
    "Piazza Navona 5",
    "Strada Mare 5",
    "Ulica Nowa 5",
    "ul. Nowa 5",
    "Jalan Besar 5",
    "Carrera Sol 5",
    "Via Roma 5",
    "apartment 3",
]
CAUGHT += [
    f"14 Alder {word}"
    for word in (
        "Street St Road Rd Avenue Ave Lane Ln Drive Dr Crescent Boulevard Blvd Court Place Square Terrace "
        "Close Way Highway Parkway Pkwy Alley Quay Mews Grove Hill Row Walk"
    ).split()
]
LEFT_ALONE = [
    "14 bullets in a row",
    "3 way merge",
    "one way",
    "14 Alder",
    "Via the 3 steps",
    "Via 3",
    "zip files",
    "a flat list",
    "a suite of 9 tests",
    "box drawing",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_postal_address_catches_a_street_address(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_postal_address_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
