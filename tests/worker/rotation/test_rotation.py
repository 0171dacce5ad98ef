"""The id key is rotated: whoever asks finds a person's rows, under whichever key these lie at the moment."""

import json
import stat
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from sqlalchemy import func, select, text

from habitus_schema.codes import Code
from habitus_schema.errors import HabitusError, UsageError
from habitus_schema.ids import IdKey, KeyChain, Kind
from habitus_schema.models import Outcome, SessionRecord
from habitus_schema.pairs import Pair
from habitus_schema.tables import Session, Tombstone, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks import profile, rejections
from habitus_tasks.forget import forget
from habitus_tasks.promote import PromotionRule
from habitus_tasks.record import record_dead_letter, record_session
from habitus_tasks.rekey import Rekeyed, check_known, left, rekey
from habitus_tasks.store import Database
from habitus_tasks.upkeep import keep_up
from habitus_worker.keys import Watched, load_id_keys, load_keys
from habitus_worker.rotation import add_id_key, add_seal_key, settle, write_record_file

RULE, TODAY = PromotionRule(), date(2026, 4, 1)
PAIR = Pair(dimension=Dimension.EMOJI_USAGE, value="none")


@pytest.fixture
def first(key_file: Path) -> IdKey:
    return load_id_keys(key_file).first


@pytest.fixture
def ada(first: IdKey) -> tuple[str, str]:
    return first.keyed(Kind.TENANT, "acme"), first.keyed(Kind.SUBJECT, "acme", "ada")


@pytest.fixture
def populated(fresh: Callable[[], Database], first: IdKey, sessions_of: Any) -> Database:
    database = fresh()
    for user in ("ada", "bob"):
        for record in sessions_of(first, user, 8):
            record_session(database, record, RULE, today=TODAY)
    return database


def stale(database: Database, key_file: Path) -> Database:
    """The same database, as a process that goes on with the key file of this moment has it."""
    chain = load_id_keys(key_file)
    return Database(database.engine, lambda: chain)


def test_the_profile_is_the_same_before_during_and_after(
    populated: Database, key_file: Path, ada: tuple[str, str]
) -> None:
    before = profile.show(populated, *ada, today=TODAY)
    why = profile.explain(populated, *ada, RULE, today=TODAY)
    assert before
    name = add_id_key(key_file)
    assert profile.show(populated, *ada, today=TODAY) == before
    assert profile.explain(populated, *ada, RULE, today=TODAY) == why
    assert rekey(populated, RULE).people == 1, "ada was brought up by the question, bob by the job"
    settle(key_file, name)
    assert profile.show(populated, *ada, today=TODAY) == before
    keys = load_id_keys(key_file)
    wrapped = keys.keyed(Kind.TENANT, "acme"), keys.keyed(Kind.SUBJECT, "acme", "ada")
    assert wrapped == tuple(map(keys.lift, ada)) != ada
    assert profile.show(populated, *wrapped, today=TODAY) == before


def test_each_verb_reaches_a_person_under_the_old_key(
    populated: Database, key_file: Path, ada: tuple[str, str]
) -> None:
    add_id_key(key_file)
    assert profile.pin(populated, *ada, PAIR, RULE, today=TODAY)
    assert PAIR in {row.pair for row in profile.show(populated, *ada, today=TODAY)}
    add_more_after(populated, key_file, ada)


def add_more_after(populated: Database, key_file: Path, ada: tuple[str, str]) -> None:
    rekey(populated, RULE)
    settle(key_file, "k2")
    add_id_key(key_file)
    assert profile.unpin(populated, *ada, PAIR, RULE, today=TODAY), "also two keys later"
    assert profile.block(populated, *ada, PAIR, RULE, today=TODAY)
    proof = forget(populated, *ada, TODAY)
    assert (proof.left, dict(proof.tables)["session"] > 0) == (0, True)
    assert rekey(populated, RULE).people == 1


def test_a_forgotten_person_stays_forgotten_in_a_rotation(
    populated: Database, key_file: Path, ada: tuple[str, str], first: IdKey, sessions_of: Any
) -> None:
    forget(populated, *ada, TODAY)
    add_id_key(key_file)
    record = sessions_of(first, "ada", 1)[0].model_copy(update={"ticket": "f" * 32})
    record_session(populated, record, RULE, today=TODAY)
    assert profile.show(populated, *ada, today=TODAY) == ()
    rekey(populated, RULE)
    assert populated.read(None, lambda c: c.scalar(select(func.count()).select_from(table(Tombstone)))) == 1


def test_forgetting_in_a_rotation_also_finds_lines_that_name_only_a_session(
    populated: Database, key_file: Path, ada: tuple[str, str], first: IdKey, sessions_of: Any
) -> None:
    session = sessions_of(first, "ada", 1)[0].session
    record_dead_letter(populated, "e" * 32, Code.UNSEAL_FAILED, ada[0], None, session, TODAY)
    add_id_key(key_file)
    assert forget(populated, *ada, TODAY).left == 0
    chain = load_id_keys(key_file)
    assert session not in dump(populated)
    assert chain.lift(session) not in dump(populated)


def dump(database: Database) -> str:
    rows = database.read(None, lambda c: c.execute(text("SELECT tenant, subject, session FROM rejection")).all())
    return repr(rows)


def test_a_session_that_was_counted_is_a_duplicate_under_the_new_key(
    populated: Database, key_file: Path, first: IdKey, sessions_of: Any
) -> None:
    add_id_key(key_file)
    for number, record in enumerate(sessions_of(first, "ada", 8)):
        again = record.model_copy(update={"ticket": f"{number:032x}"})
        assert record_session(populated, again, RULE, today=TODAY) is Outcome.DUPLICATE


def test_the_log_of_a_tenant_is_read_under_both_keys(populated: Database, key_file: Path, ada: tuple[str, str]) -> None:
    def lines() -> list[tuple[str, object]]:
        page = rejections.query(populated, ada[0], limit=1000)
        return sorted((line.code.value, line.day) for line in page.lines)

    before, counted = lines(), rejections.stats(populated, ada[0])
    add_id_key(key_file)
    profile.refresh(populated, *ada, RULE, today=TODAY)  # brings ada under the new key, and bob not
    assert lines() == before
    assert rejections.stats(populated, ada[0]) == counted


def test_upkeep_reaches_people_under_either_key(populated: Database, key_file: Path, ada: tuple[str, str]) -> None:
    add_id_key(key_file)
    profile.refresh(populated, *ada, RULE, today=TODAY)
    late = TODAY + timedelta(days=400)
    assert keep_up(populated, RULE, ada[0], today=late).settled == 2
    assert profile.show(populated, *ada, today=TODAY) == ()


def test_sketches_which_cannot_be_rekeyed_are_erased(
    populated: Database, key_file: Path, first: IdKey, sessions_of: Any
) -> None:
    record = sessions_of(first, "eve", 1)[0].model_copy(update={"sketch": tuple(range(64))})
    record_session(populated, record, RULE, today=TODAY)
    sketches = select(func.count()).where(table(Session).c.sketch_0.is_not(None))
    assert populated.read(None, lambda c: c.scalar(sketches)) == 1
    add_id_key(key_file)
    rekey(populated, RULE)
    assert populated.read(None, lambda c: c.scalar(sketches)) == 0


def test_running_it_again_finds_nothing_to_do(populated: Database, key_file: Path) -> None:
    assert rekey(populated, RULE) == Rekeyed(0, 0, 0)
    add_id_key(key_file)
    seen: list[tuple[int, int]] = []
    done = rekey(populated, RULE, lambda at, total: seen.append((at, total)))
    assert (done.people, seen) == (2, [(1, 2), (2, 2)])
    assert rekey(populated, RULE) == Rekeyed(0, 0, 0)


def test_what_a_process_with_an_old_key_file_wrote_meanwhile_is_merged_and_settled(
    fresh: Callable[[], Database], key_file: Path, first: IdKey, ada: tuple[str, str], sessions_of: Any, contents: Any
) -> None:
    """Two hosts, one of which still has the old file: the person is split until the job runs again."""
    records = independent(sessions_of(first, "ada", 40))
    mallory = first.keyed(Kind.TENANT, "acme"), first.keyed(Kind.SUBJECT, "acme", "mallory")
    whole, new_host = fresh(), fresh()
    old_host = stale(new_host, key_file)
    record_session(old_host, records[0], RULE, today=TODAY)
    add_id_key(key_file)
    rekey(new_host, RULE)
    for number, record in enumerate(records[1:]):
        record_session((new_host, old_host)[number % 2], record, RULE, today=TODAY)
    for database, day in ((new_host, 3), (old_host, 5)):
        forget(database, *mallory, date(2026, 3, day))
    assert rekey(new_host, RULE, today=TODAY).merged == 2
    assert new_host.read(None, lambda connection: left(connection, load_id_keys(key_file))) == 0
    for record in records:
        record_session(whole, record, RULE, today=TODAY)
    forget(whole, *mallory, date(2026, 3, 5))
    assert len(records) > 8
    for name in ("session", "session_message", "observation", "profile", "tombstone"):
        assert contents(new_host)[name] == contents(whole)[name], name
    assert profile.show(new_host, *ada, today=TODAY)


def independent(records: list[SessionRecord]) -> list[SessionRecord]:
    """Those that share no message and no name with one before them."""
    kept: list[SessionRecord] = []
    for each in records:
        if not any({each.session, *each.messages} & {other.session, *other.messages} for other in kept):
            kept.append(each)
    return kept


def test_a_process_that_looked_at_the_keys_too_early_looks_again(
    populated: Database, key_file: Path, ada: tuple[str, str], first: IdKey, sessions_of: Any
) -> None:
    """The key comes between its look at the file and its lock: written under the old id, the session would be lost."""
    chain, looks = load_id_keys(key_file), []

    def keys() -> KeyChain:
        looks.append(1)
        if len(looks) == 2:
            add_id_key(key_file)
            rekey(populated, RULE)
        return chain if len(looks) < 3 else load_id_keys(key_file)

    record = sessions_of(first, "ada", 9)[8]
    record_session(Database(populated.engine, keys), record, RULE, today=TODAY)
    assert populated.read(None, lambda connection: left(connection, load_id_keys(key_file))) == 0
    assert profile.show(populated, *ada, today=TODAY)


def test_a_database_with_ids_of_an_unknown_key_is_refused_at_the_start(populated: Database, key_file: Path) -> None:
    old = stale(populated, key_file)
    check_known(populated)
    check_known(Database(populated.engine))
    add_id_key(key_file)
    profile.refresh(populated, *one_person(populated), RULE, today=TODAY)
    check_known(populated)
    for blind in (old, Database(populated.engine)):
        with pytest.raises(UsageError, match="newest key file"):
            check_known(blind)


def one_person(database: Database) -> tuple[str, str]:
    row = table(Session).c
    return tuple(database.read(None, lambda c: c.execute(select(row.tenant, row.subject).limit(1)).one()))


def test_an_id_of_an_unknown_key_is_refused_and_nothing_is_written(populated: Database, sessions_of: Any) -> None:
    stranger = IdKey("k7", b"7" * 32)
    with pytest.raises(UsageError, match="newest key file"):
        record_session(populated, sessions_of(stranger, "ada", 1)[0], RULE, today=TODAY)
    with pytest.raises(UsageError):
        profile.show(populated, stranger.keyed(Kind.TENANT, "t"), stranger.keyed(Kind.SUBJECT, "t", "u"))


def test_a_person_named_under_two_keys_is_refused(populated: Database, key_file: Path, ada: tuple[str, str]) -> None:
    add_id_key(key_file)
    tenant, subject = ada
    lifted = load_id_keys(key_file).lift
    for who in ((lifted(tenant), subject), (tenant, lifted(subject))):
        with pytest.raises(UsageError, match="different keys"):
            profile.show(populated, *who, today=TODAY)


def test_rows_of_a_key_that_is_not_in_the_file_stop_the_job(
    populated: Database, key_file: Path, sessions_of: Any
) -> None:
    stranger = IdKey("k7", b"7" * 32)
    record_session(Database(populated.engine), sessions_of(stranger, "x", 1)[0], RULE, today=TODAY)
    add_id_key(key_file)
    with pytest.raises(HabitusError):
        rekey(populated, RULE)


def test_a_record_workers_file_wraps_ids_and_can_make_none(
    populated: Database, key_file: Path, tmp_path: Path, ada: tuple[str, str]
) -> None:
    secret = load_id_keys(key_file).first.secret.hex()
    add_id_key(key_file)
    target = tmp_path / "record.json"
    write_record_file(key_file, target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert secret not in target.read_text()
    assert "seal" not in target.read_text()
    chain = load_id_keys(target)
    assert tuple(map(chain.lift, ada)) == tuple(map(load_id_keys(key_file).lift, ada))
    assert profile.show(Database(populated.engine, Watched(target, load_id_keys)), *ada, today=TODAY)
    with pytest.raises(UsageError, match="can wrap ids and not make them"):
        chain.keyed(Kind.TENANT, "acme")
    with pytest.raises(UsageError):
        load_keys(target)


def test_a_second_key_waits_until_the_first_rotation_is_finished(key_file: Path) -> None:
    assert add_id_key(key_file) == "k2"
    with pytest.raises(UsageError, match="not finished"):
        add_id_key(key_file)
    settle(key_file, "k2")
    assert add_id_key(key_file) == "k3"
    assert load_id_keys(key_file).settled == 1


def test_a_new_sealing_key_seals_and_the_old_one_opens(key_file: Path) -> None:
    before = load_keys(key_file).seal.encrypt(b"x")
    assert add_seal_key(key_file) == "s2"
    ring = load_keys(key_file)
    assert ring.seal.decrypt(before) == b"x"
    newest = Fernet(json.loads(key_file.read_text())["seal"]["s2"])
    assert newest.decrypt(ring.seal.encrypt(b"y")) == b"y"
    assert load_id_keys(key_file).names == ("k1",)
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert [path.name for path in key_file.parent.iterdir() if "keys" in path.name] == ["keys.json"]
