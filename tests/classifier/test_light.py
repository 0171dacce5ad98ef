"""Invariant 7: the reader is light."""

import subprocess
import sys
from pathlib import Path

import habitus_classifier
from habitus_classifier.model import MAGIC

PACKAGE = Path(habitus_classifier.__file__).parent
HEAVY = ("pydantic", "sqlalchemy", "sqlmodel", "celery", "redis", "numpy", "psycopg", "httpx", "structlog", "tomllib")


def fresh(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_it_loads_no_third_party_library() -> None:
    assert fresh(f"import habitus_classifier, sys; print([m for m in {HEAVY} if m in sys.modules])").strip() == "[]"


def test_deciding_loads_none_but_pydantic() -> None:
    code = (
        "from habitus_classifier import decide; from habitus_schema.catalog import all_pairs; import sys;"
        f"decide('hello', all_pairs()); print([m for m in {HEAVY} if m in sys.modules])"
    )
    assert fresh(code).strip() == "['pydantic', 'tomllib']"


def test_the_weights_are_small_and_no_pickle() -> None:
    data = (PACKAGE / "weights.bin").read_bytes()
    assert len(data) < 8_000_000
    assert data[:4] == MAGIC
