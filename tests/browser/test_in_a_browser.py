"""The pages in a real Chromium: by keyboard, on a phone, in the dark, without a script, and judged by axe-core."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from web_site import Site

from habitus_schema.codes import Code

Open = Callable[..., Page]
Served = tuple[str, Site]
PAGES = ("/", "/log", "/dead-letters", "/people", "/effect", "/codes")
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DESK = {"viewport": {"width": 1200, "height": 900}}
CANARY = "renata.oliveira@leak.example"


def test_one_signs_in_and_goes_around_by_keyboard_alone_without_javascript(opened: Open, served: Served) -> None:
    page = opened("/", java_script_enabled=False)
    page.wait_for_selector("#token:focus")
    page.keyboard.type(served[1].acme)
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('Overview')")
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to content"
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Log"
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('Rejection log')")


@pytest.mark.parametrize(("scheme", "screen"), [("light", DESK), ("dark", PHONE)], ids=["light-desk", "dark-phone"])
def test_no_page_breaks_a_rule_of_wcag_or_scrolls_sideways(
    opened: Open, served: Served, scheme: str, screen: dict[str, object]
) -> None:
    page = opened("/", served[1].operator, color_scheme=scheme, bypass_csp=True, **screen)
    axe = Axe()
    for path in (*PAGES, "/nowhere"):
        page.goto(served[0] + path)
        if path == "/people":
            page.fill("#user", "ada")
            page.click("text=Look up")
            page.wait_for_selector("h2")
        found = axe.run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
        assert found.violations_count == 0, f"{path}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_the_policy_of_the_pages_stops_nothing_of_ours(opened: Open, served: Served) -> None:
    page = opened("/", served[1].operator)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("requestfailed", lambda request: complaints.append(f"{request.failure} {request.url}"))
    for path in PAGES:
        page.goto(served[0] + path)
    # One that the next page cut short is no complaint.
    assert [each for each in complaints if "ERR_ABORTED" not in each] == []
    assert page.evaluate("document.scripts.length") == 0


def test_the_ground_follows_the_readers_scheme(opened: Open, served: Served) -> None:
    grounds = [
        opened("/sign-in", color_scheme=scheme).evaluate("getComputedStyle(document.documentElement).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert grounds == ["rgb(255, 255, 255)", "rgb(18, 24, 31)"]


def test_the_bars_of_the_chart_are_drawn_and_coloured_by_stage(opened: Open, served: Served) -> None:
    page = opened("/", served[1].acme)
    boxes = page.locator(".chart rect").evaluate_all(
        "all => all.map(each => [each.getBoundingClientRect().height, getComputedStyle(each).fill])"
    )
    assert len(boxes) == 16  # ten days of extract lines, five of gate lines, one of record lines
    assert all(height > 0 for height, _ in boxes)
    assert len({colour for _, colour in boxes}) == 3


def test_a_chart_too_wide_for_a_phone_begins_with_the_latest_days(opened: Open, served: Served) -> None:
    page = opened("/", served[1].acme, **PHONE)
    edges = page.evaluate(
        "(() => { const region = document.querySelector('.latest'); "
        "return [region.scrollWidth > region.clientWidth, region.getBoundingClientRect().right, "
        "region.firstElementChild.getBoundingClientRect().right]; })()"
    )
    assert edges[0]
    assert abs(edges[1] - edges[2]) < 2


def test_an_operator_narrows_the_log_to_a_tenant_by_keyboard(opened: Open, served: Served) -> None:
    page = opened("/log", served[1].operator, java_script_enabled=False)
    globex = served[1].tenant("globex")
    page.focus("#tenant")
    page.keyboard.type(globex[:15])
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Show").press("Enter")
    page.wait_for_url(f"**/log?*tenant={globex}*")
    assert page.locator("tbody tr").count() == 1


def test_a_filter_leads_to_an_address_that_shows_the_same_to_another_reader(opened: Open, served: Served) -> None:
    page = opened("/log", served[1].acme)
    page.select_option("#code", "UNKNOWN_VALUE")
    page.select_option("#dimension", "preamble")
    page.click("text=Show")
    page.wait_for_url("**/log?*code=UNKNOWN_VALUE*")
    rows = page.locator("tbody tr").count()
    assert rows == 5
    link = page.get_by_text("Link to this page").get_attribute("href")
    again = opened(link or "", served[1].acme)
    assert again.locator("tbody tr").count() == rows
    assert again.locator("#code").input_value() == "UNKNOWN_VALUE"


def test_a_persons_id_is_in_no_address_and_on_no_page(opened: Open, served: Served) -> None:
    page = opened("/people", served[1].acme)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.fill("#user", "ada")
    page.click("text=Look up")
    page.wait_for_selector("text=response_density=concise_direct")
    assert asked
    assert not any("ada" in each.rpartition("/")[2] for each in [*asked, page.url])
    assert page.locator("#user").input_value() == ""
    assert "ada" not in page.locator("main").inner_text().split()


def test_a_dead_letter_is_dropped_by_a_click(opened: Open, served: Served) -> None:
    address, site = served
    ticket = site.give_up("acme", Code.ATTEMPTS_EXHAUSTED, "to be dropped")
    page = opened("/dead-letters", site.acme)
    page.get_by_label(f"Drop {ticket[:12]}").click()
    page.wait_for_selector("text=Dropped")
    assert ticket not in {letter.ticket for letter in site.ledger.dead_letters()}
    assert page.url.startswith(f"{address}/dead-letters")


@pytest.mark.parametrize("value", ["<img src=x onerror=alert(1)>", '"><script>alert(1)</script>', CANARY])
def test_hostile_words_are_neither_run_nor_shown(opened: Open, served: Served, value: str) -> None:
    page = opened("/people", served[1].acme)
    shown: list[str] = []
    page.on("dialog", lambda dialog: (shown.append(dialog.message), dialog.dismiss()))
    page.fill("#user", value)
    page.click("text=Look up")
    page.wait_for_selector("text=No habit yet")
    assert value not in page.content()
    for path in ("/log?code=", "/?days=", "/dead-letters?done=", "/sign-in?then="):
        page.goto(served[0] + path + value)
        assert value not in page.content()
        assert page.locator("img, script").count() == 0
    assert shown == []
