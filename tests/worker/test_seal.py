"""Sealed payloads: what goes in comes out, with the right key only."""

from datetime import UTC, date

import pytest
from cryptography.fernet import Fernet, MultiFernet
from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.errors import UnsealError
from habitus_schema.transcript import ActionKind, Format, Speaker, Transcript, Turn, TurnKind
from habitus_tasks.pipeline import Caller
from habitus_worker.seal import Submission, seal, unseal

KEYS = MultiFernet([Fernet(Fernet.generate_key())])
TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates too: real transcripts hold them
TURNS = st.builds(
    Turn,
    speaker=st.sampled_from(Speaker),
    text=TEXT,
    prose=TEXT,
    kind=st.sampled_from(TurnKind),
    identity=TEXT,
    action=st.none() | st.sampled_from(ActionKind),
    path=TEXT,
    proposed=TEXT,
    kept=TEXT,
)
TRANSCRIPTS = st.builds(
    Transcript,
    format=st.sampled_from(Format),
    session_id=TEXT,
    turns=st.lists(TURNS, max_size=3).map(tuple),
    task_context=TEXT,
    ended_at=st.none() | st.datetimes(timezones=st.just(UTC)),
    messages=st.integers(0, 9),
)
CALLERS = st.builds(Caller, user=TEXT, tenant=TEXT, context=TEXT, day=st.dates())


def _submission(text: str) -> Submission:
    return Submission(
        Transcript(Format.HABITUS, "s", (Turn(Speaker.PERSON, text),)), Caller("ada", day=date(2026, 11, 1))
    )


@given(TRANSCRIPTS, CALLERS)
def test_any_session_survives_sealing(transcript: Transcript, caller: Caller) -> None:
    submission = Submission(transcript, caller)
    assert unseal(seal(submission, KEYS), KEYS) == submission


def test_another_key_does_not_open_a_payload() -> None:
    other = MultiFernet([Fernet(Fernet.generate_key())])
    with pytest.raises(UnsealError):
        unseal(seal(_submission("x"), KEYS), other)


@given(st.binary(max_size=200))
def test_anything_that_was_not_sealed_is_refused_with_nothing_of_it_in_the_error(blob: bytes) -> None:
    with pytest.raises(UnsealError) as refused:
        unseal(blob, KEYS)
    assert str(refused.value) == "no key opens this payload"
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__


def test_a_sealed_payload_shows_nothing_of_the_session() -> None:
    assert b"marigold" not in seal(_submission("marigold" * 50), KEYS)


def test_a_payload_that_would_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("habitus_worker.seal.MAX_OPEN_BYTES", 1000)
    with pytest.raises(UnsealError):
        unseal(seal(_submission("a" * 100_000), KEYS), KEYS)
