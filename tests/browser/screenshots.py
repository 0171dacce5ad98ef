"""Takes the pictures of docs/log.md: `python tests/browser/screenshots.py docs` from the root of the repository.

Also into another folder, for looking at: an empty deployment, and one with many lines.
"""

import sys
import tempfile
from datetime import timedelta
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "standin")]

from chromium import find_chromium  # noqa: E402
from conftest import running  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402
from web_site import Site, fill, make_site  # noqa: E402

from habitus_schema.codes import Code  # noqa: E402
from habitus_schema.decisions import DecisionReason, PolicyWord  # noqa: E402
from habitus_schema.vocabulary import Dimension  # noqa: E402
from habitus_tasks.decisions import note  # noqa: E402
from habitus_tasks.log_counting import count_up  # noqa: E402
from habitus_worker.bench.log_lines import load_lines  # noqa: E402
from habitus_worker.days import today  # noqa: E402
from habitus_worker.embedded import embedded_redis  # noqa: E402

DESK, PHONE = {"width": 1100, "height": 720}, {"width": 390, "height": 844}
IN_DOCS = ("overview-light", "log-dark", "overview-phone", "effect-light", "huge-log-light", "huge-overview-phone")
USUAL, HUGE = 40_000, 300_000


def busy(site: Site, lines: int) -> None:
    """A deployment with so many lines, some people and some decisions."""
    fill(site)
    for code in (Code.ATTEMPTS_EXHAUSTED, Code.PAYLOAD_EXPIRED):
        site.give_up("acme", code, code.value)
    with site.database.engine.connect() as connection, connection.begin():
        connection.exec_driver_sql("DELETE FROM rejection")
        others = [site.tenant(f"{name} {number}") for name in ("initech", "hooli") for number in range(10)]
        load_lines(connection, site.tenant("acme"), lines, today(), others=others if lines > USUAL else ())
    count_up(site.database)
    shares = (PolicyWord.IGNORE, 5), (PolicyWord.SUPPORT, 3), (PolicyWord.DRIVE, 2)
    for place, dimension in enumerate(list(Dimension)[:6]):
        counts = {(dimension, policy, DecisionReason.VOTE): (share + place) * 130 for policy, share in shares}
        note(site.database, counts, today() - timedelta(days=1))


def shoot(chrome: Browser, address: str, site: Site, folder: Path, kind: str) -> None:
    """Every page, light, dark and on a phone."""
    for look, options in (
        ("light", {"viewport": DESK, "color_scheme": "light"}),
        ("dark", {"viewport": DESK, "color_scheme": "dark"}),
        ("phone", {"viewport": PHONE, "color_scheme": "light", "is_mobile": True}),
    ):
        context = chrome.new_context(**options)  # type: ignore[arg-type]
        for name, value in site.browser(site.operator).cookies.items():
            context.add_cookies([{"name": name, "value": value, "url": address}])
        page = context.new_page()
        for name, path in (("overview", "/"), ("log", "/log"), ("dead", "/dead-letters"), ("effect", "/effect")):
            tall = options["viewport"] | ({"height": 1300} if name == "overview" else {})  # type: ignore[operator]
            page.set_viewport_size(tall)  # type: ignore[arg-type]
            page.goto(address + path)
            page.screenshot(path=folder / f"{kind}{name}-{look}.png")
        page.goto(f"{address}/people")
        page.fill("#user", "ada")
        page.click("text=Look up")
        page.screenshot(path=folder / f"{kind}person-{look}.png")
        context.close()


def main(folder: Path) -> None:
    """Takes the pictures."""
    found = find_chromium()
    kinds = {"": USUAL, "huge-": HUGE} | ({} if folder.name == "docs" else {"empty-": 0})
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(
            executable_path=found.path, args=["--no-sandbox"], env=found.environment or None
        )
        for kind, lines in kinds.items():
            with (
                tempfile.TemporaryDirectory() as home,
                embedded_redis(Path(home) / "redis") as url,
                make_site(Path(home), url) as site,
            ):
                if lines:
                    busy(site, lines)
                with running(site) as address:
                    shoot(chrome, address, site, folder, kind)
        chrome.close()
    if folder.name == "docs":
        for picture in folder.glob("*.png"):
            if picture.stem not in IN_DOCS:
                picture.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
