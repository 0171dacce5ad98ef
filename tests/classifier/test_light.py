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


def test_it_imports_in_tens_of_milliseconds_and_first_decides_within_150_of_cpu_time() -> None:
    code = (
        "import time; at = time.process_time; began = at(); import habitus_classifier; loaded = at();"
        "from habitus_schema.catalog import all_pairs;"
        "habitus_classifier.decide('why is my loop slow?', all_pairs()); print(loaded - began, at() - began)"
    )
    runs = [tuple(map(float, fresh(code).split())) for _ in range(3)]
    assert min(loaded for loaded, _ in runs) < 0.1
    assert min(decided for _, decided in runs) < 0.3  # twice the goal: a shared machine


def test_33_pairs_are_decided_in_about_a_millisecond_of_cpu_time_however_long_the_query() -> None:
    code = """
import time
from habitus_classifier import decide
from habitus_schema.catalog import all_pairs
pairs = list({pair.dimension: pair for pair in all_pairs()}.values())
assert len(pairs) == 33
for query in ("why is my loop slow?", "please sum up what I pasted. " * 280, "some words, and more. " * 50_000):
    decide(query, pairs)
    took = []
    for _ in range(40):
        began = time.process_time()
        decide(query, pairs)
        took.append(time.process_time() - began)
    print(sorted(took)[20])
"""
    assert max(map(float, fresh(code).split())) < 0.003  # three times the goal: a shared machine


def test_the_weights_are_small_and_no_pickle() -> None:
    data = (PACKAGE / "weights.bin").read_bytes()
    assert len(data) < 2_000_000
    assert data[:4] == MAGIC
