"""`habitus rejections`, `effect`, `check`, `report`, `tokens` on a filled deployment: what they print, how they end."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from web_site import Site

from habitus_schema.codes import MEANING, Code, stage_of
from habitus_schema.models import Rejection
from habitus_schema.vocabulary import Dimension
from habitus_worker import cli
from habitus_worker.days import today
from habitus_worker.fleet import environment
from habitus_worker.serve.tokens import TokenFile

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[Site], Call]:
    """Runs `habitus ...` in this process on a site; returns its exit code, stdout and stderr."""
    monkeypatch.setattr("signal.signal", lambda *_: None)

    def of(site: Site) -> Call:
        for name, value in environment(site.settings).items():
            if name.startswith("HABITUS_"):
                monkeypatch.setenv(name, value)

        def run(*words: str) -> tuple[int, str, str]:
            monkeypatch.setattr("sys.argv", ["habitus", *words])
            with pytest.raises(SystemExit) as ended:
                cli.main()
            printed = capsys.readouterr()
            return int(ended.value.code or 0), printed.out, printed.err

        return run

    return of


@pytest.fixture
def call(on: Callable[[Site], Call], site: Site) -> Call:
    return on(site)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_every_filter_narrows_the_log(call: Call) -> None:
    day = today() - timedelta(days=14)
    for words, only in (
        (["--code", "ONE_OFF"], {"code": "ONE_OFF"}),
        (["--stage", "gate"], {"stage": "gate"}),
        (["--dimension", "planning"], {"dimension": "planning"}),
        (["--detector", "schema"], {"detector": "schema", "code": "UNKNOWN_VALUE"}),
        (["--since", str(day), "--until", str(day)], {"day": str(day)}),
        (["--tenant", "globex"], {"code": "ENTITY_COUPLED"}),
    ):
        status, out, _ = call("rejections", "--csv", *words)
        found = rows(out)
        assert status == 0
        assert found
        for name, value in only.items():
            assert {row[name] for row in found} == {value}, words
    assert rows(call("rejections", "--csv", "--code", "TOO_LARGE")[1]) == []


def test_csv_and_json_hold_the_same_lines_in_the_same_order(call: Call) -> None:
    as_csv = rows(call("rejections", "--csv")[1])
    as_json = [json.loads(line) for line in call("rejections", "--json")[1].splitlines()]
    assert len(as_csv) == len(as_json) == 28
    assert as_csv == [{name: "" if value is None else str(value) for name, value in row.items()} for row in as_json]
    assert [row["day"] for row in as_json] == sorted(row["day"] for row in as_json)
    for words in (["--csv", "--json"], ["--stats", "--follow"], ["--since", "2026-02-01", "--until", "2026-01-31"]):
        status, out, err = call("rejections", *words)
        assert (status, out) == (2, ""), words
        assert "--" in err


@pytest.mark.parametrize("columns", ["60", "80", "120", "200"])
def test_a_word_of_the_log_is_never_cut_in_a_table(call: Call, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setattr("habitus_worker.cli.output.PIPE_WIDTH", int(columns))
    out = call("rejections", "--stage", "gate")[1]
    assert out.count("UNKNOWN_VALUE") == 5
    assert "…" not in out


def test_the_table_is_of_the_latest_lines(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("habitus_worker.cli.log_printing.MAX_TABLE", 5)
    _, out, err = call("rejections")
    days = re.findall(r"^ ?(\d{4}-\d\d-\d\d)", out, re.M)
    assert len(days) == 5
    assert days == sorted(days)
    assert days[-1] == rows(call("rejections", "--csv")[1])[-1]["day"]
    assert "latest 5 lines" in err


def test_stats_count_by_code_and_day_and_tell_what_changed(call: Call) -> None:
    found = [json.loads(line) for line in call("rejections", "--stats", "--json", "--tenant", "acme")[1].splitlines()]
    *codes, share = found
    one_off = next(row for row in codes if row["code"] == "ONE_OFF")
    assert (one_off["count"], len(one_off["days"])) == (10, 10)
    assert (one_off["week"], one_off["week_before"]) == (2, 7)
    assert one_off["change"] == pytest.approx(2 / 7 - 1)
    assert share == {"sessions": 20, "sessions_with_a_refusal": 20}
    _, out, _ = call("rejections", "--stats", "--tenant", "acme")
    assert "-71%" in out
    assert "20 (100%)" in out
    assert re.search("[▁▂▃▄▅▆▇█]", out)
    by_day = rows(call("rejections", "--stats", "--csv", "--code", "WITHDRAWN")[1])
    assert sum(int(row["count"]) for row in by_day) == 10


def test_explain_says_of_every_code_what_it_means_and_what_to_do(call: Call) -> None:
    for code in Code:
        status, out, _ = call("rejections", "explain", code.lower())
        assert status == 0
        assert out.startswith(f"{code} ({stage_of(code)})")
        assert MEANING[code][1] in out
        assert MEANING[code][2] in out
    assert len(call("rejections", "explain", "--json")[1].splitlines()) == len(Code)
    assert call("rejections", "explain", "NO_SUCH_CODE")[0] == 2


def test_new_lines_are_followed_in_the_form_of_those_before(
    on: Callable[[Site], Call], fresh: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = (Rejection(code=Code.UNSUPPORTED_FORMAT, dimension=Dimension.VERBOSITY_CEILING_TOKENS),)
    fresh.record("acme", "ada", "before", today(), lines=line)
    waits, numbers = 0, count()

    def wait(_: float) -> None:
        nonlocal waits
        waits += 1
        if waits > 2:
            raise KeyboardInterrupt
        # a late session: its day lies before those that are printed already
        fresh.record("acme", "ada", f"after {next(numbers)}", today() - timedelta(days=waits), lines=line)

    monkeypatch.setattr("habitus_worker.cli.log_printing.time.sleep", wait)
    _, out, _ = on(fresh)("rejections", "--follow", "--stage", "parse")
    lines = [each.rstrip() for each in out.splitlines() if "UNSUPPORTED_FORMAT" in each]
    assert len(lines) == 3
    assert len({each.index("UNSUPPORTED_FORMAT") for each in lines}) == 1
    assert len({each.index("verbosity_ceiling_tokens") for each in lines}) == 1
    waits = 0
    _, out, _ = on(fresh)("rejections", "--follow", "--csv")
    assert len(rows(out)) == 5


@pytest.mark.parametrize("shape", [[], ["--csv"], ["--json"]])
def test_of_a_long_log_the_last_ten_lines_come_before_the_new_ones(
    on: Callable[[Site], Call], fresh: Site, monkeypatch: pytest.MonkeyPatch, shape: list[str]
) -> None:
    line = (Rejection(code=Code.UNSUPPORTED_FORMAT),)
    days = [today() - timedelta(days=ago) for ago in range(12)]
    for day in days:
        fresh.record("acme", "ada", str(day), day, lines=line)

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("habitus_worker.cli.log_printing.time.sleep", stop)
    _, out, err = on(fresh)("rejections", "--follow", *shape)
    assert re.findall(r"\d{4}-\d\d-\d\d", out) == [str(day) for day in sorted(days)[-10:]]
    assert err == ""


def test_the_share_of_sessions_says_which_lines_refuse_nothing(on: Callable[[Site], Call], fresh: Site) -> None:
    waits = (Rejection(code=Code.BELOW_RECURRENCE, dimension=Dimension.LIST_STYLE),)
    fresh.record("acme", "ada", "waits", today(), lines=waits)
    _, out, err = on(fresh)("rejections", "--stats")
    assert "0 (0%)" in out
    assert "BELOW_RECURRENCE" in err
    assert "not among the refused" in err
    text = on(fresh)("report", "--since", "2026-01-01", "--out", "-")[1]
    assert "in 0 of them something was refused. Lines of BELOW_RECURRENCE," in text


def test_without_a_data_folder_one_is_told_what_makes_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setenv("HABITUS_HOME", str(tmp_path / "nothing"))
    for words in (["rejections"], ["rejections", "--stats"], ["check"], ["effect"]):
        monkeypatch.setattr("sys.argv", ["habitus", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == 2
        assert "habitus up" in capsys.readouterr().err
    assert not (tmp_path / "nothing").exists()


def test_effect_is_told_for_one_and_for_all(call: Call) -> None:
    found = [json.loads(line) for line in call("effect", "--user", "ada", "--json")[1].splitlines()]
    one = {each["dimension"]: each for each in found}["response_density"]
    assert one["before"] == {"corrections": 2, "sessions": 3}
    assert one["after"] == {"corrections": 2, "sessions": 7}
    assert one["ratio"] == pytest.approx(3 / 7, abs=1e-3)
    status, out, err = call("effect")
    assert status == 0
    assert "too little to tell" in out.replace("\n", " ") or "chance" in out
    assert "no experiment" in err
    assert "nothing to compare" in call("effect", "--user", "bert")[1]


def test_check_exits_1_with_an_alarm_and_0_without(on: Callable[[Site], Call], fresh: Site) -> None:
    call = on(fresh)
    assert call("check")[0] == 0
    fresh.record("acme", "ada", "s", today(), lines=(Rejection(code=Code.PRIVATE_EMAIL),))
    status, out, _ = call("check", "--json")
    assert status == 1
    assert [json.loads(line)["alarm"] for line in out.splitlines()] == ["private_lines"]
    assert call("check", "--tenant", "globex")[0] == 0


@pytest.mark.parametrize("name", ["report.html", "report.md"])
def test_a_report_is_one_file_that_needs_nothing_else(call: Call, site: Site, tmp_path: Path, name: str) -> None:
    private = tmp_path / "private.txt"
    private.write_text("renata.oliveira@leak.example\n")
    status, _, err = call("report", "--since", "2026-01-01", "--out", str(tmp_path / name), "--private", str(private))
    text = (tmp_path / name).read_text()
    assert status == 0, err
    for words in ("k1", "s1", "ONE_OFF", "180 days", "Every stored value is closed", "values that are none of these"):
        assert words in text
    assert not re.search(r"(src|href)=|<script|@import|url\(", text)
    assert "renata" not in text
    assert "acme" not in text
    assert site.acme not in text


@pytest.mark.parametrize("sealed", [False, True])
def test_a_report_says_its_bad_news_and_exits_1(
    on: Callable[[Site], Call], fresh: Site, tmp_path: Path, sealed: bool
) -> None:
    leak = "renata.oliveira@leak.example"
    left = fresh.keys.seal.encrypt(leak.encode()) if sealed else leak.encode()
    (fresh.settings.home / "left.log").write_bytes(left)
    (tmp_path / "private.txt").write_text(leak)
    words = ("report", "--since", "2026-01-01", "--out", "-", "--private", str(tmp_path / "private.txt"))
    status, out, _ = on(fresh)(*words)
    assert status == 1
    assert "**Bad news.**" in out
    assert leak not in out
    assert on(fresh)("report", "--since", "2026-01-01", "--out", "x.pdf")[0] == 2


def test_tokens_are_added_listed_and_revoked(on: Callable[[Site], Call], fresh: Site) -> None:
    call, key = on(fresh), fresh.keys.ids.first
    token = json.loads(call("tokens", "add", "initech", "--operator", "--json")[1])["token"]
    file = TokenFile(fresh.settings.tokens)
    access = file.access(token, key)
    assert access
    assert access.is_operator
    out = call("tokens", "list", "--json")[1]
    assert len(out.splitlines()) == 4
    assert "initech" not in out
    assert call("tokens", "revoke", "initech")[:2] == (0, "1 revoked\n")
    assert file.access(token, key) is None
    assert call("tokens", "revoke", "initech")[0] == 1
