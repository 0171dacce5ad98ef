"""Deployments to ask: a filled one that tests only read, and a fresh one for those that change something."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_site import Site, fill, make_site

from habitus_worker.embedded import embedded_redis


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A filled deployment with a Redis of its own. Read only."""
    home = tmp_path_factory.mktemp("site")
    with embedded_redis(home / "redis") as url, make_site(home, url) as made:
        fill(made)
        yield made


@pytest.fixture
def fresh(tmp_path: Path, redis_url: str) -> Iterator[Site]:
    """An empty deployment."""
    with make_site(tmp_path, redis_url) as made:
        yield made
