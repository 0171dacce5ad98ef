"""Who may ask: a bearer token for programs (RFC 6750), checked against the token file on every request."""

from typing import Annotated

from fastapi import Depends, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from habitus_worker.serve.problems import Problem
from habitus_worker.serve.services import Services, services_of
from habitus_worker.serve.tokens import Access

_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="habitus"'}
_bearer = HTTPBearer(auto_error=False, scheme_name="token", description="A token of `habitus tokens add`.")

HasServices = Annotated[Services, Depends(services_of)]


def tenant_access(
    services: HasServices, given: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]
) -> Access:
    """The holder of the request's bearer token.

    Raises:
        Problem: 401 without a token that is in force.
    """
    access = services.tokens.access(given.credentials, services.keys.ids.first) if given else None
    if access is None:
        raise Problem(401, "a bearer token is needed: `habitus tokens add` makes one", headers=_CHALLENGE)
    return access


HasAccess = Annotated[Access, Depends(tenant_access)]


def operator_access(access: HasAccess) -> Access:
    """The same, for an operator's token alone.

    Raises:
        Problem: 401 without a token, 403 with a tenant's.
    """
    if not access.is_operator:
        raise Problem(403, "an operator's token is needed: `habitus tokens add TENANT --operator` makes one")
    return access


HasOperator = Annotated[Access, Depends(operator_access)]
