"""`split_letters`: a note with a word taken apart is refused."""

import pytest

from habitus_tasks.barriers.split_letters import BARRIER

CAUGHT = [
    "g h p _ h M",
    "J o h n",
    "J-o-h-n",
    "J_o_h_n",
    "j.o.h.n",
    "N O 3 9 7 0",
    "a|b|c|d",
    "A . n . n . a",
    "a/b/c/d and on",
    "x,y,z,w",
]
LEFT_ALONE = [
    "a, b and c",
    "e.g. 3-5 bullets",
    "i.e. 2 x 3",
    "I/O and C/C++",
    "A or B",
    "1 2 3 4",
    "K=2 of N",
    "O(n log n)",
    "y/n prompts",
    "a b c",
    "a b c def",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_split_letters_catches_a_word_taken_apart(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_split_letters_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
