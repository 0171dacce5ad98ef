"""The ASGI application of one deployment."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from starlette.middleware.trustedhost import TrustedHostMiddleware

from habitus_worker.serve import problems
from habitus_worker.serve.api import decisions, health, metrics, profiles, sessions
from habitus_worker.serve.headers import SecurityHeaders
from habitus_worker.serve.pages import effect, entry, failures, letters, log, overview, people
from habitus_worker.serve.services import Services
from habitus_worker.settings import Settings

LOOPBACK = ("127.0.0.1", "localhost", "::1")
API = (sessions.router, profiles.router, decisions.router, health.router, metrics.router)
PAGES = (entry.router, overview.router, log.router, letters.router, people.router, effect.router)
_PROBLEMS = problems.documented(
    s400="The request cannot be carried out as it is.",
    s401="No token that is in force.",
    s403="A token for less than this.",
    s422="Not of the documented form.",
    s503="A service does not answer: Retry-After says when to try again.",
)
STATIC = Path(__file__).with_name("static")


def make_application(settings: Settings, hosts: Sequence[str] = LOOPBACK) -> FastAPI:
    """The application.

    Args:
        settings: the deployment's.
        hosts: the names under which it is reached (the Host header); any other is refused, so that a foreign page
            cannot reach it under a name of its own (DNS rebinding). ``*`` takes any.

    Raises:
        UsageError: when the key file cannot be read.
    """
    services = Services(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        services.close()

    app = FastAPI(
        title="habitus",
        version=version("habitus"),
        description="How people like to work with AI assistants, and not one byte of what they worked on.",
        lifespan=lifespan,
        docs_url=None,  # both load scripts from elsewhere
        redoc_url=None,
    )
    app.state.services = services
    for router in API:
        app.include_router(router, responses=_PROBLEMS)
    for router in PAGES:
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    problems.install(app, failures.failure_page)
    app.add_exception_handler(entry.SignInNeeded, failures.sign_in_needed)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    app.add_middleware(SecurityHeaders)
    return app
