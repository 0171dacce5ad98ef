"""A scratch deployment to measure on: Redis, keys and a database of its own, gone after the block."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from habitus_tasks.store import open_database
from habitus_worker.bench import servers
from habitus_worker.embedded import embedded_redis
from habitus_worker.keys import create_keys
from habitus_worker.settings import Settings

NO_LIMIT = 1_000_000
"""Sessions: what is measured is the work, not the waiting."""


@contextmanager
def scratch_stack(settings: Settings, postgresql: bool) -> Iterator[Settings]:
    """The settings of a deployment in a scratch folder, without workers.

    `postgresql`: records on the server of `settings.database_url`, else on one from the wheel.

    Raises:
        UnavailableError: when a server does not start or may not be used.
    """
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="habitus-fleet-")))
        url = f"sqlite:///{home / 'habitus.db'}"
        if postgresql:
            server = settings.database if settings.database.startswith("postgresql") else None
            server = server or stack.enter_context(servers.embedded_postgresql())
            made = stack.enter_context(servers.postgresql_databases(server))()
            url = made.engine.url.render_as_string(hide_password=False)
            made.close()
        create_keys(home / "keys.json")
        redis_url = stack.enter_context(embedded_redis(home))
        changes: dict[str, object] = {"home": home, "key_file": None, "id_key_file": None, "concurrency": 1}
        changes |= {"redis_url": type(settings.redis_url)(redis_url), "database_url": type(settings.database_url)(url)}
        limits = {"live_sessions": NO_LIMIT, "max_backlog": NO_LIMIT, "visibility_timeout": 3600}
        running = settings.model_copy(update={**changes, **limits})
        open_database(running.database).close()
        yield running
