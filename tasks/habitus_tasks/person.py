"""Whose rows a query may touch: every query of the record zone carries a tenant and a subject."""

import hashlib
import re
from dataclasses import dataclass
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

    Raises:
        UsageError: when it is missing or is not a keyed id.
    """

    tenant: str

    def __post_init__(self) -> None:
        check_id(self.tenant)


@dataclass(frozen=True, slots=True)
class Person:
    """One subject of one tenant, by keyed ids.

    Raises:
        UsageError: when either is missing or is not a keyed id.
    """

    tenant: str
    subject: str

    def __post_init__(self) -> None:
        check_id(self.tenant)
        check_id(self.subject)

    @property
    def lock(self) -> int:
        """A number of 64 bits with sign, the same in every process, for the lock under which this person is written."""
        digest = hashlib.blake2b(f"{self.tenant} {self.subject}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, signed=True)

    def owns(self, row: type[Row], **more: Any) -> ColumnElement[bool]:
        """The condition that a row is this person's, and that each named column has that value."""
        columns = table(row).c
        extra = [columns[name] == value for name, value in more.items()]
        return and_(columns.tenant == self.tenant, columns.subject == self.subject, *extra)

    def key(self, **more: Any) -> dict[str, Any]:
        """The two columns, and more, as a statement takes them."""
        return {"tenant": self.tenant, "subject": self.subject, **more}
