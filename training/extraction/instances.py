"""Which windows teach what: from labels of rows to labels of windows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from features import Messages
from network import COUNT
from rows import STATES, Row

OPEN_KINDS = ("withdrawn", "undecided", "reversal")
"""Sequences whose early messages are wishes that the labels do not name: only their last words could teach."""


@dataclass
class Instances:
    """Training windows: index of each, wanted pairs, weight, and whether another output may stand before it."""

    window: np.ndarray
    wanted: np.ndarray
    weight: np.ndarray
    free: np.ndarray
    standing: np.ndarray


def _widest(messages: Messages, m: int) -> int:
    return int(messages.start[m + 1] - 1)


def _whole(messages: Messages, m: int) -> bool:
    windows = messages.tokenized[m].windows
    return len(windows) == 1 or windows[-1].last - windows[-1].first == len(messages.tokenized[m].ids)


def _row_windows(
    row: Row, own: list[int], messages: Messages, guess: np.ndarray | None
) -> list[tuple[int, list[int], float]]:
    """Windows of one row with the pairs each is labelled with. `guess` (windows x pairs) tells which window says it."""
    if row.single and _whole(messages, own[0]):
        return [(_widest(messages, own[0]), row.pairs, 1.0)]
    if row.single:
        span = list(range(messages.start[own[0]], messages.start[own[0] + 1]))
    else:
        span = [_widest(messages, m) for m in own]
    if not row.pairs:
        return [] if row.kind in OPEN_KINDS else [(j, [], 1 / len(span) if row.single else 1.0) for j in span]
    if guess is None:
        return []
    best = {pair: span[int(np.argmax(guess[span, pair]))] for pair in row.pairs}
    found = []
    for j in span:
        said = [pair for pair in row.pairs if best[pair] == j]
        if said or (not row.single and guess[j, :COUNT].sum() < 0.3):
            found.append((j, said, 1.0))
    return found


def select(rows: Sequence[Row], messages: Messages, guess: np.ndarray | None = None) -> Instances:
    """The training windows of all rows."""
    found, standing = [], []
    first = np.searchsorted(messages.owner, np.arange(len(rows) + 1))
    for i, row in enumerate(rows):
        own = [m for m in range(first[i], first[i + 1]) if messages.tokenized[m].windows]
        if own and len(own) == len(row.texts):
            taught = _row_windows(row, own, messages, guess)
            found += taught
            habit = row.single and bool(row.labels) and all(label["signal"] == "standing" for label in row.labels)
            standing += [habit] * len(taught)
    wanted = np.zeros((len(found), COUNT), np.float32)
    for k, (_, pairs, _) in enumerate(found):
        wanted[k, pairs] = 1
    return Instances(
        np.array([j for j, _, _ in found]),
        wanted,
        np.array([weight for _, _, weight in found], np.float32),
        ~wanted.any(axis=1),
        np.array(standing),
    )


def redrawn(chosen: Instances, messages: Messages, rng: np.random.Generator) -> np.ndarray:
    """For each instance the message whose output stands before it in this epoch.

    Half of the label-free ones and some of the standing ones get another row's output: what was said before must not
    decide by itself, and a habit holds whatever was said before.
    """
    own = messages.message[chosen.window]
    some, none = (np.flatnonzero(messages.facts[:, 0] == there) for there in (1, 0))
    dice = rng.random(len(own))
    other = np.where(rng.random(len(own)) < 0.75, rng.choice(some, len(own)), rng.choice(none, len(own)))
    anything = rng.choice(some, len(own))
    drawn = np.where(chosen.free & (dice < 0.5), anything, own)
    return np.where(chosen.standing & (dice < 0.4), other, drawn)


def states(rows: Sequence[Row], messages: Messages, guess: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Windows, states and weights for the state head. `guess` (windows x states) tells which message says it."""
    windows, kinds, weights = [], [], []
    first = np.searchsorted(messages.owner, np.arange(len(rows) + 1))
    for i, row in enumerate(rows):
        own = [m for m in range(first[i], first[i + 1]) if messages.tokenized[m].windows]
        if not own:
            continue
        marked = row.rejected & set(STATES) if not row.single else set()
        chosen = {}
        for name in sorted(marked):
            later = own[1:] if name == "withdrawn" and len(own) > 1 else own
            spans = [j for m in later for j in range(messages.start[m], messages.start[m + 1])]
            chosen[spans[int(np.argmax(guess[spans, STATES.index(name)]))]] = STATES.index(name)
        for m in own:
            for j in {_widest(messages, m), *(k for k in chosen if messages.message[k] == m)}:
                plain = bool(row.labels) or not row.single or guess[j, 1:].max() < 0.3
                if j in chosen or plain:
                    windows.append(j)
                    kinds.append(chosen.get(j, 0))
                    weights.append(1.0 if j in chosen else 0.5)
    return np.array(windows), np.array(kinds), np.array(weights, np.float32)
