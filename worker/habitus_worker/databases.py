"""The deployment's database, opened with what finds the rows of ids of an older key."""

from habitus_schema.errors import UsageError
from habitus_tasks.store import Database, Keys, connect, open_database
from habitus_worker.keys import Watched, load_id_keys
from habitus_worker.settings import Settings


def database_of(settings: Settings) -> Database:
    """The deployment's database.

    Raises:
        UsageError: for a URL, a schema version or a key file that is not usable, or a data folder that is not there.
        UnavailableError: when it does not answer.
    """
    if not settings.database_url.get_secret_value() and not settings.home.is_dir():
        raise UsageError("nothing was recorded here yet: `habitus up` makes the data folder; --home names another")
    return open_database(settings.database, _keys(settings))


def unchecked_database_of(settings: Settings) -> Database:
    """The same, whatever its schema version."""
    return connect(settings.database, _keys(settings))


def _keys(settings: Settings) -> Keys:
    path = settings.id_keys
    return (lambda: None) if path is None else Watched(path, load_id_keys)
