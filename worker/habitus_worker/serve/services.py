"""What every request works with: the settings and the open services of one deployment."""

import time
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from typing import TypeVar, cast

from fastapi import Request
from prometheus_client import CollectorRegistry

from habitus_classifier.profile import Reader
from habitus_schema.ids import Kind
from habitus_tasks.log_reading import tenants
from habitus_tasks.promote import PromotionRule
from habitus_tasks.store import Database
from habitus_worker.databases import database_of
from habitus_worker.decision_log import DecisionLog
from habitus_worker.keys import KeyRing, Watched, load_keys
from habitus_worker.ledger import DeadLetter, Ledger
from habitus_worker.serve.figures import Figures
from habitus_worker.serve.queue import Queue
from habitus_worker.serve.tokens import Access, TokenFile
from habitus_worker.settings import Settings
from habitus_worker.submitting import Submitter

CACHE_SECONDS, TENANTS_SECONDS = 10.0, 60.0
"""How long a figure that takes a long count is shown again."""
_KEPT = 256
Figure = TypeVar("Figure")


class Services:
    """Opened on first use and kept, so that a service that comes back is found again. Safe to share between threads."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.ledger = Ledger(settings.redis, settings.payload_ttl)
        self.tokens = TokenFile(settings.tokens)
        self.queue = Queue(settings)
        self.figures = Figures(lambda: self.database)
        self._cache: dict[Hashable, tuple[float, object]] = {}
        self.rule = PromotionRule(k=settings.k, window_days=settings.window_days)
        self._keys: Callable[[], KeyRing] = Watched(settings.keys, load_keys)

    @property
    def keys(self) -> KeyRing:
        """The keys of the moment."""
        return self._keys()

    @cached_property
    def database(self) -> Database:
        """The database. Raises UnavailableError while it does not answer."""
        return database_of(self.settings)

    @cached_property
    def reader(self) -> Reader:
        """The classifier's own reader of profiles."""
        return Reader(self.settings.database)

    @cached_property
    def decision_log(self) -> DecisionLog:
        """Counts a sample of the decisions, in a thread of its own."""
        return DecisionLog(lambda: self.database, self.settings.decision_share)

    @cached_property
    def submitter(self) -> Submitter:
        """Hands sessions in. Raises UnavailableError while Redis does not answer."""
        return Submitter(self.settings)

    @cached_property
    def registry(self) -> CollectorRegistry:
        """What /metrics shows."""
        from habitus_worker.serve.api.metrics import make_registry

        return make_registry(self)

    def tenant_of(self, access: Access) -> str:
        """The keyed id of the asking tenant."""
        return self.keys.ids.keyed(Kind.TENANT, access.tenant)

    def person_of(self, access: Access, user: str) -> tuple[str, str]:
        """The keyed ids (tenant, subject) of one of the asking tenant's people."""
        ids = self.keys.ids
        return ids.keyed(Kind.TENANT, access.tenant), ids.keyed(Kind.SUBJECT, access.tenant, user)

    def shown(self, access: Access, chosen: str | None) -> str | None:
        """The keyed id of the tenant whose figures are shown; None for everybody's.

        A tenant's token shows its own whatever is chosen; an operator's everybody's, or the chosen one's if it is one
        of `tenants`, under whichever key.
        """
        if not access.is_operator:
            return self.tenant_of(access)
        ids = self.keys.ids
        if chosen is None or chosen.partition("-")[0] not in ids.names:
            return None
        return self.tenants.get(ids.lift(chosen))

    @property
    def tenants(self) -> Mapping[str, str]:
        """The tenants that have lines in the log: the keyed id under the newest key, and the oldest there are rows of.

        From the oldest every later one can be made, so that no row is missed in the midst of a rotation.
        """
        return self.cached(_tenants, seconds=TENANTS_SECONDS)

    def dead_letters(self, access: Access, tenant: str | None = None) -> list[DeadLetter]:
        """The dead letters that are theirs to see: the tenant's, for an operator everybody's; the oldest first.

        `tenant`: for an operator, of that keyed id alone.
        """
        letters = self.ledger.dead_letters()
        ids = self.keys.ids
        if access.is_operator and tenant is None:
            return letters
        own = ids.first.keyed(Kind.TENANT, access.tenant)
        theirs = ids.forms(tenant if access.is_operator and tenant is not None else own)
        owners = self.queue.owners([letter.ticket for letter in letters])
        return [letter for letter, owner in zip(letters, owners, strict=True) if owner in theirs]

    def cached(self, read: "Callable[..., Figure]", *args: Hashable, seconds: float = CACHE_SECONDS) -> Figure:
        """What `read` gives for these services and `args`, or what it gave within the last `seconds`."""
        key, now = (read, args), time.monotonic()
        until, found = self._cache.get(key, (0.0, None))
        if now < until:
            return cast(Figure, found)
        fresh = read(self, *args)
        if len(self._cache) >= _KEPT:
            self._cache.clear()
        self._cache[key] = now + seconds, fresh
        return fresh

    def forget_figures(self) -> None:
        """Drops what is kept of figures, so that they are read anew."""
        self.figures = Figures(lambda: self.database)
        self._cache.clear()

    def close(self) -> None:
        """Closes what was opened."""
        if "decision_log" in self.__dict__:
            self.decision_log.flush()
        if "database" in self.__dict__:
            self.database.close()
        if "reader" in self.__dict__:
            self.reader.close()


def _tenants(services: Services) -> Mapping[str, str]:
    ids = services.keys.ids
    newest_first = sorted(tenants(services.database), key=lambda tenant: -ids.names.index(tenant.partition("-")[0]))
    found = {ids.lift(tenant): tenant for tenant in newest_first}
    return {tenant: found[tenant] for tenant in sorted(found)}


def services_of(request: Request) -> Services:
    """The services of the application that a request came to."""
    services: Services = request.app.state.services
    return services
