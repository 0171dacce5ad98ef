"""`mac_address`: a note with a hardware address is refused."""

import pytest

from habitus_tasks.barriers.mac_address import BARRIER

CAUGHT = [
    "1e:93:95:dd:cd:09",
    "7C-0D-BB-BE-E0-2B",
    "0a16.a927.8f8d",
    "1e:93:95:dd:cd:091",
]
LEFT_ALONE = [
    "14:05:09",
    "1e:93:95:dd:cd",
    "7C-0D:BB-BE-E0-2B",
    "0a16.a927",
    "2026-03-14",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_mac_address_catches_a_hardware_address(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_mac_address_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
