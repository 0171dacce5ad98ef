"""The heads: wishes of different dimensions do not compete, rivals of one do."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from habitus_tasks.extract import heads
from habitus_tasks.extract.heads import NONE, SAME, against_rivals

LOGITS = arrays(np.float32, NONE + 1, elements=st.floats(-20, 20, width=32))
PLACE = st.integers(0, NONE - 1)


@given(LOGITS, PLACE, PLACE)
def test_a_wish_does_not_weaken_one_of_another_dimension(logits: np.ndarray, one: int, other: int) -> None:
    if SAME[one, other]:
        return
    louder = logits.copy()
    louder[other] += 5
    np.testing.assert_allclose(against_rivals(louder)[one], against_rivals(logits)[one], rtol=1e-4, atol=1e-6)


@given(LOGITS, PLACE)
def test_a_louder_rival_weakens_a_wish(logits: np.ndarray, one: int) -> None:
    rivals = [i for i in np.flatnonzero(SAME[one]) if i != one]
    louder = logits.copy()
    louder[rivals] += 5
    assert against_rivals(louder)[one] <= against_rivals(logits)[one] + 1e-6


@given(LOGITS)
def test_the_values_of_a_dimension_share_one_whole_with_none(logits: np.ndarray) -> None:
    shares = SAME @ against_rivals(logits)
    assert (shares <= 1 + 1e-4).all()


def test_labels_stand_side_by_side() -> None:
    assert (heads.STATES.start, heads.TOPICS.start) == (NONE + 1, heads.STATES.stop)
