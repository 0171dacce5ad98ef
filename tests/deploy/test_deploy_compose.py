"""The compose file: by the published schema of compose files, and each service with what its zone may have."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
FILE = DEPLOY / "compose.yml"
COMPOSE: dict[str, Any] = yaml.safe_load(FILE.read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("migrate", "content", "record", "serve")


def _checked(file: Path) -> int:
    program = Path(sys.executable).with_name("check-jsonschema")
    return subprocess.run(
        [program, "--builtin-schema", "vendor.compose-spec", file], capture_output=True, check=False
    ).returncode


def _secrets(service: str) -> set[str]:
    return {each["source"] if isinstance(each, dict) else each for each in SERVICES[service].get("secrets", [])}


def test_it_is_a_compose_file(tmp_path: Path) -> None:
    broken = tmp_path / "compose.yml"
    broken.write_text(FILE.read_text().replace("read_only: true", "readonly: true"))
    assert _checked(FILE) == 0
    assert _checked(broken) == 1


@pytest.mark.parametrize("service", OURS)
def test_each_of_ours_can_write_nowhere_but_where_it_must(service: str) -> None:
    found = SERVICES[service]
    assert found["read_only"]
    assert found["cap_drop"] == ["ALL"]
    assert found["user"] == "10001:10001"


def test_the_content_zone_has_no_way_to_the_database() -> None:
    assert set(SERVICES["content"]["networks"]) == {"queue"}
    assert "record-settings" not in _secrets("content")
    assert COMPOSE["networks"]["queue"] == {"internal": True}


def test_the_record_zone_has_no_keys() -> None:
    assert _secrets("record") == {"record-settings"}
    assert "HABITUS_KEY_FILE" not in SERVICES["record"].get("environment", {})


def test_the_owner_of_the_tables_is_known_to_nobody_that_stays() -> None:
    holders = {name for name in SERVICES if _secrets(name) & {"owner-settings", "postgres-owner"}}
    assert {name for name in holders if SERVICES[name]["restart"] != "no"} == {"postgres"}


def test_only_loopback_is_reached_from_outside() -> None:
    ports = {name: found["ports"] for name, found in SERVICES.items() if "ports" in found}
    assert ports == {"serve": ["127.0.0.1:8760:8760"]}


def test_every_file_and_secret_that_is_named_is_there_or_made() -> None:
    made = (DEPLOY / "secrets.sh").read_text()
    for secret in COMPOSE["secrets"].values():
        assert Path(secret["file"]).name in made
    mounted = [each for found in SERVICES.values() for each in found.get("volumes", []) if each.startswith("./")]
    assert mounted
    assert all((DEPLOY / each.split(":")[0]).exists() for each in mounted)
