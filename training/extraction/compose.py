"""Messages made of several rows: people put several wishes, and a task, into one message, and few rows do."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from rows import PAIRS, Row

from habitus_tasks.extract.output import Output

LONGEST = 220
"""Characters of a row that may become part of a composed one: longer ones are messages of their own."""
NO_SPACES = frozenset({"zh", "ja", "th"})
JOINTS = (", ", ". ", "\n", " and ", "; ", "\n- ", " + ", " ... ")
CJK_JOINTS = ("，", "。", "\n", "、")
ENDS = ".!。！"


def _joined(parts: Sequence[str], lang: str, rng: np.random.Generator) -> str:
    joints = CJK_JOINTS if lang in NO_SPACES else JOINTS if lang == "en" else [j for j in JOINTS if j != " and "]
    joint = joints[rng.integers(len(joints))]
    text = parts[0]
    for part in parts[1:]:
        if joint.strip() in {",", ";", "+", "and", "，", "、"}:
            text = text.rstrip(ENDS)
            part = part[:1].lower() + part[1:] if rng.random() < 0.7 else part
        elif joint == ". " and text[-1:] in "?!。！…":
            text += " "
            text += part
            continue
        elif joint == ". ":
            text = text.rstrip(ENDS)
        text += joint + part
    return text


def _fit(row: Row) -> bool:
    return row.single and "```" not in row.texts[0] and len(row.texts[0]) <= LONGEST and row.kind in {"pos", "neg"}


def _dimensions(row: Row) -> set[str]:
    return {PAIRS[pair].dimension.value for pair in row.pairs}


def _output(parts: Sequence[Row]) -> Output:
    """The first part's output that is not empty: a correction needs the output that it corrects."""
    return next((part.outputs[0] for part in parts if not part.outputs[0].empty), parts[0].outputs[0])


def _one(parts: Sequence[Row], rng: np.random.Generator) -> Row:
    text = _joined([part.texts[0].strip() for part in parts], parts[0].lang, rng)
    labels = [label for part in parts for label in part.labels]
    return Row([text], [_output(parts)], labels, "pos" if labels else "neg", parts[0].lang, "composed")


def composed(rows: Sequence[Row], count: int, seed: int = 11) -> list[Row]:
    """`count` messages of two to four rows of one language: wishes of different dimensions, or wishes and a task.

    Parts with an output and corrections are taken together only once: two outputs cannot both be the last.
    """
    rng = np.random.default_rng(seed)
    wishes, others = defaultdict(list), defaultdict(list)
    for row in filter(_fit, rows):
        (wishes if row.labels else others)[row.lang].append(row)
    languages = sorted(lang for lang in wishes if len(wishes[lang]) > 20 and len(others[lang]) > 5)
    sizes = np.array([len(wishes[lang]) for lang in languages], float) ** 0.75
    made: list[Row] = []
    while len(made) < count:
        lang = languages[rng.choice(len(languages), p=sizes / sizes.sum())]
        wanted = int(rng.choice([0, 1, 2, 3, 4], p=[0.12, 0.3, 0.34, 0.18, 0.06]))
        parts: list[Row] = []
        for _ in range(wanted):
            row = wishes[lang][rng.integers(len(wishes[lang]))]
            clash = any(_dimensions(row) & _dimensions(part) for part in parts)
            second = not row.outputs[0].empty and any(not part.outputs[0].empty for part in parts)
            if not clash and not second:
                parts.append(row)
        for _ in range(2 if wanted == 0 else int(wanted == 1 or rng.random() < 0.3)):
            other = others[lang][rng.integers(len(others[lang]))]
            parts.insert(int(rng.integers(len(parts) + 1)), other)
        if len(parts) > 1:
            made.append(_one(parts, rng))
    return made
