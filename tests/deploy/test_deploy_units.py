"""The systemd units: by systemd itself where it is installed, and everywhere by what they must say."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import typer.main

from habitus_worker.cli import app

FOLDER = Path(__file__).parents[2] / "deploy" / "systemd"
SERVICES = sorted(FOLDER.glob("*.service"))
PROGRAM = "/opt/habitus/bin/habitus"


def _said(unit: Path) -> dict[str, list[str]]:
    """What a unit says: for each directive, its values in order."""
    found: dict[str, list[str]] = {}
    for line in unit.read_text().splitlines():
        if line and not line.startswith(("#", "[")):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def _verified(units: list[Path], folder: Path) -> str:
    """What systemd says of the units, with a program that is there in place of ours; nothing when it is content."""
    program = shutil.which("systemd-analyze")
    if program is None:
        return ""
    for unit in units:
        (folder / unit.name).write_text(unit.read_text().replace(PROGRAM, "/bin/true"))
    done = subprocess.run([program, "verify", *sorted(folder.iterdir())], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr + done.stdout


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    assert _verified([*SERVICES, FOLDER / "habitus.target"], tmp_path) == ""


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.stem)
def test_each_service_starts_a_command_that_there_is(unit: Path) -> None:
    program, flag, _file, command, *options = shlex.split(_said(unit)["ExecStart"][0])
    assert (program, flag) == (PROGRAM, "--config")
    known = typer.main.get_command(app).commands[command]  # type: ignore[attr-defined]
    flags = {name for parameter in known.params for name in parameter.opts}
    assert {option for option in options if option.startswith("--")} <= flags


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.stem)
def test_each_service_can_write_to_its_own_folder_alone(unit: Path) -> None:
    said = _said(unit)
    assert said["ProtectSystem"] == ["strict"]
    assert said["NoNewPrivileges"] == ["yes"]
    assert said["CapabilityBoundingSet"] == [""]
    assert said["User"] == said["StateDirectory"] == [unit.stem]
    assert f"HABITUS_HOME=/var/lib/{unit.stem}" in said["Environment"][0]


def test_no_service_can_read_the_settings_of_another() -> None:
    for unit in SERVICES:
        own = re.findall(r"/etc/habitus/\S+", _said(unit)["ExecStart"][0])
        hidden = {path.lstrip("-") for path in _said(unit)["InaccessiblePaths"][0].split()}
        assert {f"/etc/habitus/{other.stem.removeprefix('habitus-')}.toml" for other in SERVICES} <= hidden | set(own)
        assert not hidden & set(own)
