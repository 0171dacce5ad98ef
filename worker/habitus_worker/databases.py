"""The deployment's database, opened with what finds the rows of ids of an older key."""

from habitus_tasks.store import Database, Keys, connect, open_database
from habitus_worker.keys import Watched, load_id_keys
from habitus_worker.settings import Settings


def database_of(settings: Settings) -> Database:
    """The deployment's database.

    Raises:
        UsageError: for a URL, a schema version or a key file that is not usable.
        UnavailableError: when it does not answer.
    """
    return open_database(settings.database, _keys(settings))


def unchecked_database_of(settings: Settings) -> Database:
    """The same, whatever its schema version."""
    return connect(settings.database, _keys(settings))


def _keys(settings: Settings) -> Keys:
    path = settings.id_keys
    return (lambda: None) if path is None else Watched(path, load_id_keys)
