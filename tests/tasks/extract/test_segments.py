"""A message as segments: whole sentences, never longer than the encoder was tuned on."""

from hypothesis import given
from hypothesis import strategies as st

from habitus_tasks.extract.pieces import tokens
from habitus_tasks.extract.segments import LONGEST, MAX_SENTENCES, tokenize

SENTENCE = st.text(st.sampled_from("ab cdé 短い语 шу"), min_size=1, max_size=60).filter(str.strip)
MESSAGE = st.lists(SENTENCE, max_size=40).map(". ".join)


@given(MESSAGE)
def test_no_segment_is_longer_than_the_limit(text: str) -> None:
    assert all(0 < len(segment.ids) <= LONGEST for segment in tokenize(text).segments)


@given(MESSAGE)
def test_every_token_knows_its_sentence_in_order(text: str) -> None:
    message = tokenize(text)
    places = [place for segment in message.segments for place in segment.sentence]
    assert places == sorted(places)
    assert all(len(segment.ids) == len(segment.sentence) for segment in message.segments)
    assert set(places) <= set(range(len(message.sentences)))


@given(MESSAGE)
def test_no_token_of_a_sentence_is_lost(text: str) -> None:
    message = tokenize(text)
    ids = [token for segment in message.segments for token in segment.ids]
    assert ids == [token for span in message.sentences for token in tokens(span.of(text))[:LONGEST]]


def test_of_a_long_message_start_and_end_are_looked_at() -> None:
    text = "\n".join(f"line {i} of the log" for i in range(500))
    spans = tokenize(text).sentences
    assert len(spans) == MAX_SENTENCES
    assert (spans[0].of(text), spans[-1].of(text)) == ("line 0 of the log", "line 499 of the log")


def test_a_message_without_words_has_no_segment() -> None:
    assert tokenize(" \n...").segments == ()
