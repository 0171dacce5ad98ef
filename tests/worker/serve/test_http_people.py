"""Profiles and decisions over HTTP: a tenant's own people, and nothing of what was sent in an error."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient
from web_site import PLAIN, SHORT, Site, fill

from habitus_schema.codes import Code
from habitus_schema.models import Observed, Rejection, Signal
from habitus_worker.days import today
from habitus_worker.ledger import Ledger

CANARY = "renata.oliveira@leak.example"


def test_a_profile_is_shown_in_the_catalogs_words(site: Site) -> None:
    answer = site.client(site.acme).get("/v1/profiles/ada").json()
    held = {f"{each['dimension']}={each['value']}": each for each in answer["preferences"]}
    assert set(held) == {str(SHORT), str(PLAIN)}
    assert held[str(SHORT)]["contexts"] == 4
    assert held[str(SHORT)]["meaning"]


def test_a_tenants_token_reaches_its_own_people_only(site: Site) -> None:
    assert site.client(site.globex).get("/v1/profiles/ada").json()["preferences"] == []


@pytest.mark.parametrize("user", ["a/b", "ä ö", "..", "x" * 1000, "a\nb", "ada\n", "\u2028"])
def test_a_person_may_be_named_by_any_text(fresh: Site, user: str) -> None:
    for number in range(2):
        fresh.record("acme", user, f"s{number}", today(), Observed(pair=SHORT, signal=Signal.STANDING))
    answer = fresh.client(fresh.acme).get(f"/v1/profiles/{quote(user, safe='').replace('.', '%2E')}")
    assert len(answer.json()["preferences"]) == 1, answer.text


@pytest.mark.parametrize("method", ["GET", "DELETE"])
@pytest.mark.parametrize("name", ["%ff", "%fe", "a%C3"])
def test_a_name_that_cannot_be_decoded_is_nobodys(site: Site, method: str, name: str) -> None:
    answer = site.client(site.acme).request(method, f"/v1/profiles/{name}")
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")


def test_a_line_break_at_the_end_of_a_name_makes_another_person(site: Site) -> None:
    assert site.client(site.acme).get("/v1/profiles/ada%0A").json()["preferences"] == []


def test_a_person_is_forgotten_and_it_is_proved(fresh: Site) -> None:
    fill(fresh)
    client = fresh.client(fresh.acme)
    proof = client.delete("/v1/profiles/ada").json()
    assert proof["deleted"] > 10
    assert proof["left"] == 0
    assert client.get("/v1/profiles/ada").json()["preferences"] == []
    fresh.record("acme", "ada", "old", today(), lines=(Rejection(code=Code.ONE_OFF),))
    assert client.get("/v1/profiles/ada").json()["preferences"] == []


def test_another_tenant_cannot_have_somebody_forgotten(fresh: Site) -> None:
    fill(fresh)
    assert fresh.client(fresh.globex).delete("/v1/profiles/ada").json()["deleted"] == 0
    assert len(fresh.client(fresh.acme).get("/v1/profiles/ada").json()["preferences"]) == 2


def test_a_query_is_decided_with_a_stored_profile(site: Site) -> None:
    answer = site.client(site.acme).post("/v1/decisions", json={"user": "ada", "query": "why is my loop slow?"}).json()
    assert {each["dimension"] for each in answer["decisions"]} == {SHORT.dimension, PLAIN.dimension}
    assert all(each["policy"] in ("ignore", "support", "drive") for each in answer["decisions"])
    other = site.client(site.globex).post("/v1/decisions", json={"user": "ada", "query": "why is my loop slow?"}).json()
    assert other == {"decisions": [], "prompt": ""}


def test_a_query_is_decided_with_preferences_of_the_callers(site: Site) -> None:
    asked = {"query": "why is my loop slow?", "preferences": [SHORT.model_dump(mode="json")]}
    (decided,) = site.client(site.acme).post("/v1/decisions", json=asked).json()["decisions"]
    assert set(decided["rankings"]) == {"mle", "cpe_recall", "cpe_intent"}
    assert set(decided["scores"]) == {"ignore", "support", "drive"}


HOSTILE: list[Any] = [
    {"query": "q"},
    {"query": "q", "user": "ada", "preferences": []},
    {"query": CANARY, "user": 3},
    {"query": [CANARY]},
    {CANARY: CANARY},
    {"query": "q", "preferences": [{"dimension": CANARY, "value": CANARY}]},
    {"query": "q", "preferences": [{"dimension": "emoji_usage", "value": CANARY}]},
    {"query": "q", "preferences": [{"dimension": "emoji_usage", "value": "none", CANARY: 1}]},
    {"query": "q", "user": "", CANARY: [CANARY]},
    [CANARY],
    CANARY,
    None,
]


@pytest.mark.parametrize("body", HOSTILE, ids=str)
def test_what_is_not_of_the_documented_form_is_refused_without_a_word_of_it(site: Site, body: Any) -> None:
    answer = site.client(site.acme).post("/v1/decisions", json=body)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert CANARY not in answer.text + str(answer.headers)


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", f"/v1/{CANARY}"), ("PUT", f"/v1/profiles/{CANARY}"), ("POST", f"/v1/profiles/{CANARY}"),
     ("GET", f"/{CANARY}?{CANARY}"), ("GET", f"/v1/profiles/{'x' * 2000}{CANARY}"), ("GET", f"/static/{CANARY}"),
     ("POST", f"/v1/sessions?{CANARY}={CANARY}")],
)  # fmt: skip
def test_no_error_says_what_was_asked_for(site: Site, method: str, path: str) -> None:
    headers = {"Habitus-Format": CANARY, "Habitus-User": CANARY, "X-Canary": CANARY}
    answer = site.client(site.acme).request(method, path, content=CANARY if method != "GET" else None, headers=headers)
    assert answer.status_code in (404, 405, 422)
    assert CANARY not in answer.text + str(answer.headers)


def test_a_failure_inside_is_told_without_its_words(fresh: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError(CANARY)

    monkeypatch.setattr("habitus_worker.serve.api.profiles.profile.export", fail)
    answer = fresh.client(fresh.acme).get("/v1/profiles/ada")
    assert answer.status_code == 500
    assert CANARY not in answer.text


def test_healthz_needs_no_token_and_tells_nothing_else(site: Site, fresh: Site) -> None:
    assert site.client().get("/healthz").json() == {"status": "ok"}
    fresh.services.ledger = Ledger("redis://127.0.0.1:1/0", 60)
    assert fresh.client().get("/healthz").status_code == 503


def test_the_openapi_document_names_every_path_of_the_contract(site: Site) -> None:
    document = site.client().get("/openapi.json").json()
    assert set(document["paths"]) == {
        "/v1/sessions", "/v1/profiles/{user}", "/v1/decisions", "/healthz", "/metrics",
    }  # fmt: skip
    assert set(document["paths"]["/v1/profiles/{user}"]) == {"get", "delete"}
    assert "pages" not in json.dumps(document)


def test_only_an_operator_reads_the_metrics(site: Site) -> None:
    assert site.client().get("/metrics").status_code == 401
    assert site.client(site.acme).get("/metrics").status_code == 403
    text = site.client(site.operator).get("/metrics").text
    assert 'habitus_sessions_total{outcome="submitted"} 2.0' in text
    assert "habitus_identity_holds 1.0" in text


def test_a_host_name_that_is_not_its_own_is_refused(site: Site) -> None:
    client = TestClient(site.app, "http://attacker.example", raise_server_exceptions=False)
    assert client.get("/healthz").status_code == 400
