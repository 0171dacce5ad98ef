"""Does it help? Corrections a session before and after promotion; for an operator also what was decided for queries."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from habitus_schema.decisions import PolicyWord
from habitus_schema.vocabulary import Dimension
from habitus_tasks.decisions import Count, totals
from habitus_tasks.effect import Effect, of_fleet
from habitus_worker.days import today
from habitus_worker.serve.access import HasServices
from habitus_worker.serve.pages import filters
from habitus_worker.serve.pages.entry import HasSigned
from habitus_worker.serve.pages.render import page, tenants_to_choose
from habitus_worker.serve.services import Services

router = APIRouter(include_in_schema=False)
PEOPLE = 100
"""People in the page's sample, read in under 300 ms; `habitus effect` takes as many as you say."""
DECISION_DAYS = 30


@dataclass(frozen=True, slots=True)
class Part:
    """A policy's part of a bar, in percent."""

    policy: PolicyWord
    count: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Shares:
    """How the decisions on one dimension were shared out."""

    dimension: Dimension
    count: int
    parts: tuple[Part, ...]


@router.get("/effect")
def effect(request: Request, services: HasServices, signed: HasSigned) -> HTMLResponse:
    """The effect over a sample of the tenant's people; for an operator of everybody's, with the policies' shares."""
    operator = signed.access.is_operator
    chosen = filters.tenant_in(request.query_params)
    tenant = services.shown(signed.access, chosen)
    since = today() - timedelta(days=DECISION_DAYS - 1)
    return page(
        request, services, signed, "effect.html",
        effects=services.cached(_effects, tenant, seconds=600.0), people=PEOPLE, days=DECISION_DAYS,
        shares=shares(services.cached(_decisions, since)) if tenant is None else None,
        chosen=chosen if operator and tenant else None, tenants=tenants_to_choose(services, signed),
    )  # fmt: skip


def _effects(services: Services, tenant: str | None) -> tuple[Effect, ...]:
    return of_fleet(services.database, tenant, services.rule, people=PEOPLE)


def _decisions(services: Services, since: date) -> Sequence[Count]:
    return totals(services.database, since)


def shares(counts: Iterable[Count]) -> tuple[Shares, ...]:
    """For each dimension that was decided on, the shares of the policies, the most decided first."""
    found: dict[Dimension, Counter[PolicyWord]] = {}
    for each in counts:
        found.setdefault(each.dimension, Counter())[each.policy] += each.decisions
    most = sorted(found.items(), key=lambda item: (-item[1].total(), item[0]))
    return tuple(Shares(dimension, policies.total(), _parts(policies)) for dimension, policies in most)


def _parts(policies: Counter[PolicyWord]) -> tuple[Part, ...]:
    parts, start = [], 0.0
    for policy in PolicyWord:
        if count := policies[policy]:
            width = 100 * count / policies.total()
            parts.append(Part(policy, count, round(start, 2), round(width, 2)))
            start += width
    return tuple(parts)
