"""GET /healthz: whether what the server needs answers."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel
from sqlalchemy import select

from habitus_schema.pairs import CLOSED
from habitus_worker.serve.access import HasServices

router = APIRouter()


class Health(BaseModel):
    """All is well; anything else is a problem document."""

    model_config = CLOSED

    status: Literal["ok"] = "ok"


@router.get("/healthz")
def healthz(services: HasServices) -> Health:
    """Redis and the database answer, or 503. Needs no token and tells nothing else."""
    services.ledger.counts()
    services.database.read(None, lambda connection: connection.execute(select(1)).all())
    return Health()
