"""What time alone does to people of whom nothing new arrives. On both databases."""

from datetime import timedelta
from typing import Any

from sqlalchemy import func, select

from habitus_schema.tables import Profile, Session, table
from habitus_tasks import profile
from habitus_tasks.upkeep import Upkeep, keep_up

SHORT = "response_density=concise_direct"


def stored(world: Any) -> tuple[int, int]:
    """(rows of the profile, sessions with a sketch) of the tenant."""
    row, session = table(Profile).c, table(Session).c
    rows = select(func.count()).where(row.tenant == world.who[0])
    sketches = select(func.count()).where(session.tenant == world.who[0], session.sketch_0.is_not(None))
    return world.database.read(None, lambda connection: (connection.scalar(rows), connection.scalar(sketches)))


def test_old_sketches_and_expired_values_go_though_nothing_new_arrives(world: Any) -> None:
    world.counts("a", SHORT, day=1, sketch=tuple(range(64)))
    world.counts("b", SHORT, day=2, sketch=tuple(range(100, 164)))
    assert stored(world) == (1, 2)
    (row,) = profile.show(world.database, *world.who, today=world.today)
    last = row.expires - timedelta(days=1)
    assert keep_up(world.database, world.rule, world.who[0], today=last) == Upkeep(0, 0)
    assert stored(world) == (1, 2)
    assert keep_up(world.database, world.rule, world.who[0], today=row.expires) == Upkeep(1, 1)
    assert stored(world) == (0, 1)
    assert keep_up(world.database, world.rule, world.who[0], today=row.expires) == Upkeep(0, 0)


def test_upkeep_for_one_tenant_leaves_the_others_as_they_are_and_for_all_reaches_all(world: Any) -> None:
    other = type(world)(world.database, world.key, tenant="globex")
    for each in (world, other):
        each.counts("a", SHORT, day=1, sketch=tuple(range(64)))
        each.counts("b", SHORT, day=2)
    late = world.today + timedelta(days=400)
    keep_up(world.database, world.rule, world.who[0], today=late)
    assert (stored(world), stored(other)) == ((0, 0), (1, 1))
    keep_up(world.database, world.rule, today=late)
    assert stored(other) == (0, 0)
