"""File and repository paths of every system, and names of files that are not the usual ones."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import INNER_DOT, Barrier
from habitus_tasks.barriers.wordlists import DOTTED

_EXTENSIONS = (
    "py|pyi|ipynb|js|mjs|cjs|jsx|ts|tsx|vue|css|scss|html?|php|rb|rs|go|java|kt|swift|scala|cs|fs|cpp|cc|hpp|ex|exs|"
    "sh|bash|zsh|fish|ps1|bat|cmd|sql|db|sqlite|json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|xml|csv|tsv|parquet|"
    "xlsx?|docx?|pptx?|pdf|odt|md|mdx|rst|txt|log|tex|bib|png|jpe?g|gif|svg|mp[34]|mov|wav|zip|tar|gz|tgz|7z|bak|"
    "tf|tfvars|tfstate|pem|key|crt|p12|pub|kdbx|exe|dll|so|jar|war|whl|deb|rpm|dmg|iso|eml|msg|ics|vcf|proto|"
    "gradle|sln|csproj|lua|r|jl|m|swp|tmp|dat|bin|out|patch|diff|ods|pages|numbers"
)
_PATH = re.compile(
    r"""
      ~[/\\]
    | (?<![\w/<.~])/(?!dev/null\b)[A-Za-z0-9_.@$-]{2,}           # /home/..., not and/or
    | (?:\.\.|(?<![\w.])\.|\$\{?\w{1,40}\}?|%\w{1,40}%)[/\\]\w   # ~/x ../x ./x $HOME/x %APPDATA%\x
    | \b[A-Za-z]:[/\\]\w?                                        # C:\x
    | \\\\\w                                                     # \\server
    | \w\\\w\w                                                   # services\claims
    | \b[\w.-]{1,64}/[\w./-]{0,128}\.[A-Za-z]\w{0,5}\b           # a/b.py
    """,
    re.VERBOSE,
)
_NAME = re.compile(rf"(?<![\w.-])[\w.-]*[\w-]\.(?:{_EXTENSIONS})\b(?![(-])", re.IGNORECASE)
_SEGMENTS = re.compile(r"(?<![\w.-])[\w.-]+(?:/[\w.-]+){2,}")
_ROOTS = frozenset(
    [
        "src",
        "lib",
        "libs",
        "app",
        "apps",
        "bin",
        "etc",
        "usr",
        "var",
        "opt",
        "tmp",
        "home",
        "mnt",
        "srv",
        "data",
        "tests",
        "test",
        "docs",
        "doc",
        "pkg",
        "packages",
        "services",
        "scripts",
        "modules",
        "components",
        "internal",
        "cmd",
        "infra",
        "deploy",
        "config",
        "configs",
        "assets",
        "public",
        "static",
        "build",
        "dist",
        "users",
        "documents",
        "desktop",
        "downloads",
        "repo",
        "repos",
        "projects",
        "client",
        "clients",
        "server",
        "backend",
        "frontend",
        "api",
        "core",
    ]
)


def catches(text: str) -> bool:
    """Whether the text holds a path or the name of an unusual file."""
    if _PATH.search(text) is not None or any(map(_is_path, _SEGMENTS.findall(text))):
        return True
    return any(name.lower().lstrip(".-") not in DOTTED for name in _NAME.findall(text))


def _is_path(segments: str) -> bool:
    """Three parts are alternatives ("red/green/refactor") unless one is a usual folder; four are a path."""
    parts = segments.lower().split("/")
    return len(parts) > 3 or not _ROOTS.isdisjoint(parts)


BARRIER = Barrier("file_path", Code.PRIVATE_PATH, catches, frozenset({"/", "\\", INNER_DOT}))
