"""`habitus install`: the person's settings file is edited safely, and given back as it was."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.enrolment import enrolments
from habitus_worker.teardown.hooks_json import hooks_of
from habitus_worker.teardown.ours import is_ours, teardown_words
from habitus_worker.teardown.settings_files import BACKUP

Call = Callable[..., tuple[int, str, str]]
TEXTS = [
    None,
    "",
    "{}",
    "{\n}\n",
    '{"model": "x"}',
    '{\n    "model": "x",\n    "hooks": {}\n}\n',
    '{\n  "hooks": {\n    "SessionEnd": []\n  }\n}\n',
    '\ufeff{\r\n\t"hooks": {\r\n\t\t"Stop": [{"hooks": [{"type": "command", "command": "bye"}]}] // mine\r\n\t},\r\n}',
    '{"permissions": {"allow": ["Bash(ls)"]}, "hooks": {"Stop": [{"matcher": "", "hooks": []}]}, "z": 1}\n\n',
]


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    return path


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / ".codex" / "config.toml"
    path.parent.mkdir()
    return path


def put(path: Path, text: str | None) -> None:
    if text is not None:
        path.write_bytes(text.encode())


def files(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def test_a_pipe_in_the_place_of_the_settings_is_refused_and_not_waited_for(call: Call, settings: Path) -> None:
    os.mkfifo(settings)
    code, out, err = call("install", "claude-code")
    assert (code, out, err) == (
        2, "", f"habitus: {settings} is not a regular file: put one in its place, then run this again\n",
    )  # fmt: skip


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_what_was_installed_and_taken_out_leaves_every_byte_as_it_was(call: Call, settings: Path, text: str) -> None:
    put(settings, text)
    before = files(settings.parent)
    assert call("install", "claude-code")[0] == 0
    assert set(hooks_of(settings.read_bytes().decode())) == {"SessionEnd", "UserPromptSubmit"}
    assert call("install", "claude-code", "--uninstall")[0] == 0
    assert files(settings.parent) == before


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_installing_twice_changes_nothing_more(call: Call, settings: Path, text: str) -> None:
    put(settings, text)
    call("install", "claude-code")
    once = files(settings.parent)
    assert "nothing to change" in call("install", "claude-code")[2]
    assert files(settings.parent) == once


def test_what_it_was_lies_beside_it_meanwhile(call: Call, settings: Path) -> None:
    settings.write_text(str(TEXTS[4]))
    call("install", "claude-code")
    assert settings.with_name(settings.name + BACKUP).read_text() == TEXTS[4]


def test_a_dry_run_shows_the_change_and_writes_nothing(call: Call, settings: Path, tmp_path: Path) -> None:
    settings.write_text(str(TEXTS[5]))
    before = files(settings.parent)
    code, out, _ = call("install", "claude-code", "--dry-run")
    assert code == 0
    assert out.startswith(f"--- {settings}\n+++ {settings}\n")
    assert '+        "SessionEnd": [' in out.splitlines()
    assert files(settings.parent) == before
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("text", ["{swordfish", "[]", '{"hooks": 1}', '{"hooks": {"SessionEnd": {}}}', "\udcff"])
def test_a_file_that_cannot_be_parsed_is_left_alone_with_one_clear_line(call: Call, settings: Path, text: str) -> None:
    settings.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = files(settings.parent)
    code, out, err = call("install", "claude-code")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert str(settings) in err
    assert "swordfish" not in err
    assert files(settings.parent) == before


def test_a_link_stays_a_link_and_the_file_keeps_its_mode(call: Call, settings: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("{}\n")
    real.chmod(0o640)
    settings.symlink_to(real)
    call("install", "claude-code")
    assert settings.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert hooks_of(real.read_text())
    call("install", "claude-code", "--uninstall")
    assert settings.is_symlink()
    assert (real.read_text(), list(real.parent.iterdir())) == ("{}\n", [real])


def test_a_new_file_is_for_its_owner_alone(call: Call, settings: Path) -> None:
    call("install", "claude-code")
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600


def test_hooks_that_were_added_meanwhile_stay(call: Call, settings: Path) -> None:
    settings.write_text('{\n  "a": 1\n}\n')
    call("install", "claude-code")
    document = json.loads(settings.read_text())
    document["hooks"]["SessionEnd"].append({"hooks": [{"type": "command", "command": "theirs"}]})
    settings.write_text(json.dumps(document, indent=2))
    call("install", "claude-code", "--uninstall")
    left = {"a": 1, "hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "theirs"}]}]}}
    assert json.loads(settings.read_text()) == left


def test_the_hooks_of_an_older_place_are_replaced(call: Call, settings: Path) -> None:
    call("install", "claude-code")
    settings.write_text(settings.read_text().replace("/habitus_hook/", "/moved/habitus_hook/"))
    call("install", "claude-code")
    hooks = hooks_of(settings.read_text())
    assert len(hooks) == 2
    assert "/moved/" not in settings.read_text()
    call("install", "claude-code", "--uninstall")
    assert not settings.exists()


def test_the_hook_that_is_written_is_the_one_that_runs(call: Call, settings: Path, tmp_path: Path) -> None:
    call("install", "claude-code")
    hook = hooks_of(settings.read_text())["SessionEnd"]
    words = teardown_words(Agent.CLAUDE_CODE, tmp_path / "data")
    assert hook.command.split() == [str(word) for word in words]
    assert is_ours(hook.command)
    assert all(os.path.isabs(each) for each in (words[0], words[3], words[6]))


def test_the_folder_that_the_agents_own_variable_names_is_used(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    call("install", "claude-code", "--user", "ada")
    assert (tmp_path / "elsewhere" / "settings.json").exists()
    noted = enrolments(tmp_path / "data")[Agent.CLAUDE_CODE]
    assert (noted.folder, noted.user) == (tmp_path / "elsewhere", "ada")


def test_installing_again_keeps_the_person_and_the_day_it_began(call: Call, settings: Path, tmp_path: Path) -> None:
    call("install", "claude-code", "--user", "ada", "--tenant", "north")
    first = enrolments(tmp_path / "data")
    call("install", "claude-code")
    assert enrolments(tmp_path / "data") == first
    call("install", "claude-code", "--uninstall")
    assert enrolments(tmp_path / "data") == {}


def test_codex_has_its_hooks_in_hooks_json_and_is_told_to_trust_them(call: Call, config: Path) -> None:
    config.write_text('model = "x"\n')
    code, _, err = call("install", "codex")
    assert code == 0
    hooks = hooks_of((config.parent / "hooks.json").read_text())
    assert hooks["SessionEnd"].timeout <= 3, "Codex shows the person a warning above that"
    assert "/hooks" in err
    assert config.read_text() == 'model = "x"\n'
    call("install", "codex", "--uninstall")
    assert files(config.parent) == {"config.toml": b'model = "x"\n'}


def test_where_codex_has_hooks_in_config_toml_ours_go_there(call: Call, config: Path) -> None:
    text = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"'
    config.write_text(text)
    call("install", "codex")
    assert "hooks.SessionEnd" in config.read_text()
    assert not (config.parent / "hooks.json").exists()
    call("install", "codex", "--uninstall")
    assert files(config.parent) == {"config.toml": text.encode()}


def test_where_theirs_in_config_toml_cannot_be_added_to_ours_go_to_hooks_json(call: Call, config: Path) -> None:
    text = 'hooks.SessionEnd = [{hooks = [{type = "command", command = "x"}]}]\n'
    config.write_text(text)
    call("install", "codex")
    assert hooks_of((config.parent / "hooks.json").read_text())
    assert config.read_text() == text


@pytest.mark.parametrize(("version", "notified"), [("codex-cli 0.144.2", True), ("codex-cli 0.150.1", False)])
def test_a_codex_without_the_event_gets_a_notify_program(
    call: Call, config: Path, tmp_path: Path, version: str, notified: bool
) -> None:
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho '{version}'\n")
    program.chmod(0o755)
    call("install", "codex")
    assert config.exists() is notified
    if notified:
        assert "notify = [" in config.read_text()
    call("install", "codex", "--uninstall")
    assert files(config.parent) == {}


def test_a_notify_program_of_the_persons_stays_and_they_are_told(call: Call, config: Path) -> None:
    config.write_text('notify = ["mine"]\n')
    _, _, err = call("install", "codex", "--notify")
    assert "notify" in err
    assert config.read_text() == 'notify = ["mine"]\n'


def test_a_config_toml_that_cannot_be_parsed_stops_it_before_anything_is_written(call: Call, config: Path) -> None:
    config.write_text("swordfish")
    code, _, err = call("install", "codex")
    assert code == 2
    assert str(config) in err
    assert "swordfish" not in err
    assert list(config.parent.iterdir()) == [config]
