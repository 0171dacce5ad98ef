"""Claims about a whole deployment, by an account that sees one tenant at a time and by the owner of the tables."""

import io
import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, make_url, text
from web_site import SHORT, Site, make_site

from habitus_schema.codes import Code
from habitus_schema.decisions import DecisionReason, PolicyWord
from habitus_schema.errors import UsageError
from habitus_schema.models import Observed, Rejection, Signal
from habitus_schema.vocabulary import Dimension
from habitus_tasks import decisions
from habitus_tasks.engines import engine_of
from habitus_tasks.promote import PromotionRule
from habitus_tasks.rekey import rekey
from habitus_tasks.whole import require_whole, sees_whole
from habitus_worker import cli
from habitus_worker.daily import upkeep
from habitus_worker.databases import database_of
from habitus_worker.days import today
from habitus_worker.fleet import environment
from habitus_worker.rotation import add_id_key
from habitus_worker.settings import Settings

ROLES = (Path(__file__).parents[2] / "deploy" / "roles.sql").read_text("utf-8")
REFUSAL = "habitus: this database account sees one tenant at a time: use the owner's (docs/operations.md)"
SINCE = ["--since", "2026-01-01"]
OF_ALL = [
    ["keys", "rotate"], ["keys", "rotate", "--resume"], ["audit"], ["upkeep"], ["partition"], ["migrate"],
]  # fmt: skip
OF_ALL_OR_ONE = [
    ["check"], ["effect"], ["report", *SINCE, "--out", "-"], ["rejections"], ["rejections", "--json"],
    ["rejections", "--stats"], ["rejections", "--follow"],
]  # fmt: skip
Call = Callable[..., tuple[int, str, str]]


@dataclass
class Deployment:
    """A deployment on PostgreSQL whose last lines are private ones, and the accounts of its database."""

    site: Site
    accounts: dict[str, str]

    def settings(self, account: str) -> Settings:
        return self.site.settings.model_copy(update={"database_url": self.accounts[account]})


@pytest.fixture
def deployment(tmp_path: Path, redis_url: str, empty_postgres: Callable[[], str]) -> Iterator[Deployment]:
    owner = make_url(empty_postgres())
    shown = owner.render_as_string(hide_password=False)
    with make_site(tmp_path, redis_url, shown) as site:
        for day in range(6):
            site.record(
                "acme", "ada", f"s{day}", today() - timedelta(days=day), Observed(pair=SHORT, signal=Signal.CORRECTION),
                lines=(Rejection(code=Code.PRIVATE_EMAIL),),
            )  # fmt: skip
        with site.database.engine.connect() as connection:
            connection.connection.cursor().execute(ROLES)
            connection.connection.commit()
        accounts = {"owner": site.settings.database_url}
        engine = create_engine(owner, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            for role in ("habitus_record", "habitus_reader", "habitus_serve"):
                account = f"worker_{secrets.token_hex(4)}"
                connection.execute(text(f"CREATE ROLE {account} LOGIN IN ROLE {role}"))
                url = owner.set(username=account).render_as_string(hide_password=False)
                accounts[role] = type(site.settings.database_url)(url)
        engine.dispose()
        yield Deployment(site, accounts)


@pytest.fixture
def call(deployment: Deployment, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs `habitus ...` in this process as an account; its exit code, stdout and stderr."""
    monkeypatch.setattr("signal.signal", lambda *_: None)

    engines: list[Engine] = []
    monkeypatch.setattr("habitus_tasks.store.engine_of", lambda url: engines.append(engine_of(url)) or engines[-1])

    def run(account: str, *words: str, stdin: str = "a private string") -> tuple[int, str, str]:
        for name, value in environment(deployment.settings(account)).items():
            if name.startswith("HABITUS_"):
                monkeypatch.setenv(name, value)
        monkeypatch.setattr("sys.argv", ["habitus", *words])
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{stdin}\n"))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        for engine in engines:  # a process that ends does so
            engine.dispose()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


def column(out: str, name: str) -> list[object]:
    """What each line of JSON has under a name."""
    return [json.loads(line).get(name) for line in out.splitlines()]


def test_an_account_that_sees_one_tenant_at_a_time_is_refused_what_concerns_all(
    deployment: Deployment, call: Call
) -> None:
    before = deployment.site.settings.keys.read_text()
    for words in OF_ALL:
        assert call("habitus_record", *words) == (2, "", f"{REFUSAL}\n"), words
    for words in OF_ALL_OR_ONE:
        assert call("habitus_record", *words) == (2, "", f"{REFUSAL}, or name one with --tenant\n"), words
    assert call("habitus_reader", "check")[0] == 2
    assert deployment.site.settings.keys.read_text() == before, "no key was added, and no rotation is called finished"


def test_the_owner_is_told_what_there_is(call: Call) -> None:
    status, out, _ = call("owner", "check", "--json")
    assert status == 1
    assert "private_lines" in column(out, "alarm")
    assert call("owner", "report", *SINCE, "--out", "-")[0] == 1
    assert call("owner", "rejections", "--csv")[1].count("PRIVATE_EMAIL") == 6
    assert 6 in column(call("owner", "rejections", "--stats", "--json")[1], "count")
    assert column(call("owner", "effect", "--json")[1], "dimension") == ["response_density"]
    assert call("owner", "migrate")[1].endswith("nothing to do\n")
    assert "7 lines of the log counted" in " ".join(call("owner", "upkeep")[1].split())
    assert call("owner", "partition")[0] == 0
    assert call("habitus_record", "check") == (2, "", f"{REFUSAL}, or name one with --tenant\n"), "partitioned as well"


def test_the_audit_of_the_owner_reads_every_row(deployment: Deployment, call: Call) -> None:
    """It is asked for what does stand in rows: a keyed id."""
    status, out, _ = call("owner", "audit", "--json", stdin=deployment.site.tenant("acme"))
    assert status == 1
    assert {f"table {name}" for name in ("session", "observation", "profile", "rejection")} <= set(
        json.loads(out)["places"]
    )


def test_for_one_tenant_or_one_person_the_account_of_a_worker_is_enough(call: Call) -> None:
    worker, acme = "habitus_record", ["--tenant", "acme"]
    assert "private_lines" in column(call(worker, "check", "--json", *acme)[1], "alarm")
    assert call(worker, "rejections", "--csv", *acme)[1].count("PRIVATE_EMAIL") == 6
    assert 6 in column(call(worker, "rejections", "--stats", "--json", *acme)[1], "count")
    assert column(call(worker, "effect", "--json", *acme)[1], "dimension") == ["response_density"]
    assert column(call(worker, "effect", "--json", "--user", "ada")[1], "dimension") == ["response_density"]
    assert "one tenant" in call(worker, "report", *SINCE, "--out", "-", *acme)[1]


def test_what_is_of_no_tenant_an_account_of_a_worker_sees_whole(deployment: Deployment, call: Call) -> None:
    kind = Dimension.TABLE_USAGE, PolicyWord.IGNORE, DecisionReason.VOTE
    decisions.note(deployment.site.database, {kind: 3}, today())
    assert call("habitus_record", "decisions", "--json") == call("owner", "decisions", "--json")
    assert json.loads(call("habitus_record", "decisions", "--json")[1])["decisions"] == 3


def test_a_key_is_added_without_the_owner_and_the_owner_re_keys_what_is_there(
    deployment: Deployment, call: Call
) -> None:
    keys = deployment.site.settings.keys
    assert call("habitus_record", "keys", "rotate", "--add-only") == (0, "", "key k2 is in the key file\n")
    assert call("habitus_record", "keys", "rotate")[0] == 2
    assert json.loads(keys.read_text()).get("settled", "k1") == "k1"
    assert "1 people" in call("owner", "keys", "rotate")[2]
    assert json.loads(keys.read_text())["settled"] == "k2"
    assert len(call("habitus_record", "profile", "show", "--user", "ada", "--json")[1].splitlines()) == 1
    assert call("habitus_record", "forget", "--user", "ada", "--json")[0] == 0
    with deployment.site.database.engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM session")) == 0


def test_re_keying_itself_proves_nothing_from_such_an_account(deployment: Deployment) -> None:
    add_id_key(deployment.site.settings.keys)
    database = database_of(deployment.settings("habitus_record"))
    with pytest.raises(UsageError, match="one tenant at a time"):
        rekey(database, PromotionRule())
    database.close()


def test_the_daily_upkeep_of_a_record_worker_says_what_it_left_to_the_owner(
    deployment: Deployment, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = Dimension.TABLE_USAGE, PolicyWord.IGNORE, DecisionReason.VOTE
    decisions.note(deployment.site.database, {kind: 1}, date(2001, 1, 1))
    assert upkeep(deployment.settings("habitus_record"))
    said = capsys.readouterr()
    assert "upkeep_left_to_owner" in said.out + said.err
    assert "upkeep_done" not in said.out + said.err
    assert decisions.totals(deployment.site.database) == [], "what is nobody's it does"
    assert upkeep(deployment.settings("owner"))
    said = capsys.readouterr()
    assert "upkeep_done" in said.out + said.err


def test_it_is_row_level_security_that_counts_and_not_the_name_of_the_account(deployment: Deployment) -> None:
    database, engine = database_of(deployment.settings("habitus_record")), deployment.site.database.engine
    assert not sees_whole(database)
    with engine.begin() as connection:
        tables = connection.scalars(text("SELECT relname FROM pg_class WHERE relrowsecurity")).all()
        for table in tables:
            connection.execute(text(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY"))
    require_whole(database)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE rejection_count ENABLE ROW LEVEL SECURITY"))
    assert not sees_whole(database), "one table is enough"
    database.close()


def test_the_account_of_serve_reads_every_tenants_log_and_writes_nobodys_without_a_name(deployment: Deployment) -> None:
    def rows(account: str, statement: str) -> int:
        engine = engine_of(deployment.settings(account).database)
        with engine.connect() as connection:
            done = connection.execute(text(statement))
            found = int(done.scalar() or 0) if done.returns_rows else done.rowcount
            connection.rollback()
        engine.dispose()
        return found

    for table in ("session", "observation", "profile", "rejection", "rejection_count"):
        counted = f"SELECT count(*) FROM {table}"
        assert rows("habitus_serve", counted) == rows("owner", counted)
        assert rows("habitus_record", counted) == 0
    for table in ("session", "observation", "profile", "rejection", "rejection_count"):
        assert rows("habitus_serve", f"DELETE FROM {table}") == 0
