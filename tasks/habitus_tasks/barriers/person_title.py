"""Names that ordinary words would hide: titles before a name, names that are also words, companies, code names."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_TITLES = "mr mrs ms mx miss dr prof professor sr sra herr frau mme monsieur madame sir lady lord capt sgt rev"
_NAMES = (
    "Mark Chance Will Bill Drew Frank Grace Rose Hope Faith Joy Art Rich Pat Chase Grant Dean Max Summer Dawn Guy Rob "
    "Sue Gene Ray Jack Miles Rusty Sandy Penny Bob Young Brown King Price Cook Baker Wood Stone Banks Wells "
    "Little Sharp Mercy Norm Iris Sage Reed Lane Glen Heath Clay Dale Marshal Marshall Rod Buck Ty"
)
_COMPANIES = "Google Microsoft Amazon Oracle Apple Meta Shell Target IBM Intel OpenAI Slack Notion Postman Delta"
_VENDORS = (
    "Snowflake GitHub GitLab Databricks Datadog Cloudflare HashiCorp Mozilla Vercel Netlify Heroku Sentry "
    "Grafana Netflix Spotify Stripe Supabase Firebase Obsidian Confluence Jira Bitbucket Eclipse Unity"
)
_SUFFIXES = (
    "Group Partners Labs Systems Solutions Technologies Holdings Ventures Capital Studios Consulting Corp Inc "
    "LLC Ltd GmbH"
)
_PROJECTS = "codename codenamed codenames code operation project initiative"
_DOES = (
    "wants|prefers|asks|asked|likes|insists|said|says|reviews|needs|hates|dislikes|wrote|approved|keeps|is|was|will|has"
)
_COMPANY = _COMPANIES.replace(" ", "|")
_NAME = _NAMES.replace(" ", "|")
_FOUND = re.compile(
    rf"""
      (?<![\w;])(?i:{_TITLES.replace(" ", "|")})\b\.?\s[A-Z]
    | (?<![\w;])(?:(?i:mr|mrs|dr|prof)|Ms|MS)\b\.?\s\w
    | \b(?:{_NAME}|May)(?:'s\s|\s(?:and\s\w+\s)?(?:{_DOES})\b)
    | (?<=[a-z,]\s)(?:{_NAME})\b
    | \b(?:{_COMPANY})\s(?:{_DOES})\b
    | \b(?:for|with|to|tell|told|ask|asked|because)\sMay\b(?!\s\d)
    | \b(?:for|from|by|at|with|joined|left|because|as)\s(?:{_COMPANY})\b(?!-|\s(?:style|docs|format))
    | \b(?:at|joined|left)\s(?:{_VENDORS.replace(" ", "|")})\b
    | \b[A-Z]\w{{1,40}}\s(?:{_SUFFIXES.replace(" ", "|")})\b(?!:)
    | (?i:\bcode[\s-]?name[ds]?\b) | \b(?i:operation|project|initiative)\s[A-Z][a-z]+\b
    """,
    re.VERBOSE,
)
_NEEDS = frozenset(f"{_TITLES} {_NAMES} May {_COMPANIES} {_VENDORS} {_SUFFIXES} {_PROJECTS}".lower().split())


def catches(text: str) -> bool:
    """Whether the text names a person, a company or a project in one of these ways."""
    return _FOUND.search(text) is not None


BARRIER = Barrier("person_title", Code.PRIVATE_NAMED_ENTITY, catches, _NEEDS)
