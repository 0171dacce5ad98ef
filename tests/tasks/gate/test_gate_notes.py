"""The note barriers together: what is slipped into a clean note is caught, in linear time."""

import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from habitus_tasks.barriers import BARRIERS, characters, refusal
from habitus_tasks.barriers.barrier import A_DIGIT, INNER_DOT, MANY_DIGITS, held_by
from habitus_tasks.barriers.vocabulary import published
from habitus_tasks.gate import MAX_NOTE

NOTES = [
    "Wants short answers.",
    "Asked for 3-5 bullets per section, e.g. in JSON.",
    "Prefers `--dry-run` flags and **bold** labels; no emoji.",
    "Fences were changed from three to four backticks. Seen in 2 of 3 sessions.",
    "Limit ≤ 300 tokens, ideally ≈ 200.",
]
HOMOGLYPHS = dict(zip("aceopxyiABCEHKMOPTX", "асеорхуіАВСЕНКМОРТХ", strict=True))
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2061\u2066\u3164\ufeff\uffa0"
)

notes = st.sampled_from(NOTES)
lower = st.text(string.ascii_lowercase, min_size=3, max_size=12)
key = st.text(string.ascii_letters + string.digits, min_size=20, max_size=40).filter(
    lambda text: any(map(str.isdigit, text)) and any(map(str.isalpha, text))
)


def put_in(note: str, thing: str, place: int) -> str:
    words = note.split(" ")
    place %= len(words) + 1
    return " ".join([*words[:place], thing, *words[place:]])


def test_a_note_is_read_in_plain_marks() -> None:
    assert characters.fold("“a” ‘b’ – c… ½ d\u00a0e") == "\"a\" 'b' - c... 1/2 d e"
    assert characters.fold('"a" - b') == '"a" - b'


@pytest.mark.parametrize("note", NOTES)
def test_the_clean_notes_pass(note: str) -> None:
    assert refusal(note) is None


@given(notes, lower, lower, st.sampled_from(["com", "org", "io", "de", "internal"]), st.integers(0, 20))
@settings(deadline=None)
def test_an_email_address_is_caught_anywhere(note: str, name: str, host: str, end: str, place: int) -> None:
    found = refusal(put_in(note, f"{name}@{host}.{end}", place))
    assert found is not None
    assert found[1] in {"email_address", "encodings", "secret_token"}


@given(
    notes,
    lower,
    st.sampled_from(["https://{}.org", "http://{}:80/x", "s3://{}/x", "www.{}.com", "{}.com/x"]),
    st.integers(0, 20),
)
@settings(deadline=None)
def test_a_web_address_is_caught_anywhere(note: str, host: str, form: str, place: int) -> None:
    assert refusal(put_in(note, form.format(host), place)) is not None


@given(
    notes,
    lower,
    st.sampled_from(["/home/{}/x", "~/{}", "C:\\Users\\{}", "src/{}/run.py", "../{}", "/{}"]),
    st.integers(0, 20),
)
@settings(deadline=None)
def test_a_path_is_caught_anywhere(note: str, name: str, form: str, place: int) -> None:
    assert refusal(put_in(note, form.format(name), place)) is not None


@given(
    notes,
    key,
    st.sampled_from(["{}", "sk-{}", "sk_live_{}", "ghp_{}", "AKIA{}", "xoxb-{}", "token={}"]),
    st.integers(0, 20),
)
@settings(deadline=None)
def test_a_key_is_caught_anywhere(note: str, key: str, form: str, place: int) -> None:
    assert refusal(put_in(note, form.format(key), place)) is not None


@given(
    notes,
    st.text(string.digits, min_size=7, max_size=30),
    st.sampled_from(["", " ", "-", ".", " . ", "/"]),
    st.integers(1, 4),
    st.integers(0, 20),
)
@settings(deadline=None)
def test_an_account_number_is_caught_however_it_is_grouped(
    note: str, digits: str, mark: str, size: int, place: int
) -> None:
    """Seven digits and more, but for the groups that make dates, versions and thousands, which have at most eight."""
    groups = [digits[at : at + size] for at in range(0, len(digits), size)]
    if len(digits) > 8:
        assert refusal(put_in(note, mark.join(groups), place)) is not None


@given(notes, st.sampled_from(INVISIBLE), st.integers(0, 200))
@settings(deadline=None)
def test_an_invisible_character_is_caught_anywhere(note: str, mark: str, place: int) -> None:
    place %= len(note) + 1
    assert refusal(note[:place] + mark + note[place:]) == (characters.BARRIER.code, "characters")


@given(notes, st.data())
@settings(deadline=None)
def test_a_homoglyph_is_caught_anywhere(note: str, data: st.DataObject) -> None:
    place = data.draw(st.sampled_from([at for at, letter in enumerate(note) if letter in HOMOGLYPHS]))
    assert refusal(note[:place] + HOMOGLYPHS[note[place]] + note[place + 1 :]) == (
        characters.BARRIER.code,
        "characters",
    )


@given(notes, st.integers(0, 200))
@settings(deadline=None)
def test_a_fullwidth_letter_is_caught_anywhere(note: str, place: int) -> None:
    place %= len(note)
    if "!" <= note[place] <= "~":
        wide = chr(ord(note[place]) + 0xFEE0)
        assert refusal(note[:place] + wide + note[place + 1 :]) == (characters.BARRIER.code, "characters")


@given(notes, lower.map(str.capitalize).filter(lambda word: word.lower() not in published()), st.integers(1, 20))
@settings(deadline=None)
def test_a_word_that_is_not_published_is_caught_anywhere(note: str, word: str, place: int) -> None:
    assert refusal(put_in(note, word, place)) is not None
    assert refusal(put_in(note, word.lower(), place)) is not None


@given(st.text(max_size=MAX_NOTE))
@settings(max_examples=200, deadline=None)
def test_any_text_is_judged_without_an_error(text: str) -> None:
    found = refusal(text)
    assert found is None or len(found) == 2


@given(st.text(string.ascii_letters + string.digits + " .,:;-_/\\@#%&()[]{}<>'\"`|=+*!?$~^\n", max_size=120))
@settings(max_examples=500, deadline=None)
def test_a_barrier_that_catches_is_asked(text: str) -> None:
    """`needs` only saves time: what it leaves out is refused by a barrier that is asked of every note."""
    for barrier in BARRIERS:
        if barrier.catches(text) and not barrier.refuses(text):
            assert refusal(text) is not None, barrier.name


@given(st.text(max_size=60))
@settings(deadline=None)
def test_no_text_holds_a_mark_by_saying_it(text: str) -> None:
    said = held_by(f"{text} {A_DIGIT} {MANY_DIGITS} {INNER_DOT}")
    assert (A_DIGIT in said) == (A_DIGIT in held_by(text))
    assert (MANY_DIGITS in said) == (MANY_DIGITS in held_by(text))


UNITS = [
    *"a1.-/\\@'\"(=_:{",
    *("aB", "1 ", "a.", "a/", "a@", "a'", "a(", "a=", "a_", "%4", "a:", "0:", "one ", "one,", "said: ", "for a", "x x"),
    *("select a ", "curl -", "Mark ", "A1-", "1,000", "=C3", "Aa1", "+1 ", "A B ", "<a ", "0.0.", "aa ", "1-"),
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("end", ["", "!", "@", "(", "é"])
def test_the_longest_note_is_judged_in_milliseconds(unit: str, end: str) -> None:
    """No barrier backtracks: 500 characters of the worst kind take at most some milliseconds of processor time."""
    note = (unit * MAX_NOTE)[: MAX_NOTE - len(end)] + end
    text = characters.fold(note)
    start = time.process_time()
    refusal(note)
    for barrier in BARRIERS:
        barrier.catches(text)
    assert time.process_time() - start < 0.1
