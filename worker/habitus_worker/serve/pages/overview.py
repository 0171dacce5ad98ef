"""The overview: what went in, what was turned down, where and since when."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from sqlalchemy import Connection, func, select

from habitus_schema.codes import Code, Stage, stage_of
from habitus_schema.tables import Session, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.log_figures import DEFERRED, NO_REFUSAL, Summary
from habitus_tasks.log_reading import Wanted
from habitus_worker.days import today
from habitus_worker.serve.access import HasServices
from habitus_worker.serve.pages import charts, filters
from habitus_worker.serve.pages.entry import HasSigned
from habitus_worker.serve.pages.render import page, tenants_to_choose
from habitus_worker.serve.services import Services
from habitus_worker.serve.tokens import Access

router = APIRouter(include_in_schema=False)
Link = Callable[..., str]
RANGES = (7, 30, 90)
"""Days that the overview can show."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure with its name and, where it has one, the page that shows more."""

    name: str
    value: str
    note: str = ""
    href: str = ""
    bad: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the heat map."""

    count: int
    shade: int
    href: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Dimension by code, the most frequent first."""

    codes: tuple[Code, ...]
    rows: tuple[tuple[Dimension, tuple[Cell, ...]], ...]


@router.get("/")
def overview(request: Request, services: HasServices, signed: HasSigned) -> HTMLResponse:
    """The figures of the last 7, 30 or 90 days: the tenant's, for an operator everybody's."""
    asked = request.query_params.get("days", "")
    length = next((each for each in RANGES if str(each) == asked), 30)
    last = today()
    since = last - timedelta(days=length - 1)
    chosen = filters.tenant_in(request.query_params)
    tenant = services.shown(signed.access, chosen)
    narrowed = chosen if signed.access.is_operator and tenant else None
    found = services.figures.summary(tenant, since, last)
    days, log = [since + timedelta(days=each) for each in range(length)], to_log(narrowed)
    return page(
        request, services, signed, "overview.html",
        length=length, ranges=RANGES, tiles=tiles(services, signed.access, tenant, found, log, since, last),
        chart=charts.stacked(days, by_stage(found)), stages=tuple(Stage), table=by_day(found),
        heat=heat_map(found, log, since), since=since, log=log,
        chosen=narrowed, tenants=tenants_to_choose(services, signed),
    )  # fmt: skip


def to_log(tenant: str | None) -> Link:
    """What makes addresses of the log, of this tenant's lines."""
    return lambda **wanted: filters.link(filters.Chosen(Wanted(**wanted), tenant=tenant))


def tiles(
    services: Services, access: Access, tenant: str | None, found: Summary, log: Link, since: date, last: date
) -> list[Tile]:
    """The figures at the top."""
    lines = Counter[str]()
    for (_, code), count in found.days.items():
        lines["deferred" if code in DEFERRED else "counted" if code in NO_REFUSAL else "rejected"] += count
    letters = len(services.dead_letters(access, tenant))
    shown, deferred = log(since=since), log(since=since, code=Code.BELOW_RECURRENCE)
    common = [
        Tile("Deferred", f"{lines['deferred']:,}", "lines; they count on", deferred),
        Tile("Rejected", f"{lines['rejected']:,}", "lines", shown),
        Tile("Dead letters", f"{letters:,}", "waiting for a decision", "/dead-letters", bad=letters > 0),
    ]
    if tenant is None:
        return [*_fleet(services), *common]
    return [Tile("Sessions recorded", f"{services.cached(_recorded, tenant, since, last):,}", "in these days"), *common]


def _fleet(services: Services) -> list[Tile]:
    counts, waiting = services.ledger.counts(), services.queue.waiting()
    identity = "submitted = recorded + duplicate + dead-lettered + in flight"
    return [
        Tile("Sessions in", f"{counts.submitted:,}", "since the start"),
        Tile("Recorded", f"{counts.recorded:,}", f"and {counts.duplicate:,} duplicate"),
        Tile("In flight", f"{counts.in_flight:,}", f"the oldest for {age(waiting.oldest)}" if counts.in_flight else ""),
        Tile("Dead-lettered", f"{counts.dead:,}", "since the start"),
        Tile("Identity", "holds" if counts.holds else "DOES NOT HOLD", identity, bad=not counts.holds),
    ]


def age(seconds: float) -> str:
    """A duration in words, to its largest unit."""
    for name, size in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {name}"
    return f"{int(seconds)} s"


def _recorded(services: Services, tenant: str | None, since: date, last: date) -> int:
    ended = table(Session).c
    whose = services.database.tenant(tenant) if tenant else None
    wanted = select(func.count()).select_from(table(Session)).where(ended.day.between(since, last))
    if whose is not None:
        wanted = wanted.where(ended.tenant.in_(whose.tenants))

    def work(connection: Connection) -> int:
        return connection.scalar(wanted) or 0

    return services.database.read(whose, work)


def by_stage(found: Summary) -> dict[str, dict[date, int]]:
    """For each stage its count by day."""
    series: dict[str, dict[date, int]] = {stage.value: defaultdict(int) for stage in Stage}
    for (day, code), count in found.days.items():
        series[stage_of(code).value][day] += count
    return series


def by_day(found: Summary) -> list[tuple[date, list[int], int]]:
    """The same as a table: day, count of each stage, sum; days with lines only, the latest first."""
    rows: dict[date, Counter[Stage]] = defaultdict(Counter)
    for (day, code), count in found.days.items():
        rows[day][stage_of(code)] += count
    return [(day, [rows[day][stage] for stage in Stage], rows[day].total()) for day in sorted(rows, reverse=True)]


def heat_map(found: Summary, log: Link, since: date) -> HeatMap:
    """Dimension by code: each cell leads to its lines."""
    codes, dimensions = Counter[Code](), Counter[Dimension]()
    for (dimension, code), count in found.places.items():
        codes[code] += count
        dimensions[dimension] += count
    highest = max(found.places.values(), default=1)
    columns = tuple(code for code, _ in codes.most_common())

    def cell(dimension: Dimension, code: Code) -> Cell:
        count = found.places.get((dimension, code), 0)
        return Cell(count, charts.shade(count, highest), log(code=code, dimension=dimension, since=since))

    return HeatMap(
        columns,
        tuple((each, tuple(cell(each, code) for code in columns)) for each, _ in dimensions.most_common()),
    )
