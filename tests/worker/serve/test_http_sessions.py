"""POST /v1/sessions: nothing is lost, nothing counts twice, and the token says whose it is."""

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import pytest
import zstandard
from pydantic import SecretStr
from starlette.testclient import TestClient
from web_site import Site

from habitus_worker.ledger import connect, payload_key
from habitus_worker.seal import unseal
from habitus_worker.serve.api import sessions

SESSION: dict[str, Any] = {
    "session_id": "s1",
    "user_id": "ada",
    "tenant_id": "somebody-else",
    "messages": [{"role": "user", "content": "from now on always be brief"}],
}


@pytest.fixture
def client(fresh: Site) -> TestClient:
    return fresh.client(fresh.acme)


def tickets(answer: Any) -> list[str | None]:
    assert answer.status_code == 202, answer.text
    return [each["ticket"] for each in answer.json()["receipts"]]


def test_a_session_goes_in_as_it_does_from_the_command_line(fresh: Site, client: TestClient) -> None:
    headers = {"Habitus-User": "b%C3%A9a", "Habitus-Context": "billing"}
    (ticket,) = tickets(client.post("/v1/sessions", json=SESSION, headers=headers))
    blob = fresh.ledger.payload(str(ticket))
    assert blob is not None
    submission = unseal(blob, fresh.keys.seal)
    assert (submission.caller.user, submission.caller.tenant) == ("béa", "acme")
    assert submission.caller.context == "billing"
    assert submission.transcript.turns[0].text == "from now on always be brief"
    assert fresh.ledger.owner(str(ticket)) == fresh.tenant("acme")
    assert connect(fresh.settings.redis).llen("habitus.content") == 1


def test_the_same_session_again_gets_the_same_receipt_and_is_one_submission(fresh: Site, client: TestClient) -> None:
    answers = [client.post("/v1/sessions", json=SESSION) for _ in range(3)]
    assert len({str(tickets(each)) for each in answers}) == 1
    assert [each.json()["receipts"][0]["repeated"] for each in answers] == [False, True, True]
    assert fresh.ledger.counts().submitted == 1


def test_a_session_without_an_id_is_told_by_its_messages(fresh: Site, client: TestClient) -> None:
    words = "please write the whole thing as one short bash block and leave every comment out of it from now on"
    nameless = {"user_id": "ada", "messages": [{"role": "user", "content": words}]}
    assert len({str(tickets(client.post("/v1/sessions", json=nameless))) for _ in range(2)}) == 1


def test_a_resumed_session_is_submitted_anew_for_the_record_zone_to_count_what_is_new(
    fresh: Site, client: TestClient
) -> None:
    longer = SESSION | {"messages": [*SESSION["messages"], {"role": "user", "content": "and use tables"}]}
    assert tickets(client.post("/v1/sessions", json=SESSION)) != tickets(client.post("/v1/sessions", json=longer))
    assert fresh.ledger.counts().submitted == 2


@pytest.mark.parametrize("change", [{"user_id": "bert"}, {"session_id": "s2"}])
def test_another_persons_or_another_session_is_another_submission(
    fresh: Site, client: TestClient, change: dict[str, str]
) -> None:
    assert tickets(client.post("/v1/sessions", json=SESSION)) != tickets(
        client.post("/v1/sessions", json=SESSION | change)
    )


def test_the_same_session_of_two_tenants_is_two(fresh: Site, client: TestClient) -> None:
    first = tickets(client.post("/v1/sessions", json=SESSION))
    assert first != tickets(fresh.client(fresh.globex).post("/v1/sessions", json=SESSION))
    assert fresh.ledger.counts().submitted == 2


def test_a_submitter_that_died_before_its_receipt_loses_nothing(fresh: Site, client: TestClient) -> None:
    tickets(client.post("/v1/sessions", json=SESSION))
    redis = connect(fresh.settings.redis)
    for key in redis.scan_iter("habitus:receipt:*"):
        redis.delete(key)
    tickets(client.post("/v1/sessions", json=SESSION))
    counts = fresh.ledger.counts()
    assert (counts.submitted, counts.in_flight, counts.holds) == (2, 2, True)


def test_many_sessions_get_a_receipt_each_and_a_broken_one_its_code(client: TestClient) -> None:
    lines = [json.dumps(SESSION), "{broken", json.dumps(SESSION | {"session_id": "s2"})]
    answer = client.post("/v1/sessions", content="\n".join(lines))
    first, second, third = answer.json()["receipts"]
    assert first["ticket"]
    assert third["ticket"]
    assert (second["ticket"], second["code"]) == (None, "MALFORMED_TRANSCRIPT")


@pytest.mark.parametrize(
    ("body", "code"),
    [(b"", "MALFORMED_TRANSCRIPT"), (b"{", "MALFORMED_TRANSCRIPT"), (b'{"x": 1}', "UNSUPPORTED_FORMAT")],
)
def test_what_is_no_session_is_refused_with_its_code(fresh: Site, client: TestClient, body: bytes, code: str) -> None:
    answer = client.post("/v1/sessions", content=body)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == code
    assert fresh.ledger.counts().submitted == 0


@pytest.mark.parametrize("header", ["Habitus-User", "Habitus-Context"])
@pytest.mark.parametrize("name", ["%ff", "%fe", "a%C3", "%ED%A0%80"])
def test_a_name_that_cannot_be_decoded_is_nobodys(fresh: Site, client: TestClient, header: str, name: str) -> None:
    answer = client.post("/v1/sessions", json=SESSION, headers={header: name})
    assert (answer.status_code, answer.json()["detail"]) == (
        422, "a name is not percent-encoded UTF-8: encode it anew",
    )  # fmt: skip
    assert fresh.ledger.counts().submitted == 0


def test_a_format_is_named_by_the_header_and_by_no_flag(client: TestClient) -> None:
    answer = client.post("/v1/sessions", content=b'{"x": 1}')
    assert answer.json()["advice"] == "name it with the header Habitus-Format"


def test_of_too_many_sessions_the_rest_gets_one_receipt_that_says_what_to_do(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MAX_SESSIONS", 2)
    rows = [json.dumps(SESSION | {"session_id": f"s{number}"}) for number in range(5)]
    first, second, rest = client.post("/v1/sessions", content="\n".join(rows)).json()["receipts"]
    assert first["ticket"]
    assert second["ticket"]
    assert (rest["ticket"], rest["code"]) == (None, "TOO_LARGE")
    assert rest["advice"] == "over 2 sessions: send the rest in another body"


def test_a_body_that_met_the_full_backlog_half_way_may_be_sent_again_as_a_whole(
    fresh: Site, client: TestClient
) -> None:
    body = "\n".join(json.dumps(SESSION | {"session_id": f"s{number}"}) for number in range(3))
    fresh.services.submitter._ledger._rules = dataclasses.replace(fresh.services.submitter._ledger.rules, backlog=2)
    assert client.post("/v1/sessions", content=body).status_code == 429
    fresh.services.submitter._ledger._rules = dataclasses.replace(fresh.services.submitter._ledger.rules, backlog=9)
    receipts = client.post("/v1/sessions", content=body).json()["receipts"]
    assert [each["repeated"] for each in receipts] == [True, True, False]
    assert fresh.ledger.counts().submitted == 3


def test_a_session_of_nobody_is_refused(fresh: Site, client: TestClient) -> None:
    answer = client.post("/v1/sessions", json={key: value for key, value in SESSION.items() if key != "user_id"})
    assert answer.status_code == 422
    assert "Habitus-User" in answer.json()["detail"]
    assert fresh.ledger.counts().submitted == 0


def _limit(site: Site, **changes: int) -> None:
    site.services.settings = site.services.settings.model_copy(update=changes)


@pytest.mark.parametrize("announced", [True, False])
def test_a_body_over_the_limit_is_refused_as_soon_as_it_is_over(
    fresh: Site, client: TestClient, announced: bool
) -> None:
    _limit(fresh, max_session_bytes=2048)
    sent = 0

    def parts() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(100):
            sent += 1024
            yield b" " * 1024

    answer = client.post("/v1/sessions", content=b" " * 4096 if announced else parts())
    assert answer.status_code == 413
    assert answer.json()["code"] == "TOO_LARGE"


def test_over_the_backlog_a_client_is_told_when_to_come_back(fresh: Site, client: TestClient) -> None:
    _limit(fresh, max_backlog=2)
    for number in range(2):
        tickets(client.post("/v1/sessions", json=SESSION | {"session_id": f"s{number}"}))
    answer = client.post("/v1/sessions", json=SESSION | {"session_id": "s3"})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert fresh.ledger.counts().submitted == 2


def test_a_compressed_body_may_not_unpack_past_the_limit(fresh: Site, client: TestClient) -> None:
    _limit(fresh, max_session_bytes=4096)
    bomb = zstandard.ZstdCompressor().compress(json.dumps(SESSION | {"session_id": "x" * 200_000}).encode())
    assert len(bomb) < 4096
    answer = client.post("/v1/sessions", content=bomb)
    assert (answer.status_code, answer.json()["code"]) == (422, "TOO_LARGE")


def test_the_tenants_name_in_the_envelope_counts_for_nothing(fresh: Site, client: TestClient) -> None:
    (ticket,) = tickets(client.post("/v1/sessions", json=SESSION))
    assert fresh.ledger.owner(str(ticket)) == fresh.tenant("acme")
    blob = fresh.ledger.payload(str(ticket))
    assert blob is not None
    assert unseal(blob, fresh.keys.seal).caller.tenant == "acme"
    assert connect(fresh.settings.redis).exists(payload_key(str(ticket)))


@pytest.mark.parametrize("token", [None, "", "hbt.YWNtZQ.wrong", "Basic x"])
def test_without_a_token_in_force_nothing_is_taken(fresh: Site, token: str | None) -> None:
    answer = fresh.client(token).post("/v1/sessions", json=SESSION)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert fresh.ledger.counts().submitted == 0


def test_a_redis_that_is_down_is_said_and_tried_again_later(fresh: Site, client: TestClient) -> None:
    nowhere = SecretStr("redis://127.0.0.1:1/0")
    fresh.services.settings = fresh.services.settings.model_copy(update={"redis_url": nowhere})
    answer = client.post("/v1/sessions", json=SESSION)
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
