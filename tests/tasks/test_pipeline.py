"""From a transcript to what the record zone may know of it: keyed ids, enum pairs, a day."""

import json
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from habitus_schema.codes import Code
from habitus_schema.ids import IdKey
from habitus_schema.models import Extraction
from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.pipeline import Caller, digest, record_of

KEY = IdKey("k1", b"1" * 32)
TICKET = "ab" * 16
LITERAL = (
    "zero_external_deps=True, always. And for the invoice run of the Marigold warehouse, mind the rounding please."
)
DAY = date(2026, 11, 20)


def _transcript(**changes: object) -> Transcript:
    turns = (Turn(Speaker.ASSISTANT, "The totals were off by one cent. " * 20), Turn(Speaker.PERSON, LITERAL, LITERAL))
    return Transcript(**{"format": Format.HABITUS, "session_id": "s", "turns": turns, "user_id": "zed"} | changes)


def _ids(record: object) -> set[str]:
    """Every keyed id of a record but the tenant's."""
    dump = json.loads(record.model_dump_json())  # type: ignore[attr-defined]
    seen = [entry[name] for entry in dump["observations"] for name in ("message", "entity") if entry[name]]
    return {dump["subject"], dump["session"], *dump["messages"], *seen} | (
        {dump["context"]} if dump["context"] else set()
    )


def test_two_people_who_wrote_the_same_words_share_no_id() -> None:
    """Else the rows of one would be found again among another's, and who wrote the same could be looked up."""
    ada, bob = (record_of(_transcript(), Caller(user, "t", "shop", DAY), TICKET, KEY) for user in ("ada", "bob"))
    assert ada.tenant == bob.tenant
    assert ada.messages
    assert ada.observations
    assert not _ids(ada) & _ids(bob)


def test_two_tenants_with_a_person_of_one_name_share_no_id() -> None:
    one, two = (record_of(_transcript(), Caller("ada", tenant, "shop", DAY), TICKET, KEY) for tenant in "ab")
    assert not {one.tenant, *_ids(one)} & {two.tenant, *_ids(two)}


def test_the_callers_names_outrank_those_inside_the_session() -> None:
    inside = record_of(_transcript(), Caller(day=DAY), TICKET, KEY)
    given = record_of(_transcript(), Caller("zed", "default", day=DAY), TICKET, KEY)
    other = record_of(_transcript(), Caller("ada", day=DAY), TICKET, KEY)
    assert inside.subject == given.subject != other.subject


def test_the_day_is_the_sessions_own_in_utc_and_the_callers_without_one() -> None:
    late = datetime(2026, 11, 19, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert record_of(_transcript(ended_at=late), Caller(day=DAY), TICKET, KEY).day == late.astimezone(UTC).date()
    assert record_of(_transcript(), Caller(day=DAY), TICKET, KEY).day == DAY


def test_an_extractor_that_breaks_leaves_its_code_and_nothing_of_its_text() -> None:
    def broken(transcript: Transcript) -> Extraction:
        raise RuntimeError(transcript.turns[0].text)

    record = record_of(_transcript(), Caller(day=DAY), TICKET, KEY, broken)
    assert [rejection.code for rejection in record.rejections] == [Code.EXTRACTOR_FAILED]
    assert record.observations == ()


@pytest.mark.parametrize(
    ("session", "code"),
    [({"nothing": "known"}, Code.UNSUPPORTED_FORMAT), ([], Code.MALFORMED_TRANSCRIPT), (7, Code.MALFORMED_TRANSCRIPT)],
)
def test_a_session_that_cannot_be_read_is_recorded_with_its_code_and_no_evidence(session: object, code: Code) -> None:
    record = digest(session, None, Caller("ada", day=DAY), TICKET, KEY)
    assert [rejection.code for rejection in record.rejections] == [code]
    assert (record.observations, record.messages, record.sketch) == ((), (), ())


def test_nothing_of_the_words_is_in_what_leaves_the_zone() -> None:
    said = record_of(_transcript(), Caller("ada", "acme", "billing", DAY), TICKET, KEY).model_dump_json()
    for word in ("Marigold", "warehouse", "invoice", "rounding", "ada", "acme", "billing", "zero_external"):
        assert word not in said
