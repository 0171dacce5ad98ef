"""Trains the heads of the extra ``embed`` on the same rows: ``python training/policy/embed.py``.

Writes ``classifier/habitus_classifier/embed/heads.npz``: a softmax over the kinds of query and one for the asks of each
dimension, on the sentence vectors of the pinned encoder. Deterministic, as `train.py` is, and needs the same. Then, or
alone with ``--measure FILE...``, it prints how the built-in backend and this one do on labelled policy sets.
"""

import json
import os
import sys
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from corpus import DATA, rows
from sklearn.linear_model import LogisticRegression
from train import asked, kinds_of

from habitus_classifier import Backend, built_in, decide
from habitus_classifier.embed import Embeddings, encoder
from habitus_classifier.evaluate import DRIVE, Figures, figures
from habitus_classifier.facets import ABOUT, TASKS
from habitus_classifier.text import read
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import VALUES

KIND_COST, ASK_COST = 30.0, 30.0
"""Inverse strengths of the L2 penalty."""
BALANCE = 0.5
"""How far the few rows of a kind or an ask are weighed up."""
BATCH = 256
OUT = Path(encoder.__file__).with_name("heads.npz")


def _fit(inputs: np.ndarray, label: np.ndarray, weights: np.ndarray, cost: float) -> tuple[np.ndarray, np.ndarray]:
    share = len(label) / np.bincount(label)
    learner = LogisticRegression(C=cost, solver="lbfgs", max_iter=100, tol=1e-3)
    learner.fit(inputs, label, sample_weight=weights * (share[label] / len(share)) ** BALANCE)
    if len(learner.coef_) == 1:  # two classes: one row of scikit-learn's is the second against the first
        return np.vstack([np.zeros_like(learner.coef_), learner.coef_]), np.array([0.0, learner.intercept_[0]])
    return learner.coef_, learner.intercept_


def main() -> None:
    """Encodes, fits, writes."""
    data = rows()
    texts = [read(row.text).exact for row in data]
    inputs = np.vstack([encoder.vectors(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)])
    weights = np.array([row.weight for row in data])
    kinds, kind = kinds_of(data)
    coefficients, biases = [], []
    for coef, bias in [_fit(inputs, kind, weights, KIND_COST)]:
        coefficients.append(coef)
        biases.append(bias)
    wanted, first = asked(data), 0
    for values in VALUES.values():
        labels = wanted[:, first : first + len(values)]
        first += len(values)
        none_or_which = np.where(labels.any(axis=1), labels.argmax(axis=1) + 1, 0)
        coef, bias = _fit(inputs, none_or_which, weights, ASK_COST)
        coefficients.append(coef[1:] - coef[:1])
        biases.append(bias[1:] - bias[0])
    members = np.array([[name in each for name in (*TASKS, *ABOUT)] for each in kinds], dtype=np.uint8)
    np.savez_compressed(
        OUT,
        members=members,
        coefficients=np.vstack(coefficients).astype(np.float16),
        biases=np.concatenate(biases).astype(np.float32),
    )
    print(f"{len(data)} rows, {len(kinds)} kinds, {OUT.stat().st_size} bytes", file=sys.stderr)


def measured(path: Path, backend: Backend) -> Figures:
    """The figures of a backend on a labelled policy set."""
    outcomes = []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        pairs = [Pair.model_validate(each) for each in row["preferences"]]
        items = decide(row["query"], pairs, backend=backend).items
        tagged = "override" in row.get("tags", ())
        outcomes += [(gold, item.policy, tagged) for item, gold in zip(items, row["policies"], strict=True)]
    return figures(outcomes)


def measure(paths: list[Path]) -> None:
    """Prints the figures of both backends on each set."""
    for path in paths:
        for name, backend in (("built-in", built_in), ("embed", Embeddings())):
            found = measured(path, backend)
            shown = f"micro {found.micro:.3f}, macro F1 {found.macro_f1:.3f}, drive recall {found.recall[DRIVE]:.3f}"
            print(f"{path.name}: {name}: {shown}, over-use {found.over_use:.3f}", file=sys.stderr)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure([Path(name) for name in sys.argv[2:]])
    else:
        main()
        measure([DATA / "validation-policies.jsonl"])
