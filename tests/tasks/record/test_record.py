"""One transaction a session: what counts, what counts once, and what is said about the rest. On both databases."""

import secrets
from datetime import timedelta
from typing import Any

import pytest

from habitus_schema.codes import Code
from habitus_schema.errors import UsageError
from habitus_schema.ids import Kind
from habitus_schema.models import Outcome, Rejection, Signal
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import Dimension
from habitus_tasks import profile
from habitus_tasks.promote import PromotionRule
from habitus_tasks.record import record_dead_letter, record_session, settled_counts

SHORT, LONG = "response_density=concise_direct", "response_density=detailed_explanatory"
TABLES, NO_TABLES = "table_usage=prefer", "table_usage=avoid"
BULLETS = "list_style=bullets"


def test_a_pair_is_promoted_once_two_contexts_gave_it(world: Any) -> None:
    assert world.counts("a", SHORT, day=1) is Outcome.RECORDED
    assert world.profile() == {}
    assert world.log() == [("BELOW_RECURRENCE", "response_density")]
    assert world.counts("b", SHORT, day=2) is Outcome.RECORDED
    assert world.profile() == {SHORT: (2, "promoted")}
    assert len(world.log()) == 1


def test_the_same_ticket_delivered_again_changes_nothing(world: Any) -> None:
    record = world.session("a", SHORT)
    assert world.record(record) is Outcome.RECORDED
    before = world.log()
    assert world.record(record) is Outcome.RECORDED
    assert world.log() == before


def test_the_same_session_submitted_again_is_a_duplicate_and_counts_once(world: Any) -> None:
    world.counts("a", SHORT)
    assert world.counts("a", SHORT, day=5) is Outcome.DUPLICATE
    assert world.profile() == {}
    assert ("DUPLICATE_SESSION", None) in world.log()


def test_a_session_without_message_identities_submitted_again_is_a_duplicate(world: Any) -> None:
    world.counts("a", SHORT, messages=())
    assert world.counts("a", SHORT, messages=()) is Outcome.DUPLICATE
    assert world.counts("b", SHORT, messages=()) is Outcome.RECORDED
    assert world.pairs() == {SHORT}


def test_a_copy_of_a_session_in_another_folder_is_a_duplicate(world: Any) -> None:
    world.counts("a", SHORT, messages="xyz")
    assert world.counts("copy", SHORT, messages="xyz", context="elsewhere") is Outcome.DUPLICATE
    assert world.profile() == {}


def test_a_fork_with_new_messages_counts_in_the_context_it_came_from(world: Any) -> None:
    world.counts("a", world.says(SHORT, message="x"), messages="xy")
    fork = world.session("fork", world.says(SHORT, message="x"), world.says(BULLETS, message="z"), messages="xyz")
    assert world.record(fork) is Outcome.RECORDED
    world.counts("fork2", world.says(SHORT, message="w"), world.says(BULLETS, message="w"), messages="xw", day=3)
    assert world.profile() == {}


def test_a_message_repeated_in_a_session_with_another_named_context_is_still_evidence_once(world: Any) -> None:
    world.counts("a", world.says(SHORT, message="x"), messages="xy", context="one")
    world.counts("b", world.says(SHORT, message="x"), messages="xz", context="two")
    assert world.profile() == {}
    world.counts("b", world.says(SHORT, message="v"), messages="xzv", context="two")
    assert world.pairs() == {SHORT}


def test_a_session_that_joins_two_others_makes_them_one_context(world: Any) -> None:
    world.counts("a", world.says(SHORT, message="x"), messages="x")
    world.counts("b", world.says(SHORT, message="y"), messages="y")
    assert world.pairs() == {SHORT}
    world.counts("both", messages="xyz")
    assert world.profile() == {}


def test_an_earlier_state_of_a_session_that_arrives_late_is_a_duplicate(world: Any) -> None:
    world.counts("a", LONG, messages="xyz", day=3)
    assert world.counts("a", SHORT, messages="xy", day=1) is Outcome.DUPLICATE
    world.counts("b", LONG, day=4)
    assert world.pairs() == {LONG}


def test_sessions_of_one_named_context_are_one_context(world: Any) -> None:
    world.counts("a", SHORT, context="orders-api")
    world.counts("b", SHORT, context="orders-api")
    assert world.profile() == {}
    world.counts("c", SHORT, context="thesis")
    assert world.profile() == {SHORT: (2, "promoted")}


def test_an_unnamed_session_that_is_later_continued_under_a_name_belongs_to_it(world: Any) -> None:
    world.counts("a", SHORT, messages="x")
    world.counts("b", SHORT, messages="xy", context="orders-api")
    world.counts("c", SHORT, messages="z", context="orders-api")
    assert world.profile() == {}


def test_a_session_that_is_submitted_again_with_a_name_for_its_context_takes_it(world: Any) -> None:
    world.counts("a", SHORT, messages="x")
    world.counts("a", SHORT, messages="xy", context="orders-api")
    world.counts("c", SHORT, messages="z", context="orders-api")
    assert world.profile() == {}


def test_a_similar_session_joins_the_context_of_the_earlier_one(world: Any) -> None:
    sketch = tuple(range(64))
    near = tuple(range(40)) + (255,) * 24
    world.counts("a", SHORT, sketch=sketch, day=1)
    world.counts("b", SHORT, sketch=near, day=2)
    assert world.profile() == {}
    world.counts("c", SHORT, sketch=tuple(range(100, 164)), day=3)
    assert world.pairs() == {SHORT}


def test_a_sketch_is_compared_and_kept_inside_the_window_only(world: Any) -> None:
    sketch = tuple(range(64))
    world.today += timedelta(days=400)
    world.counts("a", SHORT, sketch=sketch, day=1)
    world.counts("b", SHORT, sketch=sketch, day=300)
    world.counts("c", SHORT, sketch=tuple(range(100, 164)), day=301)
    assert world.profile() == {SHORT: (2, "promoted")}


def test_a_session_from_the_future_counts_on_the_day_it_arrives(world: Any) -> None:
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=5000)
    (row,) = profile.show(world.database, *world.who, today=world.today)
    assert row.last_day == world.today


def test_a_worker_whose_clock_is_behind_does_not_bring_back_what_has_expired(world: Any) -> None:
    behind = world.today
    world.today += timedelta(days=300)
    world.counts("a", SHORT, day=1)
    world.counts("new", BULLETS, day=300)
    world.today = behind
    world.counts("b", SHORT, day=2)
    assert world.profile() == {}


def test_a_late_session_gives_the_profile_that_the_right_order_gives(world: Any) -> None:
    world.counts("c", LONG, day=3)
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    assert world.profile() == {SHORT: (2, "promoted")}, "promoted on day 2, and one rival does not displace it"


def test_a_copy_with_an_earlier_day_takes_the_evidence_back_to_that_day(world: Any) -> None:
    world.counts("b", world.says(SHORT, message="x"), messages="xy", day=40)
    world.counts("c", SHORT, day=41)
    world.counts("original", world.says(SHORT, message="x"), messages="x", day=2)
    (row,) = profile.show(world.database, *world.who, today=world.today)
    assert (row.first_day - world.today).days == 2 - 60


def test_a_standing_statement_for_a_rival_contests_the_promoted_value_at_once(world: Any) -> None:
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    world.counts("c", world.says(LONG, signal=Signal.STANDING), day=3)
    assert world.profile() == {SHORT: (2, "contested")}
    world.counts("d", LONG, day=4)
    assert world.profile() == {LONG: (2, "promoted")}
    assert ("SUPERSEDED", "response_density") in world.log()


def test_a_standing_statement_about_one_entity_contests_nothing(world: Any) -> None:
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    world.counts("c", world.says(LONG, signal=Signal.STANDING, entity="northwind"), day=3)
    assert world.profile() == {SHORT: (2, "promoted")}


def test_values_that_block_one_another_are_logged_as_conflict(world: Any) -> None:
    for day, pair in enumerate([SHORT, LONG, SHORT, LONG], start=1):
        world.counts(f"s{day}", pair, day=day)
    assert world.profile() == {}
    codes = [code for code, _ in world.log()]
    assert codes == ["BELOW_RECURRENCE", "BELOW_RECURRENCE", "CONFLICTING_EVIDENCE", "CONFLICTING_EVIDENCE"]


def test_the_rejections_of_the_content_zone_are_logged_once_for_a_session(world: Any) -> None:
    refused = (Rejection(code=Code.ONE_OFF), Rejection(code=Code.PRIVATE_EMAIL, detector="email_address"))
    world.counts("a", messages="x", rejections=refused)
    world.counts("a", messages="xy", rejections=(*refused, Rejection(code=Code.ONE_OFF)))
    assert sorted(world.log()) == [("ONE_OFF", None), ("ONE_OFF", None), ("PRIVATE_EMAIL", None)]


def test_a_dead_letter_is_logged_once_for_a_ticket(world: Any) -> None:
    ticket = secrets.token_hex(16)
    given = (ticket, Code.PAYLOAD_EXPIRED, world.who[0], None, None, world.today)
    assert record_dead_letter(world.database, *given) is Outcome.DEAD
    assert record_dead_letter(world.database, *given) is Outcome.DEAD
    assert world.log() == [("PAYLOAD_EXPIRED", None)]


def test_a_dead_letter_of_a_recorded_ticket_stays_recorded(world: Any) -> None:
    record = world.session("a", SHORT)
    world.record(record)
    outcome = record_dead_letter(
        world.database, record.ticket, Code.ATTEMPTS_EXHAUSTED, *world.who, record.session, world.today
    )
    assert outcome is Outcome.RECORDED
    assert ("ATTEMPTS_EXHAUSTED", None) not in world.log()


def test_a_dead_letter_that_is_sent_again_counts_after_all(world: Any) -> None:
    record = world.session("a", SHORT)
    record_dead_letter(world.database, record.ticket, Code.ATTEMPTS_EXHAUSTED, world.who[0], None, None, world.today)
    before = settled_counts(world.database)
    assert world.record(record) is Outcome.RECORDED
    after = settled_counts(world.database)
    assert (after["dead"] - before["dead"], after["recorded"] - before["recorded"]) == (-1, 1)


def test_a_record_that_skipped_validation_is_refused_before_anything_is_written(world: Any) -> None:
    record = world.session("a")
    forged = record.model_copy(
        update={"observations": (world.says(SHORT).model_copy(update={"pair": _forged("my dog is called Rex")}),)}
    )
    with pytest.raises(UsageError) as refusal:
        record_session(world.database, forged, world.rule)
    assert "Rex" not in str(refusal.value)
    assert refusal.value.__cause__ is None
    assert world.counts("a") is Outcome.RECORDED, "nothing of the forged one was kept"


def _forged(text: str) -> Pair:
    return Pair.model_construct(dimension=Dimension.LIST_STYLE, value=text)


@pytest.mark.parametrize("k", [1, 0, -2, True, 2.5, "2"])
def test_k_below_two_is_refused(k: Any) -> None:
    with pytest.raises(UsageError):
        PromotionRule(k=k)


def test_nothing_crosses_from_one_subject_or_tenant_to_another(world: Any) -> None:
    world.counts("a", SHORT, messages="x", context="c")
    for user, tenant in (("bob", "acme"), ("ada", "globex")):
        other = type(world)(world.database, world.key, user=user, tenant=tenant)
        assert other.counts("a", SHORT, messages="x", context="c") is Outcome.RECORDED
        assert other.profile() == {}
    assert world.profile() == {}


def test_ids_of_the_context_are_stored_keyed(world: Any) -> None:
    assert world.id(Kind.CONTEXT, "c").startswith("k1-")
