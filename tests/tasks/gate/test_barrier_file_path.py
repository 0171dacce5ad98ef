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
]


@pytest.mark.parametrize("text", CAUGHT)
def test_file_path_catches_a_path_or_a_file_name(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_file_path_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
