"""`url`: a note with a web address is refused."""

import pytest

from habitus_tasks.barriers.url import BARRIER

CAUGHT = [
    "see https://x",
    "s3://bucket",
    "ws://[::1]",
    "www.x",
    "www2.x",
    "mailto:ann",
    "tel:123",
    "urn:uuid:1",
    "data:text",
    "jdbc:x",
    "host.org/path",
    "host.org?ref=1",
    "HTTPS://X",
    "sip:ann",
    "sips:ann",
    "xmpp:ann",
    "magnet:x",
    "arn:x",
]
LEFT_ALONE = [
    "no http:// links",
    "www",
    "and/or",
    "a colon: here",
    "e.g. this/that",
    "what? ref=1",
    "pros/cons",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_url_catches_a_web_address(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_url_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
