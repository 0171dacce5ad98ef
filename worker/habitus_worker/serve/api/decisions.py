"""POST /v1/decisions: which of a person's habits apply to a query, and how much."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from habitus_classifier import Decision, Decisions, decide
from habitus_schema.ids import Kind
from habitus_schema.pairs import CLOSED, Pair
from habitus_schema.vocabulary import Dimension
from habitus_worker.serve.access import HasAccess, HasServices
from habitus_worker.serve.problems import Problem
from habitus_worker.serve.services import Services
from habitus_worker.serve.tokens import Access

router = APIRouter()
MAX_QUERY = 100_000
"""Characters of a query that are taken."""


class Question(BaseModel):
    """A query, of a person with a profile, or with preferences of the caller's."""

    model_config = CLOSED

    query: Annotated[str, Field(max_length=MAX_QUERY)]
    user: Annotated[str, Field(min_length=1, max_length=1024)] | None = None
    preferences: Annotated[list[Pair], Field(max_length=200)] | None = None


class Decided(BaseModel):
    """The decision on one pair."""

    model_config = CLOSED

    dimension: Dimension
    value: str
    policy: str
    reason: str
    rankings: dict[str, str]
    scores: dict[str, int]


class Answer(BaseModel):
    """The decisions, and the lines for the prompt: the catalog's words, never the query's."""

    model_config = CLOSED

    decisions: list[Decided]
    prompt: str


@router.post("/v1/decisions")
def decide_query(question: Question, services: HasServices, access: HasAccess) -> Answer:
    """Decide for each pair: ignore it, let it support, or let it drive the answer. The query is not kept."""
    if (question.user is None) == (question.preferences is None):
        raise Problem(422, "give either a user, whose profile is read, or preferences")
    if question.user is None:
        return _answer(decide(question.query, question.preferences or []))
    decisions = decide(question.query, _profile(services, access, question.user))
    services.decision_log.note(decisions)
    return _answer(decisions)


def _profile(services: Services, access: Access, user: str) -> tuple[Pair, ...]:
    keys = services.keys.ids
    tenant, subject = keys.keyed(Kind.TENANT, access.tenant), keys.keyed(Kind.SUBJECT, access.tenant, user)
    # While keys are rotated, the profile lies under the older or the newer id: the reader asks for both.
    ids = reversed(list(zip(keys.forms(tenant), keys.forms(subject), strict=True)))
    return next(filter(None, (services.reader.pairs(*each) for each in ids)), ())


def _answer(decisions: Decisions) -> Answer:
    return Answer(decisions=[_decided(each) for each in decisions.items], prompt=decisions.prompt)


def _decided(each: Decision) -> Decided:
    return Decided(
        dimension=each.pair.dimension,
        value=each.pair.value,
        policy=str(each.policy),
        reason=each.reason.value,
        rankings={str(name): str(ranking) for name, ranking in dict(each.rankings).items()},
        scores={str(policy): score for policy, score in dict(each.scores).items()},
    )
