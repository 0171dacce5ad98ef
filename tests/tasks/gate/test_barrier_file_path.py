"""`file_path`: a note with a path or a file name is refused."""

import pytest

from habitus_tasks.barriers.file_path import BARRIER

CAUGHT = [
    "in /home/ann",
    "in /x1 too",
    "in ~/notes",
    "in ~/.ssh",
    "in ~\\x",
    "in ../notes",
    "in ./notes",
    "in $HOME/notes",
    "in ${HOME}/notes",
    "in %APPDATA%\\x",
    "in C:\\x",
    "in D:/x",
    "in \\\\server",
    "in services\\claims",
    "in src/billing/run.py",
    "docs/minutes.md",
    "src/mod.zig",
    "payroll.xlsx is kept",
    "salary_model.rb",
    "notes.final.docx",
    "id.pem",
    "a/b/c/d",
    "2026/src/x",
    "app/models/user",
    "lib/x/y",
    "Backup.TAR",
    "/a/src/b",
    ".payroll.xlsx",
    "a..payroll.xlsx",
]
CAUGHT += [
    f"a/{word}/b"
    for word in (
        "src lib libs app apps bin etc usr var opt tmp home mnt srv data tests test docs doc pkg packages "
        "services scripts modules components internal cmd infra deploy config configs assets public static "
        "build dist users documents desktop downloads repo repos projects client clients server backend "
        "frontend api core"
    ).split()
]
CAUGHT += [
    f"okapi.{word}"
    for word in (
        "py pyi ipynb js mjs cjs jsx ts tsx vue css scss htm html php rb rs go java kt swift scala cs fs cpp "
        "cc hpp ex exs sh bash zsh fish ps1 bat cmd sql db sqlite json jsonl yml yaml toml ini cfg conf env "
        "lock xml csv tsv parquet xls xlsx doc docx ppt pptx pdf odt md mdx rst txt log tex bib png jpg jpeg "
        "gif svg mp3 mp4 mov wav zip tar gz tgz 7z bak tf tfvars tfstate pem key crt p12 pub kdbx exe dll so "
        "jar war whl deb rpm dmg iso eml msg ics vcf proto gradle sln csproj lua r jl m swp tmp dat bin out "
        "patch diff ods pages numbers"
    ).split()
]
LEFT_ALONE = [
    "pros/cons",
    "and/or",
    "I/O",
    "red/green/refactor",
    "2026/03/14",
    "05/03/26",
    "CI/CD",
    "try/except.",
    "to /dev/null",
    "README.md and pyproject.toml",
    "e.g. this",
    "Escape \\| here",
    "ends with \\n",
    "node.js",
    "v1.2.3",
    "client / server",
    "Uses HTTP/1.1",
    "etc./others",
    "self.log() calls",
    ".py files",
    "...README.md",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_file_path_catches_a_path_or_a_file_name(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_file_path_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
