"""People whose sessions exercise all that hangs on ids: resumed and forked sessions, named contexts, entities."""

import random
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, select

from habitus_schema import catalog
from habitus_schema.codes import Code
from habitus_schema.ids import IdKey, KeyChain, Kind
from habitus_schema.models import Observed, Rejection, Scope, SessionRecord, Signal
from habitus_schema.pairs import Pair
from habitus_schema.tables import Row
from habitus_schema.vocabulary import Dimension
from habitus_tasks.store import Database

DAY, TODAY = date(2026, 3, 1), date(2026, 4, 1)
_PAIRS = [("response_density", "concise_direct"), ("response_density", "detailed_explanatory"), ("list_style", "prose")]


def sessions_of(key: IdKey, user: str, count: int) -> list[SessionRecord]:
    """Sessions in order, in ids of the first key; the same for the same user."""
    chance = random.Random(user)

    def keyed(kind: Kind, name: str) -> str:
        return key.keyed(kind, "acme", user, name)

    made: list[SessionRecord] = []
    for number in range(count):
        messages = [f"{number}-a", f"{number}-b"]
        if number and chance.random() < 0.4:  # it resumes or forks an earlier one
            messages.insert(0, f"{chance.randrange(number)}-a")
        dimension, value = chance.choice(_PAIRS)
        entity = chance.random() < 0.2
        observed = Observed(
            pair=Pair(dimension=Dimension(dimension), value=value),
            signal=chance.choice(list(Signal)),
            scope=Scope.ENTITY if entity else Scope.GENERAL,
            message=keyed(Kind.MESSAGE, chance.choice(messages)),
            entity=keyed(Kind.ENTITY, "northwind") if entity else None,
        )
        name = f"s{chance.randrange(number)}" if number and chance.random() < 0.15 else f"s{number}"
        made.append(
            SessionRecord(
                ticket=f"{abs(hash((user, number))) % 16**32:032x}",
                tenant=key.keyed(Kind.TENANT, "acme"),
                subject=key.keyed(Kind.SUBJECT, "acme", user),
                session=keyed(Kind.SESSION, name),
                context=keyed(Kind.CONTEXT, f"c{number % 4}") if chance.random() < 0.3 else None,
                messages=tuple(keyed(Kind.MESSAGE, each) for each in messages),
                day=DAY + timedelta(days=chance.randrange(20)),
                observations=(observed,),
                rejections=(Rejection(code=Code.ONE_OFF),) if chance.random() < 0.3 else (),
                catalog_version=catalog.version(),
            )
        )
    return made


def contents(database: Database, chain: KeyChain | None = None) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table but its number, in the ids of the newest key of `chain`."""

    def under(value: Any) -> Any:
        return chain.lift(value) if chain and isinstance(value, str) and value[:1] == "k" and "-" in value else value

    def work(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
        return {
            each.name: sorted(
                (
                    tuple(under(value) for name, value in row.items() if (each.name, name) != ("rejection", "id"))
                    for row in connection.execute(select(each)).mappings()
                ),
                key=repr,
            )
            for each in Row.metadata.sorted_tables
        }

    return database.read(None, work)
