"""A record's ids under a newer key are the old ones wrapped, whatever they are made of: else a session counts twice."""

from datetime import UTC, datetime
from typing import Any

import pytest

from habitus_schema.ids import IdKey, KeyChain
from habitus_schema.transcript import Format
from habitus_tasks.lift import lifted
from habitus_tasks.pipeline import Caller, digest

FIRST, SECOND = IdKey("k1", b"1" * 32), IdKey("k2", b"2" * 32)
WISH = "Please keep every answer short from now on, and never use emoji. For Northwind, use tables, always."
TALK = [
    {"role": "user", "content": WISH},
    {"role": "assistant", "content": "Understood, short answers from here on, whatever the topic of the day may be."},
    {"role": "user", "content": "I always want bullet lists in everything that you write for me, please remember it."},
]


@pytest.mark.parametrize(
    "envelope",
    [
        {"session_id": "s1", "user_id": "ada", "task_context": "billing", "messages": TALK},
        {"user_id": "ada", "messages": TALK},  # named by its first message, whose identity is itself an id
        {"session_id": "s2", "user_id": "ada", "messages": [{**TALK[0], "id": "m-1"}, *TALK[1:]]},
        {"session_id": "s3", "user_id": "ada", "messages": "not a transcript"},
    ],
)
def test_a_session_read_after_a_rotation_has_the_old_ids_wrapped(envelope: dict[str, Any]) -> None:
    caller, ticket = Caller(day=datetime(2026, 3, 1, tzinfo=UTC).date()), "a" * 32
    chain = KeyChain("k1", FIRST, (SECOND,), settled=1)
    before = digest(envelope, Format.HABITUS, caller, ticket, FIRST)
    after = digest(envelope, Format.HABITUS, caller, ticket, chain)
    assert after.model_copy(update={"sketch": before.sketch}) == lifted(before, chain.lift)
    dumped = after.model_dump_json()
    assert "k1-" not in dumped
    assert "k2-" in dumped


def test_until_a_rotation_is_finished_sessions_travel_under_the_old_key() -> None:
    envelope = {"session_id": "s1", "user_id": "ada", "messages": TALK}
    chain = KeyChain("k1", FIRST, (SECOND,), settled=0)
    record = digest(envelope, Format.HABITUS, Caller(), "a" * 32, chain)
    assert "k2-" not in record.model_dump_json()
