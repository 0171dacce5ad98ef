"""A server on a port, and a real browser."""

import threading
from collections.abc import Callable, Iterator

import pytest
import uvicorn
from chromium import find_chromium
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from web_site import Site, fill, make_site

from habitus_worker.embedded import embedded_redis

PATIENCE = 60_000
"""Milliseconds after which an action in the browser counts as failed."""


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Site]]:
    """The address of a filled deployment's server, and the deployment."""
    home = tmp_path_factory.mktemp("served")
    with embedded_redis(home / "redis") as url, make_site(home, url) as site:
        fill(site)
        with running(site) as address:
            yield address, site


class running:  # noqa: N801 - used as a function
    """Runs the site's application on a free port of loopback."""

    def __init__(self, site: Site) -> None:
        config = uvicorn.Config(site.app, host="127.0.0.1", port=0, log_config=None, access_log=False, ws="none")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> str:
        """Returns the address once it answers."""
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.01)
            assert self._thread.is_alive(), "the server did not start"
        port = self._server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(20)


@pytest.fixture(scope="module")  # not longer: its event loop runs until the end, and no other may meanwhile
def chrome() -> Iterator[Browser]:
    """Chromium, headless."""
    found = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found.path,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],  # a container has no namespaces for it
            env=found.environment or None,
        )
        yield browser
        browser.close()


Open = Callable[..., Page]


@pytest.fixture
def opened(chrome: Browser, served: tuple[str, Site]) -> Iterator[Open]:
    """Opens a page of the server in a fresh window, signed in with a token where one is given."""
    contexts: list[BrowserContext] = []

    def open_(path: str, token: str | None = None, **options: object) -> Page:
        context = chrome.new_context(**({"viewport": {"width": 1200, "height": 900}} | options))
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        if token is not None:
            for name, value in served[1].browser(token).cookies.items():
                context.add_cookies([{"name": name, "value": value, "url": served[0]}])
        page = context.new_page()
        page.goto(served[0] + path)
        return page

    yield open_
    for context in contexts:
        context.close()
