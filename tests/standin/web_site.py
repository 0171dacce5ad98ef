"""A deployment with its web application: a real Redis and a real database, two tenants, people, lines, dead letters."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from fastapi import FastAPI
from starlette.testclient import TestClient

from habitus_schema import catalog
from habitus_schema.codes import Code
from habitus_schema.detectors import Detector
from habitus_schema.ids import Kind
from habitus_schema.models import Observed, Rejection, SessionRecord, Signal
from habitus_schema.pairs import Pair
from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_schema.vocabulary import Dimension
from habitus_tasks.pipeline import Caller
from habitus_tasks.record import record_session
from habitus_tasks.store import Database
from habitus_worker.databases import database_of
from habitus_worker.days import today
from habitus_worker.keys import KeyRing, create_keys
from habitus_worker.ledger import DeadLetter, Ledger
from habitus_worker.serve.application import make_application
from habitus_worker.serve.services import Services
from habitus_worker.serve.tokens import Role, add_token
from habitus_worker.settings import Settings, read_settings
from habitus_worker.submitting import Submitter

HOST = "testserver"
SHORT = Pair(dimension=Dimension.RESPONSE_DENSITY, value="concise_direct")
PLAIN = Pair(dimension=Dimension.EMOJI_USAGE, value="none")


@dataclass
class Site:
    """The deployment, and what its operator and its two tenants hold."""

    settings: Settings
    keys: KeyRing
    database: Database
    app: FastAPI
    acme: str
    globex: str
    operator: str

    @property
    def services(self) -> Services:
        """What the application works with."""
        services: Services = self.app.state.services
        return services

    @property
    def ledger(self) -> Ledger:
        """The ledger on Redis."""
        return Ledger(self.settings.redis, self.settings.payload_ttl)

    def tenant(self, name: str) -> str:
        """A tenant's keyed id."""
        return self.keys.ids.keyed(Kind.TENANT, name)

    def person(self, tenant: str, user: str) -> tuple[str, str]:
        """A person's keyed ids."""
        return self.tenant(tenant), self.keys.ids.keyed(Kind.SUBJECT, tenant, user)

    def record(
        self, tenant: str, user: str, name: str, day: date, *observed: Observed, lines: tuple[Rejection, ...] = ()
    ) -> None:
        """Counts one session of a person, in a task context of its own."""
        ids = self.keys.ids
        record_session(
            self.database,
            SessionRecord(
                ticket=ids.keyed(Kind.MESSAGE, tenant, user, name).partition("-")[2],
                tenant=ids.keyed(Kind.TENANT, tenant), subject=ids.keyed(Kind.SUBJECT, tenant, user),
                session=ids.keyed(Kind.SESSION, tenant, user, name),
                context=ids.keyed(Kind.CONTEXT, tenant, user, name),
                day=day, observations=observed, rejections=lines, catalog_version=catalog.version(),
            ),
            self.services.rule,
        )  # fmt: skip

    def give_up(self, tenant: str, code: Code, name: str = "gone") -> str:
        """A session of the tenant that became a dead letter; its ticket."""
        transcript = Transcript(Format.HABITUS, name, (Turn(Speaker.PERSON, "always be brief", "always be brief"),))
        ticket = Submitter(self.settings).submit(transcript, Caller("ada", tenant, "", today()))
        self.ledger.bury(DeadLetter(ticket, code, today().isoformat()))
        return ticket

    def client(self, token: str | None = None) -> TestClient:
        """A program that asks with a token, or without one."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return TestClient(self.app, f"http://{HOST}", headers=headers, raise_server_exceptions=False)

    def browser(self, token: str) -> TestClient:
        """A person who has signed in."""
        client = self.client()
        answer = client.post("/sign-in", data={"token": token, "proof": proof_in(client.get("/sign-in").text)})
        assert answer.status_code == 200, answer.text
        return client


def proof_in(text: str) -> str:
    """The proof that the forms of a page carry."""
    return text.partition('name="proof" value="')[2].partition('"')[0]


@contextmanager
def make_site(home: Path, redis_url: str, database_url: str = "") -> Iterator[Site]:
    """An empty deployment."""
    settings = read_settings(home=home, redis_url=redis_url, database_url=database_url, tenant="acme")
    keys = create_keys(settings.keys)
    acme, globex, operator = (
        add_token(settings.tokens, name, role, keys.ids.first)
        for name, role in (("acme", Role.TENANT), ("globex", Role.TENANT), ("acme", Role.OPERATOR))
    )
    database = database_of(settings)
    site = Site(settings, keys, database, make_application(settings, [HOST, "127.0.0.1"]), acme, globex, operator)
    try:
        yield site
    finally:
        site.services.close()
        database.close()


def fill(site: Site) -> None:
    """Two weeks of a small deployment."""
    start = today() - timedelta(days=14)
    for number in range(10):
        day = start + timedelta(days=number)
        said = [Observed(pair=SHORT, signal=Signal.CORRECTION)] if number in (0, 2, 4, 5) else []
        if number < 2:
            said.append(Observed(pair=PLAIN, signal=Signal.STANDING))
        lines = (
            Rejection(code=Code.ONE_OFF, dimension=Dimension.LIST_STYLE),
            Rejection(code=Code.UNKNOWN_VALUE, dimension=Dimension.PREAMBLE, detector=Detector.SCHEMA),
        )
        site.record("acme", "ada", f"s{number}", day, *said, lines=lines[: 1 + number % 2])
        site.record(
            "acme", "bert", f"s{number}", day, lines=(Rejection(code=Code.WITHDRAWN, dimension=Dimension.PLANNING),)
        )
    site.record(
        "globex", "gus", "s", start, lines=(Rejection(code=Code.ENTITY_COUPLED, dimension=Dimension.DOCSTRINGS),)
    )
    site.give_up("acme", Code.UNSEAL_FAILED)
    site.give_up("globex", Code.PAYLOAD_EXPIRED)
