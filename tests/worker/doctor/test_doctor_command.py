"""How `habitus doctor` is printed: what to do has its room at any width, and no command in it is cut."""

from collections.abc import Callable, Iterator

import pytest

from habitus_worker import cli
from habitus_worker.doctor.finding import Finding, ok, warn
from habitus_worker.settings import Settings

ADVICE = (
    "set `maxmemory-policy noeviction` in redis.conf and in the running server, then run `habitus doctor --zone all`"
)
FINDINGS = (
    ok("redis_version", "7.2.4"),
    warn("redis_eviction", "with this policy Redis throws sessions away when its memory is full, unasked", ADVICE),
)


@pytest.fixture
def doctor(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[int], list[str]]:
    """The lines that it prints at a width."""

    def examined(*_: object) -> Iterator[Finding]:
        return iter(FINDINGS)

    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("habitus_worker.doctor.run.examine", examined)
    monkeypatch.setattr("sys.argv", ["habitus", "--home", str(settings.home), "doctor"])

    def run(width: int) -> list[str]:
        monkeypatch.setattr("habitus_worker.cli.output.PIPE_WIDTH", width)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert not ended.value.code
        return capsys.readouterr().out.splitlines()

    return run


@pytest.mark.parametrize("width", [80, 120])
def test_the_advice_has_lines_of_its_own_that_fit(doctor: Callable[[int], list[str]], width: int) -> None:
    lines = doctor(width)
    assert max(map(len, lines)) <= width
    assert lines[0].split() == ["ok", "redis_version", "7.2.4"]
    start = next(at for at, line in enumerate(lines) if line.strip().startswith("do: "))
    assert " ".join(line.strip() for line in lines[start:]) == f"do: {ADVICE}"
    assert len(lines) - start <= -(-len(ADVICE) // (width - 30)) + 1, "it has most of the width"


def test_on_a_very_narrow_terminal_it_is_still_words_and_not_letters(doctor: Callable[[int], list[str]]) -> None:
    assert len(doctor(30)) < 16
