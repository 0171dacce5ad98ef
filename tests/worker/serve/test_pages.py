"""The pages: for whoever signed in, of their tenant alone, and never a byte of what was typed or asked."""

import re
from datetime import timedelta

import pytest
from starlette.testclient import TestClient
from web_site import HOST, Site, fill, proof_in

from habitus_schema.codes import MEANING, Code
from habitus_schema.models import Rejection
from habitus_worker.days import today
from habitus_worker.ledger import connect, payload_key
from habitus_worker.serve.pages.cookies import NONCE, SESSION
from habitus_worker.serve.tokens import revoke_tokens

PAGES = ("/", "/log", "/dead-letters", "/people", "/effect", "/codes")
CANARY = "renata.oliveira@leak.example"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_for_a_token_first_and_shows_nothing(site: Site, path: str) -> None:
    answer = site.client().get(path)
    assert answer.status_code == 401
    assert "Your tenant's token" in answer.text.replace("&#39;", "'")
    assert "ONE_OFF" not in answer.text


@pytest.mark.parametrize("path", [*PAGES, "/sign-in", "/static/style.css", "/healthz", "/nowhere", "/v1/profiles/x"])
def test_every_answer_has_the_headers_that_keep_it_safe(site: Site, path: str) -> None:
    headers = site.browser(site.acme).get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert headers["x-frame-options"] == "DENY"


def test_no_page_has_a_script_or_an_inline_style_which_the_policy_would_stop(site: Site) -> None:
    browser = site.browser(site.operator)
    for path in PAGES:
        text = browser.get(path).text
        assert not re.search(r"<script|\sstyle=|javascript:|\son[a-z]+=", text, re.I), path


def test_the_cookie_is_kept_from_scripts_and_other_sites_and_says_nothing(site: Site) -> None:
    client = site.client()
    answer = client.post(
        "/sign-in", data={"token": site.acme, "proof": proof_in(client.get("/sign-in").text)}, follow_redirects=False
    )
    (cookie,) = (each for each in answer.headers.get_list("set-cookie") if each.startswith(SESSION))
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert site.acme not in cookie
    secure = TestClient(site.app, f"https://{HOST}")
    assert "Secure" in secure.get("/sign-in").headers["set-cookie"]
    assert secure.get("/sign-in").headers["strict-transport-security"]


def test_a_wrong_token_is_refused_and_not_shown_again(site: Site) -> None:
    client = site.client()
    proof = proof_in(client.get("/sign-in").text)
    answer = client.post("/sign-in", data={"token": CANARY, "proof": proof})
    assert answer.status_code == 401
    assert CANARY not in answer.text
    assert "not in force" in answer.text


def test_a_revoked_token_ends_the_session_at_once(fresh: Site) -> None:
    browser = fresh.browser(fresh.globex)
    assert browser.get("/log").status_code == 200
    revoke_tokens(fresh.settings.tokens, "globex", None, fresh.keys.ids.first)
    assert browser.get("/log").status_code == 401


def test_signing_out_ends_the_session_in_this_browser(site: Site) -> None:
    browser = site.browser(site.acme)
    browser.post("/sign-out", data={"proof": proof_in(browser.get("/").text)})
    assert browser.get("/").status_code == 401


@pytest.mark.parametrize("path", ["/sign-out", "/people", "/dead-letters"])
@pytest.mark.parametrize("proof", ["", "0" * 32, CANARY])
def test_no_action_is_done_for_a_form_that_is_not_ours(site: Site, path: str, proof: str) -> None:
    browser = site.browser(site.acme)
    ticket = site.services.dead_letters(_access(site))[0].ticket
    answer = browser.post(path, data={"proof": proof, "user": "ada", "ticket": ticket, "action": "drop"})
    assert answer.status_code == 403
    assert CANARY not in answer.text
    assert browser.get("/").status_code == 200
    assert ticket in {each.ticket for each in site.ledger.dead_letters()}


def _access(site: Site):  # type: ignore[no-untyped-def]
    access = site.services.tokens.access(site.acme, site.keys.ids.first)
    assert access
    return access


def test_the_proof_of_another_session_or_browser_is_no_proof(site: Site) -> None:
    ours, theirs = site.browser(site.acme), site.browser(site.globex)
    proof = proof_in(theirs.get("/people").text)
    assert ours.post("/people", data={"proof": proof, "user": "ada"}).status_code == 403
    ours.cookies.set(NONCE, theirs.cookies[NONCE])
    assert ours.post("/people", data={"proof": proof, "user": "ada"}).status_code == 403


def test_a_form_that_another_site_sends_is_refused_even_with_its_proof(site: Site) -> None:
    browser = site.browser(site.acme)
    form = {"proof": proof_in(browser.get("/people").text), "user": "ada"}
    assert browser.post("/people", data=form, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert browser.post("/people", data=form, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_the_overview_counts_what_was_deferred_and_refused(site: Site) -> None:
    text = site.browser(site.acme).get("/").text
    tiles = dict(re.findall(r"<dt>(?:<a[^>]*>)?([^<]+)(?:</a>)?</dt>\s*<dd>([^<]+)</dd>", text))
    # Both pairs fall short of two contexts once each; ten sessions of each person, 15 and 10 refusals.
    assert tiles == {"Sessions recorded": "20", "Deferred": "2", "Rejected": "25", "Dead letters": "1"}
    assert 'class="s-extract"' in text
    assert f"/log?code=ONE_OFF&amp;dimension=list_style&amp;since={today() - timedelta(days=29)}" in text


def test_an_operator_sees_the_identity_and_the_queue_and_a_tenant_does_not(site: Site) -> None:
    everything, own = (site.browser(token).get("/").text for token in (site.operator, site.acme))
    assert "Identity" in everything
    assert ">holds<" in everything
    assert "Identity" not in own
    assert "In flight" not in own


def test_a_form_with_a_name_that_cannot_be_decoded_is_none(site: Site) -> None:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = site.browser(site.acme).post("/people", content=b"proof=x&user=%ff", headers=kind)
    assert answer.status_code == 400


def test_a_tenant_sees_its_own_lines_and_dead_letters_only(site: Site) -> None:
    for token, mine, others in ((site.acme, "ONE_OFF", "ENTITY_COUPLED"), (site.globex, "ENTITY_COUPLED", "ONE_OFF")):
        browser = site.browser(token)
        rows = re.findall(r"/codes#([A-Z_]+)", browser.get("/log").text)
        assert mine in rows
        assert others not in rows
    assert "UNSEAL_FAILED" not in site.browser(site.globex).get("/dead-letters").text
    assert "PAYLOAD_EXPIRED" in site.browser(site.globex).get("/dead-letters").text
    both = site.browser(site.operator).get("/dead-letters").text
    assert "UNSEAL_FAILED" in both
    assert "PAYLOAD_EXPIRED" in both


def test_an_operator_narrows_a_page_to_a_tenant_by_its_keyed_id(site: Site) -> None:
    browser, globex = site.browser(site.operator), site.tenant("globex")
    for path in ("/", "/log", "/effect"):
        assert f'<option value="{globex}">' in browser.get(path).text
    log = browser.get(f"/log?tenant={globex}").text
    assert f'<option value="{globex}" selected>' in log
    assert "ENTITY_COUPLED</a>" in log
    assert "ONE_OFF</a>" not in log
    overview = browser.get(f"/?tenant={globex}").text
    assert f"/log?dimension=docstrings&amp;since={today() - timedelta(days=29)}&amp;tenant={globex}" in overview
    assert f"/?days=90&amp;tenant={globex}" in overview
    assert "list style" not in overview
    assert "Identity" not in overview, "that is the whole deployment's"
    assert re.search(r"Dead letters</a></dt>\s*<dd>1</dd>", overview)
    assert "Nothing is promoted yet" in browser.get(f"/effect?tenant={globex}").text


def test_a_tenant_is_offered_no_other_and_gets_none(site: Site) -> None:
    browser = site.browser(site.acme)
    globex = site.tenant("globex")
    for path in ("/", "/log", "/effect"):
        answer = browser.get(f"{path}?tenant={globex}").text
        assert globex not in answer
        assert answer.count("ENTITY_COUPLED</a>") == 0
        if path == "/log":
            assert "It was left out" in answer
            assert "ONE_OFF</a>" in answer


@pytest.mark.parametrize("tenant", ["k1-" + "0" * 32, "k9-" + "0" * 32, "acme", CANARY])
def test_a_tenant_that_has_no_lines_is_left_out_of_the_filter(site: Site, tenant: str) -> None:
    browser = site.browser(site.operator)
    log = browser.get("/log", params={"tenant": tenant})
    assert "It was left out" in log.text
    for path in ("/", "/effect"):
        answer = browser.get(path, params={"tenant": tenant})
        assert answer.status_code == 200
        assert f'"{tenant}"' not in answer.text + log.text


def test_a_dead_letter_is_sent_again_or_dropped(fresh: Site) -> None:
    first, second = (fresh.give_up("acme", Code.UNSEAL_FAILED, name) for name in "ab")
    browser = fresh.browser(fresh.acme)
    proof = proof_in(browser.get("/dead-letters").text)
    assert "Sent again" in browser.post("/dead-letters", data={"proof": proof, "ticket": first, "action": "retry"}).text
    assert "Dropped" in browser.post("/dead-letters", data={"proof": proof, "ticket": second, "action": "drop"}).text
    assert fresh.ledger.dead_letters() == []
    counts = fresh.ledger.counts()
    assert (counts.in_flight, counts.dead, counts.holds) == (1, 1, True)
    redis = connect(fresh.settings.redis)
    assert redis.exists(payload_key(first))
    assert not redis.exists(payload_key(second))


def test_a_dead_letter_of_another_tenant_is_as_if_it_were_not_there(fresh: Site) -> None:
    ticket = fresh.give_up("acme", Code.UNSEAL_FAILED)
    browser = fresh.browser(fresh.globex)
    proof = proof_in(browser.get("/dead-letters").text)
    answer = browser.post("/dead-letters", data={"proof": proof, "ticket": ticket, "action": "drop"})
    assert "Not there any more" in answer.text
    assert [letter.ticket for letter in fresh.ledger.dead_letters()] == [ticket]


@pytest.mark.parametrize("form", [{"ticket": CANARY, "action": "drop"}, {"ticket": "0" * 32, "action": CANARY}, {}])
def test_an_action_that_is_none_is_refused(site: Site, form: dict[str, str]) -> None:
    browser = site.browser(site.acme)
    answer = browser.post("/dead-letters", data={"proof": proof_in(browser.get("/dead-letters").text), **form})
    assert answer.status_code == 400
    assert CANARY not in answer.text


def test_a_person_is_looked_up_by_a_form_and_their_id_is_nowhere(site: Site) -> None:
    browser = site.browser(site.acme)
    answer = browser.post("/people", data={"proof": proof_in(browser.get("/people").text), "user": "ada"})
    assert "response_density=concise_direct" in answer.text
    assert "the most recent contexts all say it" in answer.text
    assert site.person("acme", "ada")[1][:12] in answer.text
    assert not re.search(r"\bada\b", answer.text + str(answer.headers) + str(answer.url))


def test_a_tenant_cannot_look_up_anothers_person(site: Site) -> None:
    browser = site.browser(site.globex)
    answer = browser.post("/people", data={"proof": proof_in(browser.get("/people").text), "user": "ada"})
    assert "No habit yet" in answer.text
    assert "Nothing was seen yet" in answer.text


FIELDS = (
    "code", "stage", "dimension", "detector", "since", "until", "before", "tenant", "days", "done", "then", CANARY,
)  # fmt: skip
HOSTILE = (
    CANARY,
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "\x00",
    "9" * 400,
    "2026-02-30",
    "../../etc/passwd",
    "%",
    "",
)


@pytest.mark.parametrize("field", FIELDS)
def test_a_hostile_value_in_an_address_changes_nothing_and_is_nowhere(site: Site, field: str) -> None:
    browser = site.browser(site.acme)
    for path in ("/", "/log", "/dead-letters", "/sign-in"):
        for value in HOSTILE:
            answer = browser.get(path, params={field: value})
            assert answer.status_code == 200, (path, field, value)
            found = answer.text + str(answer.headers)
            assert CANARY not in found
            assert "<script" not in found
            assert "OR 1=1" not in found
            assert "9" * 20 not in found


def test_a_hostile_value_in_a_form_is_nowhere(site: Site) -> None:
    browser = site.browser(site.acme)
    proof = proof_in(browser.get("/people").text)
    for value in HOSTILE:
        for path, name in (
            ("/people", "user"),
            ("/dead-letters", "ticket"),
            ("/sign-in", "token"),
            ("/sign-in", "then"),
        ):
            answer = browser.post(path, data={"proof": proof, name: value, CANARY: CANARY})
            assert answer.status_code in (200, 400, 401, 403)
            assert CANARY not in answer.text + str(answer.headers)
            assert "<script" not in answer.text


def test_a_form_that_is_too_long_or_no_form_is_refused(site: Site) -> None:
    browser = site.browser(site.acme)
    assert browser.post("/people", content=b"user=" + b"x" * 10_000).status_code == 413
    assert browser.post("/people", content=b"\xff\xfe").status_code == 400


def test_after_signing_in_one_is_where_one_wanted_to_go_and_never_elsewhere(site: Site) -> None:
    client = site.client()
    text = client.get("/log?code=ONE_OFF&since=2026-01-01").text
    then = re.search(r'name="then" value="([^"]*)"', text)
    assert then
    assert then[1].replace("&amp;", "&") == "/log?code=ONE_OFF&since=2026-01-01"
    for wanted, place in (
        (then[1].replace("&amp;", "&"), then[1].replace("&amp;", "&")),
        ("https://attacker.example/", "/"),
        ("//attacker.example/log", "/"),
        ("/log?code=" + CANARY, "/log"),
        ("/log?before=2026-01-01.7&x=1", "/log?before=2026-01-01.7"),
    ):
        client = site.client()
        form = {"token": site.acme, "then": wanted, "proof": proof_in(client.get("/sign-in").text)}
        assert client.post("/sign-in", data=form, follow_redirects=False).headers["location"] == place


def test_the_log_is_paged_from_the_newest_line_to_the_oldest_without_gap_or_repeat(fresh: Site) -> None:
    for number in range(26):
        lines = tuple(Rejection(code=code) for code in list(Code)[: 4 + number])
        fresh.record("acme", "ada", f"s{number}", today() - timedelta(days=number % 5), lines=lines)
    browser = fresh.browser(fresh.acme)
    path, seen = "/log", list[tuple[str, int]]()
    while path:
        text = browser.get(path).text
        found = re.findall(r'<tr id="line-(\d+)">.*?<td>(\d{4}-\d\d-\d\d)</td>', text)
        assert len(found) <= 100
        seen += [(day, int(line)) for line, day in found]
        older = re.search(r'href="([^"]*)" rel="next"', text)
        path = older[1].replace("&amp;", "&") if older else ""
    assert len(seen) == sum(4 + number for number in range(26))
    assert seen == sorted(seen, reverse=True)
    assert len(set(seen)) == len(seen)


def test_a_line_has_an_address_of_its_own_that_shows_it_first(site: Site) -> None:
    browser = site.browser(site.acme)
    own = re.findall(r'<a href="(/log\?before=[^"#]+)#(line-\d+)"', browser.get("/log").text)[7]
    first = re.search(r'<tr id="(line-\d+)">', browser.get(own[0]).text)
    assert first
    assert first[1] == own[1]


def test_an_empty_deployment_says_so_on_every_page(fresh: Site) -> None:
    browser = fresh.browser(fresh.operator)
    said = {path: browser.get(path).text for path in PAGES}
    for path, words in (
        ("/", "Nothing was turned down"), ("/log", "No line matches"), ("/dead-letters", "None. Every session"),
        ("/effect", "Nothing is promoted yet"), ("/effect", "No decision was counted"),
    ):  # fmt: skip
        assert words in said[path]


def test_every_code_is_explained(site: Site) -> None:
    text = site.browser(site.acme).get("/codes").text.replace("&#39;", "'")
    for code, (_, meaning, advice) in MEANING.items():
        assert f'id="{code}"' in text
        assert meaning in text
        assert advice in text


def test_an_address_that_is_not_there_is_a_page_for_people(site: Site) -> None:
    answer = site.browser(site.acme).get("/nowhere")
    assert answer.status_code == 404
    assert "<h1>Not found</h1>" in answer.text


def test_a_service_that_is_down_is_said_on_the_page(fresh: Site) -> None:
    fill(fresh)
    browser = fresh.browser(fresh.operator)
    fresh.services.ledger = type(fresh.services.ledger)("redis://127.0.0.1:1/0", 60)
    answer = browser.get("/")
    assert answer.status_code == 503
    assert "does not answer" in answer.text
    assert "6379" not in answer.text
