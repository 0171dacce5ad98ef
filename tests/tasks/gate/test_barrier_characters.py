"""`characters`: a note with a character that is not plain is refused."""

import pytest

from habitus_tasks.barriers.characters import BARRIER, fold

CAUGHT = [
    "Wants \u200bshort answers.",
    "Wants sh\xadort answers.",
    "Wants \ufeffshort answers.",
    "Wants \u202eshort\u202c answers.",
    "W\u0430nts short answers.",
    "Wants \uff53hort answers.",
    "Wants \U0001d42chort answers.",
    "Wants short answers for \u041e\u043b\u044c\u0433\u0430.",
    "Wants short answers, \u738b.",
    "Wants short\x00answers.",
    "Wants short\x1banswers.",
    "Wants short\x7f answers.",
    "Ends with \U0001f1e9\U0001f1ea.",
    "Ends with \u2460.",
    "\u2215home\u2215ann",
    "a\u2236b",
    "V\u2228",
    "Ends with \u237a.",
    "a \u218f",
    "a \u2336",
    "a \u2400",
    "a \u24ff",
    "a \u27c0",
    "a \u28ff",
    "a \u2980",
    "a \u2aff",
    "a \u2c00",
    "a \u0180",
    "¿",
    "Item \u2776",
    "Ends with \ufb01ve bullets.",
    "Wants \u017fhort answers.",
    "Wants short\u034f answers.",
    "Wants \ud800 answers.",
    "A\ufe0f plain letter with a selector.",
    "Wants k\u0336ey words.",
    "Wants \u2028 two lines.",
]
LEFT_ALONE = [
    "Wants short answers.",
    "Wants “short” answers…",
    "A → B, ≤ 3 items – 2×, not ½.",
    "Na\xefve solutions, cafe\u0301 style.",
    "No \u2705 and no \u26a0\ufe0f.",
    "Two lines\nand a\ttab\r\n.",
    "A non\xa0breaking space.",
    "\xa7 3 \u2022 \xb0 \u2713 \u2717 \u2610",
    "\u2318 and \u2325, \u2234 and \u25b8, 10 \xb5s",
    "\u2190 \u2335 \u237b \u23ff \u2500 \u27bf \u2900 \u297f \u2b00 \u2bff",
    "À ž",
    "Ĺužný ęąő Ðþ",
    "⌈ and ⌋ are left",
    "the mark ⌉",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_characters_catches_a_character_that_is_not_plain(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_characters_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)


def test_what_the_other_barriers_read_is_folded() -> None:
    assert fold("“a” ‘b’ – c⁄d ½ ✅\ufe0f \xa0") == "\"a\" 'b' - c/d 1/2 ✅  "
    assert fold('plain "text"') == 'plain "text"'
