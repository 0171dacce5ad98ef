"""`code_snippet`: a note with a piece of code is refused."""

import pytest

from habitus_tasks.barriers.code_snippet import BARRIER

CAUGHT = [
    "f(x=1)",
    "load(a, b)",
    "p.discharge(x)",
    "def settle(",
    "class Refund(",
    "for p in q: p.x",
    "if a.b: go(",
    "SELECT a FROM b",
    "insert into wages",
    "update wages set a",
    "delete from wages",
    "from x.y import z",
    "create table wages",
    "drop table wages",
    "alter table wages",
    "import a.b",
    "a == 'x'",
    "a == b.c",
    "a || b.c",
    "a = load(",
    "x = 'abc'",
    "a && b.c",
    "a | b.c",
    "role['admin']",
    "x[0]",
    "{role: 1",
    "a = 1;",
    "go }",
    "<a href=x>",
    "curl -X POST api/v1",
    "git push --force=a/b",
    "x -d amount=1",
    'feat(".")',
    "fix(a...)",
    "function Refund(",
    "fn settle(",
    "func settle(",
    "while x: go.on",
    "elif x: go(1)",
    "with x: f(1)",
    "a = b.c",
    "a && b['c']",
    "a | b['c']",
    "wget -f a/b=c",
    "kubectl -f a/b=c",
    "ssh -f a/b=c",
    "scp -f a/b=c",
    "psql -f a/b=c",
    "mysql -f a/b=c",
    "aws -f a/b=c",
    "gcloud -f a/b=c",
    "docker -f a/b=c",
    "terraform -f a/b=c",
    "helm -f a/b=c",
    "a && go(x)",
    "a | go(x)",
    "go on;",
]
LEFT_ALONE = [
    "O(n) notes",
    "K=2 contexts",
    "a, b; c, d",
    "if it fails: stop",
    "select the first",
    "update x and set",
    "import order",
    "a | b columns",
    "x >= 3",
    "==highlight== removed.",
    "<like this>",
    "a = load. Then",
    "set -euo pipefail",
    "print()",
    "def f(x: int) -> str",
    "[x] done",
    "create tables",
    "indent=4",
    "--max-retry-count",
    "git commit messages",
    "f(x)",
    "strict=True",
    "feat(...) is out",
    "call(..)",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_code_snippet_catches_a_piece_of_code(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_code_snippet_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
