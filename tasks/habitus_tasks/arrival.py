"""One session on its way into the count: what is known of it before anything is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, select

from habitus_schema.models import MAX_MESSAGES, SessionRecord
from habitus_schema.tables import Session, table
from habitus_tasks.context import Context, resolve
from habitus_tasks.messages import Seen, own_messages, seen_before
from habitus_tasks.person import Person, mine
from habitus_tasks.promote import PromotionRule

_COUNTED = select(table(Session).c.day).where(mine(Session, "session"))


@dataclass(frozen=True, slots=True)
class Arrival:
    """A session and its place among what was counted.

    Attributes:
        day: its day, never in the future.
        today: the day as of which the rule is applied.
        seen: those of its messages that are known, as they were before it.
        new: its messages that are not.
        counted: the last day of the same session as counted so far; None when it is new.
        context: the context of its general evidence.
        whole: whether it holds all that is known of the session, so that its votes replace all earlier ones.
    """

    person: Person
    record: SessionRecord
    rule: PromotionRule
    day: date
    today: date
    seen: Mapping[str, Seen]
    new: tuple[str, ...]
    counted: date | None
    context: Context
    whole: bool

    @property
    def duplicate(self) -> bool:
        """Whether it brings nothing: the same session again, an earlier state of it, or a copy of others."""
        return not self.new and (bool(self.seen) or self.counted is not None)

    @property
    def last_word(self) -> bool:
        """Whether what it says outranks what the same session said before."""
        return self.whole or self.counted is None or self.day >= self.counted


def arrive(
    connection: Connection, person: Person, record: SessionRecord, rule: PromotionRule, day: date, today: date
) -> Arrival:
    """Looks up all that is known of the session. Reads only."""
    given = [each.message for each in record.observations if each.message]
    ids = tuple(dict.fromkeys([*record.messages, *given]))
    seen = seen_before(connection, person, ids)
    counted: date | None = connection.scalar(_COUNTED, person.key(session=record.session))
    whole = counted is None or len(record.messages) >= MAX_MESSAGES
    return Arrival(
        person=person,
        record=record,
        rule=rule,
        day=day,
        today=today,
        seen=seen,
        new=tuple(message for message in ids if message not in seen),
        counted=counted,
        context=resolve(connection, person, record, seen, rule.window_days, counted=counted is not None),
        whole=whole or own_messages(connection, person, record.session) <= set(ids),
    )
