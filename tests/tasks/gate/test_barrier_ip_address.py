"""`ip_address`: a note with a network address is refused."""

import pytest

from habitus_tasks.barriers.ip_address import BARRIER

CAUGHT = [
    "10.12.13.14",
    "185.196.137.107:8080",
    "10.0.0.0/16",
    "2a01:0ee2:f1ad:d280:1719:bdd0:9fee:9efc",
    "fe80::0a03:351a",
    "::ffff",
    "fd12:241c::60ba",
    "2001:db8::",
    "x10.12.13.14",
    "10.12.13.14.15",
]
LEFT_ALONE = [
    "1.2.3",
    "v3.11.2",
    "14:05:09",
    "3:1",
    "std::move is C++",
    "1:2",
    "10.12.13",
    "std::cout is C++",
    "std::a is C++",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_ip_address_catches_a_network_address(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_ip_address_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
