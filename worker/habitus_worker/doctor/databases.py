"""The database: the right schema version, and on PostgreSQL the roles of deploy/roles.sql in force."""

import os
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, make_url, text

from habitus_schema.tables import SCHEMA_VERSION
from habitus_tasks.store import Database, version_of
from habitus_worker.databases import unchecked_database_of
from habitus_worker.doctor.finding import Finding, bad, ok, warn
from habitus_worker.settings import Settings

ROLES = ("habitus_content", "habitus_record", "habitus_reader")
GUARDED = ("session", "session_message", "observation", "profile", "blocked_pair", "tombstone", "rejection")
"""The tables whose rows belong to a tenant (deploy/roles.sql)."""
RUN_ROLES = "run `psql -f deploy/roles.sql` as the owner of the tables"
_KNOWN = text("SELECT rolname FROM pg_roles WHERE rolname = ANY(:roles)")
_UNGUARDED = text(
    "SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace"
    " WHERE n.nspname = current_schema() AND relname = ANY(:tables) AND NOT relrowsecurity"
)
_READABLE = text(
    "SELECT t FROM unnest(CAST(:tables AS text[])) AS t"
    " WHERE has_schema_privilege(:role, current_schema(), 'USAGE') AND has_table_privilege(:role, t, 'SELECT')"
)
_ALL_POWERFUL = text("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
_OWNER = text("SELECT pg_get_userbyid(relowner) = current_user FROM pg_class WHERE oid = to_regclass('profile')")


def database(settings: Settings) -> Iterator[Finding]:
    """The database as a deployment needs it. Raises UsageError or UnavailableError when it cannot be opened."""
    kind = make_url(settings.database).get_backend_name()
    if kind == "sqlite" and not _file(settings).exists():
        yield warn("database", "there is none yet", "`habitus up`, or a record worker, makes it")
        return
    opened = unchecked_database_of(settings)
    try:
        yield _version(opened.read(None, version_of))
        yield from _roles(opened) if kind == "postgresql" else _mode(_file(settings))
    finally:
        opened.close()


def _file(settings: Settings) -> Path:
    return Path(make_url(settings.database).database or os.devnull)


def _version(found: int | None) -> Finding:
    if found == SCHEMA_VERSION:
        return ok("database_version", f"{found}")
    said = "the database is empty" if found is None else f"{found}, this habitus needs {SCHEMA_VERSION}"
    newer = found is not None and found > SCHEMA_VERSION
    return bad("database_version", said, "install the habitus that made it" if newer else "run `habitus migrate`")


def _mode(path: Path) -> Iterator[Finding]:
    if path.stat().st_mode & 0o077:
        yield bad("database_mode", "others can read the database", f"chmod 600 {path}")
    else:
        yield ok("database_mode", "ours alone")


def _roles(opened: Database) -> Iterator[Finding]:
    missing, unguarded, leaks, powerful, owner = opened.read(None, _state_of)
    if missing:
        yield bad("database_roles", f"{', '.join(missing)} missing", RUN_ROLES)
        return
    if unguarded:
        yield bad("database_roles", f"no row-level security on {', '.join(unguarded)}", RUN_ROLES)
    if leaks:
        yield bad("database_roles", f"the content zone can read {', '.join(leaks)}", RUN_ROLES)
    if not unguarded and not leaks:
        yield ok("database_roles", "content sees nothing, the others one tenant at a time")
    if powerful or owner:
        said = "this account sees every tenant"
        yield warn("database_account", said, "for the owner's work only: give workers an account of habitus_record")
    else:
        yield ok("database_account", "bound to one tenant at a time")


def _state_of(connection: Connection) -> tuple[list[str], list[str], list[str], bool, bool]:
    known = set(connection.scalars(_KNOWN, {"roles": list(ROLES)}))
    missing = [role for role in ROLES if role not in known]
    tables = {"tables": list(GUARDED)}
    unguarded = sorted(connection.scalars(_UNGUARDED, tables))
    leaks = [] if missing else sorted(connection.scalars(_READABLE, tables | {"role": "habitus_content"}))
    powerful, owner = bool(connection.scalar(_ALL_POWERFUL)), bool(connection.scalar(_OWNER))
    return missing, unguarded, leaks, powerful, owner
