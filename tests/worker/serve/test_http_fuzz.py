"""The HTTP interface, fuzzed from its own OpenAPI document: no failure inside, no undocumented answer, no echo."""

import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient
from web_site import Site

EXAMPLES = 6
"""Of each operation."""
CANARY = "zq7-renata-oliveira-zq7"
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
PROGRAMS = ("/v1/sessions", "/v1/decisions", "/v1/profiles/x")


def test_no_request_that_the_document_leads_to_breaks_it(site: Site) -> None:
    schema = schemathesis.openapi.from_asgi("/openapi.json", site.app)
    client = site.client(site.acme)
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()

        @given(case=operation.as_strategy())
        @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), database=None)
        def one(case: Case) -> None:
            nonlocal tried
            tried += 1
            case.call_and_validate(session=client, checks=CHECKS)

        one()
    assert tried >= 4 * EXAMPLES


@given(
    path=st.sampled_from(PROGRAMS),
    method=st.sampled_from(["GET", "POST", "DELETE", "PUT", "PATCH"]),
    body=st.one_of(
        st.binary(max_size=200), st.text(max_size=200).map(lambda text: (CANARY + text).encode("utf-8", "replace"))
    ),
    kind=st.sampled_from(["application/json", "text/plain", "application/zstd", CANARY]),
)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_whatever_bytes_come_the_answer_is_closed(site: Site, path: str, method: str, body: bytes, kind: str) -> None:
    client: TestClient = site.client(site.globex)
    answer = client.request(method, path, content=body, headers={"Content-Type": kind, "Habitus-Context": CANARY})
    assert answer.status_code < 500
    assert CANARY not in answer.text + str(answer.headers)
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/problem+json"
