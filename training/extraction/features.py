"""Arrays for training: every message's windows, its context (last output and facts) and the last-output verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rows import Row

from habitus_tasks.extract import encoder
from habitus_tasks.extract.classifier import output_ids, verdict_row
from habitus_tasks.extract.encoder import Array
from habitus_tasks.extract.output import vector
from habitus_tasks.extract.windows import Tokenized, tokenize

BATCH = 16


@dataclass
class Messages:
    """All messages of all rows, in order. `owner[m]` is the row of message m; `start[m]` its first window."""

    owner: np.ndarray
    tokenized: list[Tokenized]
    texts: list[str]
    said: Array
    facts: Array
    verdicts: Array

    def __post_init__(self) -> None:
        counts = [len(message.windows) for message in self.tokenized]
        self.start = np.concatenate(([0], np.cumsum(counts)))
        self.message = np.repeat(np.arange(len(counts)), counts)


def of_rows(rows: Sequence[Row]) -> Messages:
    """The arrays of the rows' messages."""
    texts = [text for row in rows for text in row.texts]
    outputs = [output for row in rows for output in row.outputs]
    owner = np.repeat(np.arange(len(rows)), [len(row.texts) for row in rows])
    facts = np.array([vector(output) for output in outputs], dtype=np.float32)
    said = [
        encoder.vectors(encoder.plain(), [output_ids(output) for output in outputs[i : i + BATCH]])
        for i in range(0, len(outputs), BATCH)
    ]
    return Messages(
        owner,
        [tokenize(text) for text in texts],
        texts,
        np.concatenate(said) * facts[:, :1],
        facts,
        np.array([verdict_row(output) for output in outputs], dtype=np.float32),
    )
