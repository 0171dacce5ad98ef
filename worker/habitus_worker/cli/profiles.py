"""How a profile is printed."""

from typing import Any

from habitus_schema import catalog
from habitus_schema.ids import Kind
from habitus_tasks.profile import show
from habitus_tasks.store import Database, open_database
from habitus_worker.cli.output import print_json, print_table
from habitus_worker.keys import load_keys
from habitus_worker.settings import Settings


def subject_of(settings: Settings, user: str, tenant: str | None) -> tuple[str, str]:
    """The keyed ids (tenant, subject) of a person."""
    key, name = load_keys(settings.keys).ids, tenant or settings.tenant
    return key.keyed(Kind.TENANT, name), key.keyed(Kind.SUBJECT, name, user)


def database_of(settings: Settings) -> Database:
    """The deployment's database."""
    return open_database(settings.database)


def print_profile(settings: Settings, user: str, tenant: str | None, as_json: bool) -> None:
    """Prints a person's profile: pairs and counts."""
    rows = show(database_of(settings), *subject_of(settings, user, tenant))
    if as_json:
        for row in rows:
            print_json(profile_row(row))
        return
    print_table(
        "Profile",
        ["preference", "meaning", "contexts", "since", "last", "status"],
        [
            (str(row.pair), catalog.meaning(row.pair), row.contexts, row.first_day, row.last_day, row.status.value)
            for row in rows
        ],
        empty="no habit yet: a pair counts once it was seen in two task contexts",
    )


def profile_row(row: Any) -> dict[str, Any]:
    """A profile row as JSON."""
    return {
        **row.pair.model_dump(mode="json"),
        "status": row.status.value,
        "contexts": row.contexts,
        "first_day": row.first_day,
        "last_day": row.last_day,
        "pinned": row.pinned,
    }
