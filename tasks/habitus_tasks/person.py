"""Whose rows a query may touch: every query of the record zone carries a tenant and a subject."""

import hashlib
import re
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam

from habitus_schema.errors import UsageError
from habitus_schema.ids import ID_PATTERN
from habitus_schema.tables import Row, table

_ID = re.compile(ID_PATTERN)


def mine(row: type[Row], *more: str) -> ColumnElement[bool]:
    """The condition of a statement that is built once: a row is the person's, and each named column has the value
    given under its name. It is run with `Person.key()` and those values."""
    columns = table(row).c
    return and_(*(columns[name] == bindparam(name) for name in ("tenant", "subject", *more)))


def check_id(value: object) -> None:
    """Refuses what is not a keyed id.

    Raises:
        UsageError: without the value.
    """
    if not isinstance(value, str) or not _ID.match(value) or value.endswith("\n"):
        raise UsageError("every query names a tenant and a subject by their keyed ids")


@dataclass(frozen=True, slots=True)
class Tenant:
    """One tenant, by its keyed id, for what concerns no single person.

    `older`: the ids of older keys under which rows of it may still lie (`Database.tenant` knows them).

    Raises:
        UsageError: when it is missing or is not a keyed id.
    """

    tenant: str
    older: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check_id(self.tenant)

    @property
    def tenants(self) -> tuple[str, ...]:
        """The tenant's id and its older ones."""
        return self.tenant, *self.older


@dataclass(frozen=True, slots=True)
class Person:
    """One subject of one tenant, by keyed ids.

    `older`: their (tenant, subject) under older keys, the oldest first, where their rows may still lie
    (`Database.person` knows them).

    Raises:
        UsageError: when either is missing or is not a keyed id.
    """

    tenant: str
    subject: str
    older: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check_id(self.tenant)
        check_id(self.subject)

    @property
    def tenants(self) -> tuple[str, ...]:
        """The tenant's id and its older ones."""
        return self.tenant, *(tenant for tenant, _ in self.older)

    @property
    def locks(self) -> tuple[int, ...]:
        """Numbers of 64 bits with sign, the same in every process, for the locks under which this person is written.

        One for each key, the oldest first, so that processes with an older and a newer key file wait for one another.
        """
        return tuple(_lock(*each) for each in (*self.older, (self.tenant, self.subject)))

    def owns(self, row: type[Row], **more: Any) -> ColumnElement[bool]:
        """The condition that a row is this person's, and that each named column has that value."""
        columns = table(row).c
        extra = [columns[name] == value for name, value in more.items()]
        return and_(columns.tenant == self.tenant, columns.subject == self.subject, *extra)

    def key(self, **more: Any) -> dict[str, Any]:
        """The two columns, and more, as a statement takes them."""
        return {"tenant": self.tenant, "subject": self.subject, **more}


def _lock(tenant: str, subject: str) -> int:
    digest = hashlib.blake2b(f"{tenant} {subject}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)
