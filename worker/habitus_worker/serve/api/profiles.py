"""GET and DELETE /v1/profiles/{user}: what habitus knows of a person, and its end."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel
from starlette.convertors import Convertor, register_url_convertor

from habitus_schema.models import Status
from habitus_schema.pairs import CLOSED
from habitus_schema.vocabulary import Dimension
from habitus_tasks import profile
from habitus_tasks.forget import forget
from habitus_worker.days import today
from habitus_worker.serve.access import HasAccess, HasServices
from habitus_worker.serve.names import check_path


class _Whole(Convertor[str]):
    """All the rest of a path. Starlette's own `path` ends at a line break, and would take 'a\\n' for 'a'."""

    regex = "(?s:.*)"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("whole", _Whole())
router = APIRouter()
User = Annotated[str, Path(min_length=1, max_length=1024, description="The person, as the tenant names them.")]


class Described(BaseModel):
    """A pair of the catalog with its meaning."""

    model_config = CLOSED

    dimension: Dimension
    value: str
    meaning: str


class Held(Described):
    """A pair of a profile."""

    status: Status
    pinned: bool
    contexts: int
    first_day: date
    last_day: date


class PersonProfile(BaseModel):
    """A person's profile: pairs, counts and days."""

    model_config = CLOSED

    catalog_version: int
    preferences: list[Held]
    blocked: list[Described]


class Forgotten(BaseModel):
    """How many rows were deleted, how many were read afterwards, and how many of these were theirs: none."""

    model_config = CLOSED

    deleted: int
    scanned: int
    left: int


@router.get("/v1/profiles/{user:whole}", dependencies=[Depends(check_path)])
def read_profile(user: User, services: HasServices, access: HasAccess) -> PersonProfile:
    """A person's profile. Empty for somebody of whom nothing is known."""
    return PersonProfile.model_validate(profile.export(services.database, *services.person_of(access, user)))


@router.delete("/v1/profiles/{user:whole}", dependencies=[Depends(check_path)])
def forget_person(user: User, services: HasServices, access: HasAccess) -> Forgotten:
    """Delete everything about a person, and prove it. Sessions that end later count afresh."""
    proof = forget(services.database, *services.person_of(access, user), today())
    return Forgotten(deleted=proof.deleted, scanned=proof.scanned, left=proof.left)
