"""Whether this account sees the whole database: what is claimed of a whole deployment takes one that does.

Under row-level security (deploy/roles.sql) a query that names no tenant finds no row. Without this check that would
look like a deployment in which nothing is wrong, and nothing is left to do.
"""

from sqlalchemy import Connection, text

from habitus_schema.errors import UsageError
from habitus_schema.tables import Row
from habitus_tasks.store import Database

_RESTRICTED = text(
    "SELECT coalesce(bool_or(row_security_active(to_regclass(name)::oid)), false)"
    " FROM unnest(CAST(:tables AS text[])) AS name"
)
_REFUSAL = "this database account sees one tenant at a time: use the owner's (docs/operations.md)"


def sees_whole(database: Database) -> bool:
    """Whether no table holds rows back from this account. So it is on SQLite, and for the owner on PostgreSQL.

    A table that is not there holds nothing back. Raises UnavailableError when the database does not answer.
    """
    if database.engine.dialect.name != "postgresql":
        return True
    return not database.read(None, _is_restricted)


def require_whole(database: Database, *, or_tenant: bool = False) -> None:
    """Refuses an account from which row-level security holds rows back; changes nothing.

    `or_tenant`: the caller has an option `--tenant`, under which such an account is enough.

    Raises:
        UsageError: when it is so.
        UnavailableError: when the database does not answer.
    """
    if not sees_whole(database):
        raise UsageError(f"{_REFUSAL}, or name one with --tenant" if or_tenant else _REFUSAL)


def _is_restricted(connection: Connection) -> bool:
    return bool(connection.scalar(_RESTRICTED, {"tables": sorted(Row.metadata.tables)}))
