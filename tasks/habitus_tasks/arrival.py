"""One session on its way into the count: what is known of it before anything is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from habitus_schema.models import MAX_MESSAGES, SessionRecord
from habitus_tasks.context import Context, resolve
from habitus_tasks.known import Known
from habitus_tasks.messages import Seen, own_messages
from habitus_tasks.person import Person
from habitus_tasks.promote import PromotionRule


@dataclass(frozen=True, slots=True)
class Arrival:
    """A session and its place among what was counted.

    Attributes:
        day: its day, never in the future.
        today: the day as of which the rule is applied.
        seen: those of its messages that are known, as they were before it.
        new: its messages that are not.
        known: what was known of the person and the session before it.
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
    known: Known
    context: Context
    whole: bool

    @property
    def counted(self) -> date | None:
        """The last day of the same session as counted so far; None when it is new."""
        return self.known.counted

    @property
    def duplicate(self) -> bool:
        """Whether it brings nothing: the same session again, an earlier state of it, or a copy of others."""
        return not self.new and (bool(self.seen) or self.counted is not None)

    @property
    def last_word(self) -> bool:
        """Whether what it says outranks what the same session said before."""
        return self.whole or self.counted is None or self.day >= self.counted


def named(record: SessionRecord) -> tuple[str, ...]:
    """The messages that the session names, each once."""
    given = [each.message for each in record.observations if each.message]
    return tuple(dict.fromkeys([*record.messages, *given]))


def arrive(
    connection: Connection,
    person: Person,
    record: SessionRecord,
    rule: PromotionRule,
    day: date,
    today: date,
    known: Known,
    seen: Mapping[str, Seen],
) -> Arrival:
    """Looks up what else is to be known of the session. Reads only.

    `known`, `seen`: what is known of the person, and of the messages that `named` gives.
    """
    ids = named(record)
    whole = known.counted is None or len(record.messages) >= MAX_MESSAGES
    return Arrival(
        person=person,
        record=record,
        rule=rule,
        day=day,
        today=today,
        seen=seen,
        new=tuple(message for message in ids if message not in seen),
        known=known,
        context=resolve(connection, person, record, seen, rule.window_days, counted=known.counted is not None),
        whole=whole or own_messages(connection, person, record.session) <= set(ids),
    )
