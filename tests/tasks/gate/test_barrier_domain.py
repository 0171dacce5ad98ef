"""`domain`: a note with a host name is refused."""

import pytest

from habitus_tasks.barriers.domain import BARRIER

CAUGHT = [
    "see okapi.ai",
    "db01.harrow.net",
    "quill.internal",
    "mail.x-y.co.uk",
    "host:5432",
    "cache:6379",
    "host:2116",
    "okapi.ai.",
    "x.os",
    "1.1.1.1",
    "v1.2.3.4",
    "-okapi.ai",
    ".okapi.ai",
]
LEFT_ALONE = [
    "e.g. this",
    "i.e. that",
    "node.js",
    "os.path",
    "os.getcwd",
    "v2.4.1",
    "3.11",
    "1.0.0-rc.1",
    "0.4.x",
    "README.md",
    "end.",
    "step:2",
    "at 14:05",
    "8.2.0",
    "3.12.1rc1",
    "host:123",
    "SQL:2016",
    "1.2.0a1",
    "1.2.0b2",
    "1.2.0alpha1",
    "1.2.0-beta.2",
    "1.2.0-dev.3",
    "1.2.0-post.1",
    "1.2.0-pre.2",
    "1.2.0-a1",
    "1.2.0-b2",
    "10min:1000",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_domain_catches_a_host_name(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_domain_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
