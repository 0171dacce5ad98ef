"""Forgetting a person takes their entries out of the spool, and the notes of their files; nobody else's."""

from collections.abc import Callable
from pathlib import Path

from habitus_hook.spool import put
from habitus_worker.keys import create_keys
from habitus_worker.settings import Settings, read_settings
from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.enrolment import Enrolment, enrol
from habitus_worker.teardown.forgetting import forget_files
from habitus_worker.teardown.spool import entries, spool_of
from habitus_worker.teardown.taken import Stamp, Taken

Write = Callable[..., Path]


def test_their_entries_and_notes_go_and_nobody_elses(setup: Settings, write: Write, tmp_path: Path) -> None:
    keys = create_keys(setup.keys).ids
    enrol(setup.home, Agent.CODEX, Enrolment(user="bob", folder=tmp_path / "codex", since=0))
    path, stamp = write("s1", "hello"), Stamp(1, 2)
    with Taken(setup.home, keys) as taken:
        for user in ("ada", "bob"):
            taken.note(path, ("default", user), stamp)
    for agent in ("claude-code", "codex"):
        put(str(spool_of(setup.home)), agent, "end", "s1", str(path))
    assert forget_files(setup, "ada", None) == 2
    assert [entry.body.agent for entry in entries(spool_of(setup.home)) if entry.body] == [Agent.CODEX]
    with Taken(setup.home, keys) as taken:
        assert not taken.knows(path, ("default", "ada"), stamp)
        assert taken.knows(path, ("default", "bob"), stamp)


def test_a_person_of_the_same_name_elsewhere_keeps_theirs(setup: Settings, write: Write) -> None:
    create_keys(setup.keys)
    put(str(spool_of(setup.home)), "claude-code", "end", "s1", str(write("s1", "hello")))
    assert forget_files(setup, "ada", "north") == 0
    assert len(entries(spool_of(setup.home))) == 1


def test_where_nothing_is_kept_nothing_is_made(tmp_path: Path) -> None:
    settings = read_settings(home=tmp_path / "home", redis_url="", database_url="")
    assert forget_files(settings, "ada", None) == 0
    assert not settings.home.exists()
