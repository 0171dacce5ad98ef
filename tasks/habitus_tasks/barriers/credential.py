"""Credentials named as such: authorisation headers, ``password=...``, connection strings, ``-u root -p...``."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_NAMES = (
    "pass(?:word|wd|code|phrase)?|pwd|pw|secret|token|api[ _-]?key|access[ _-]?key|"
    "private[ _-]?key|credentials?|user[ _-]?id|uid|login|pin"
)
_CREDENTIAL = re.compile(
    rf"""
      \b(?:bearer|basic|digest|negotiate)\s+[A-Za-z0-9+/_.=-]{{12,}}
    | \bx-[a-z]{{2,20}}-(?:key|token|secret):
    | \bauthorization: | \bpin\s(?:code\s)?\d{{3}}
    | \b(?:admin|root|guest|test)[:/](?:admin|root|guest|toor|test|pass)\b
    | (?<![A-Za-z])(?:{_NAMES})(?:\s?[=:]\s?|\s(?:is|was)\s)["']?[^\s"'=]{{3,}}
    | (?<![A-Za-z])(?:{_NAMES})\s[A-Za-z0-9/+]{{20,}}
    | \b(?:mysql|psql|sshpass|mysqldump)\s.{{0,60}}-[uUpPW]
    | \b(?:server|data\ source|host|database|initial\ catalog)=[^\s;]{{1,64}};
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NEEDS = (
    "admin root guest bearer basic digest negotiate authorization pass password passwd passcode passphrase pwd "
    "pw secret token key apikey accesskey privatekey credential credentials id userid uid login pin mysql psql "
    "sshpass mysqldump server source host database catalog"
)


def catches(text: str) -> bool:
    """Whether the text holds a credential."""
    return _CREDENTIAL.search(text) is not None


BARRIER = Barrier("credential", Code.PRIVATE_SECRET, catches, frozenset(_NEEDS.split()))
