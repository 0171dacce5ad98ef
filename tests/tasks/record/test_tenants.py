"""Tenants are apart even when a person of each has the very same keyed id, and the same sessions and messages."""

import secrets
from datetime import timedelta
from typing import Any

import pytest

from habitus_schema.ids import Kind
from habitus_schema.models import Outcome, SessionRecord, Signal
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import Dimension
from habitus_tasks import profile
from habitus_tasks.forget import forget
from habitus_tasks.record import record_session
from habitus_tasks.upkeep import keep_up

SHORT, LONG = "response_density=concise_direct", "response_density=detailed_explanatory"
PAIR = Pair(dimension=Dimension.RESPONSE_DENSITY, value="concise_direct")


@pytest.fixture
def twin(world: Any) -> Any:
    """Another tenant whose person has the same keyed ids in everything but the tenant."""

    class Twin(type(world)):  # type: ignore[misc]
        @property
        def who(self) -> tuple[str, str]:
            return world.key.keyed(Kind.TENANT, self.tenant), world.who[1]

        def session(self, *args: Any, **more: Any) -> SessionRecord:
            ours = world.session(*args, **more)
            return ours.model_copy(update={"tenant": self.who[0], "ticket": secrets.token_hex(16)})

        def id(self, *args: Any) -> str:
            return str(world.id(*args))

    return Twin(world.database, world.key, tenant="globex")


def learn(world: Any) -> None:
    world.counts("a", SHORT, day=1, messages="x", sketch=tuple(range(64)), context="c")
    world.counts("b", SHORT, day=2, messages="y")


def explained(world: Any) -> Any:
    return profile.explain(world.database, *world.who, world.rule, today=world.today)


def test_evidence_of_one_is_no_evidence_for_the_other(world: Any, twin: Any) -> None:
    world.counts("a", SHORT, day=1, messages="x", sketch=tuple(range(64)))
    assert twin.counts("a", SHORT, day=1, messages="x", sketch=tuple(range(64))) is Outcome.RECORDED
    assert twin.counts("b", SHORT, day=2, messages="y") is Outcome.RECORDED
    assert world.profile() == {}
    assert twin.profile() == {SHORT: (2, "promoted")}
    twin.counts("c", world.says(LONG, signal=Signal.STANDING), day=3)
    assert world.profile() == {}


@pytest.mark.parametrize("act", ["pin", "block", "remove", "forget", "contest", "continue", "expire"])
def test_whatever_happens_to_one_leaves_the_other_as_it_was(world: Any, twin: Any, act: str) -> None:
    learn(world)
    learn(twin)
    if act == "block":
        profile.block(twin.database, *twin.who, PAIR, twin.rule, today=twin.today)
        profile.unblock(twin.database, *twin.who, PAIR)
        profile.block(twin.database, *twin.who, PAIR, twin.rule, today=twin.today)
    elif act == "pin":
        profile.pin(twin.database, *twin.who, PAIR, twin.rule, today=twin.today)
        profile.unpin(twin.database, *twin.who, PAIR, twin.rule, today=twin.today + timedelta(days=900))
    elif act == "remove":
        profile.remove(twin.database, *twin.who, PAIR, twin.rule, today=twin.today)
    elif act == "forget":
        assert forget(twin.database, *twin.who, twin.today).left == 0
    elif act == "contest":
        twin.counts("c", world.says(LONG, signal=Signal.STANDING), day=3)
    elif act == "continue":
        twin.counts("a", messages="xz", day=4, context="other")
        twin.counts("b", messages="yz", day=5)
    else:
        keep_up(twin.database, twin.rule, twin.who[0], today=twin.today + timedelta(days=900))
    assert world.profile() == {SHORT: (2, "promoted")}
    assert [(each.contexts, each.rivals) for each in explained(world)] == [(2, ())]
    assert world.counts("c", SHORT, day=6) is Outcome.RECORDED
    assert world.profile() == {SHORT: (3, "promoted")}
    assert world.counts("a", SHORT, messages="x") is Outcome.DUPLICATE
    assert {code for code, _ in world.log()} == {"BELOW_RECURRENCE", "DUPLICATE_SESSION"}


def test_the_same_record_under_two_tenants_is_two_sessions(world: Any, twin: Any) -> None:
    record = world.session("a", SHORT)
    assert record_session(world.database, record, world.rule, today=world.today) is Outcome.RECORDED
    moved = record.model_copy(update={"tenant": twin.who[0], "ticket": secrets.token_hex(16)})
    assert record_session(world.database, moved, world.rule, today=world.today) is Outcome.RECORDED
