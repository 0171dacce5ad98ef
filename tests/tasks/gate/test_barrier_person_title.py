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
    "mrs x",
    "dr x",
    "MS x",
    "with May",
    "to May",
    "tell May",
    "ask May",
    "asked May",
    "because May",
    "for Google",
    "by Google",
    "with Google",
    "joined Google",
    "left Google",
    "because Google",
    "as Google",
    "joined Stripe",
    "left Stripe",
    "codenamed x",
    "codenames",
]
CAUGHT += [
    f"Shell {word} it"
    for word in (
        "wants prefers asks asked likes insists said says reviews needs hates dislikes wrote approved keeps "
        "is was will has"
    ).split()
]
CAUGHT += [
    f"at {word}"
    for word in (
        "Snowflake GitHub GitLab Databricks Datadog Cloudflare HashiCorp Mozilla Vercel Netlify Heroku Sentry "
        "Grafana Netflix Spotify Stripe Supabase Firebase Obsidian Confluence Jira Bitbucket Eclipse Unity"
    ).split()
]
CAUGHT += [
    f"{word} Okapi"
    for word in (
        "mr mrs ms mx miss dr prof professor sr sra herr frau mme monsieur madame sir lady lord capt sgt rev"
    ).split()
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
    "TL;DR Line",
    "Mark the words",
    "from Google docs",
    "from Google format",
    "from Google-like tables",
    "Heading Group: x",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_person_title_catches_a_person_a_company_or_a_project(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_person_title_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
