"""`person_title`: a note with a person, a company or a project is refused."""

import pytest

from habitus_tasks.barriers.person_title import BARRIER

CAUGHT = [
    "Dr. Kestrel",
    "Ms Boateng",
    "prof x",
    "mr. x",
    "Ms x",
    "Sir Ann",
    "Herr Ober",
    "Mark wants bullets",
    "Will's list",
    "May is here",
    "Grace and co prefers",
    "for Will",
    "at Snowflake",
    "Black Table Group",
    "reviewer, Rose",
    "Shell wants lists",
    "because Mark",
    "for May",
    "told May",
    "from Google",
    "at Shell",
    "codename x",
    "code-named x",
    "code name",
    "Project Halberd",
    "operation Tinfoil",
    "initiative Northstar",
]
LEFT_ALONE = [
    "TL;DR line",
    "120 ms vs 45 ms",
    "mark the words",
    "it will be",
    "in May",
    "for May 3",
    "Google-style",
    "from Google style",
    "project layout",
    "operation order",
    "3 May 2026",
    "from May to June",
    "art of",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_person_title_catches_a_person_a_company_or_a_project(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_person_title_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
