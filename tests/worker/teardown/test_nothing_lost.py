"""Whatever happens, in whatever order: in the end each session was handed in as it stands, and then no more."""

import os
import tempfile
import time
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from habitus_hook.spool import put
from habitus_schema.errors import UnavailableError
from habitus_schema.ids import IdKey
from habitus_worker.settings import Settings, read_settings
from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.drain import Drain
from habitus_worker.teardown.enrolment import Enrolment, enrol
from habitus_worker.teardown.intake import Desk
from habitus_worker.teardown.spool import spool_of
from habitus_worker.teardown.sweep import sweep
from habitus_worker.teardown.taken import Taken

SESSIONS = st.sampled_from(["a", "b", "c"])
EVENTS = st.one_of(
    st.tuples(st.just("say"), SESSIONS),
    st.tuples(st.sampled_from(["end", "turn", "late", "killed"]), SESSIONS),
    st.tuples(st.sampled_from(["drain", "sweep"]), st.sampled_from(["up", "down", "restarted"])),
    st.tuples(st.just("wait"), st.sampled_from(["4", "600", "2000"])),
)


class World:
    """A person, an agent, a hook that sometimes runs, and a Redis that sometimes does."""

    def __init__(self, folder: Path, kept: Any, make_lines: Any) -> None:
        self.kept, self._lines = kept, make_lines
        self.claude, self.now = folder / "claude", time.time()
        self.settings: Settings = read_settings(home=folder / "home", redis_url="", database_url="")
        enrol(self.settings.home, Agent.CLAUDE_CODE, Enrolment(user="ada", folder=self.claude, since=0))
        self.said: dict[str, list[str]] = {}
        self.drain = Drain(self.settings)
        self.taken = Taken(self.settings.home, IdKey("k1", bytes(32)))

    def path(self, session: str) -> Path:
        return self.claude / "projects" / "-w" / f"{session}.jsonl"

    def say(self, session: str) -> None:
        self.said.setdefault(session, []).append(f"word {len(self.said.get(session, []))}")
        path = self.path(session)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._lines(session, *self.said[session]))
        os.utime(path, (self.now, self.now))

    def hook(self, how: str, session: str) -> None:
        folder = spool_of(self.settings.home)
        if how == "killed":
            folder.mkdir(exist_ok=True)
            (folder / f".{len(list(folder.iterdir()))}").write_text("{")
            return
        put(str(folder), "claude-code", "turn" if how == "turn" else "end", session, str(self.path(session)))
        if how == "late":
            self.say(session)  # what the agent writes out after its hook ran

    def round(self, which: str, redis: str) -> None:
        if redis == "restarted":
            self.drain = Drain(self.settings)
        self.kept.refusing = 1 if redis == "down" else 0
        desk = Desk(lambda: self.kept, self.taken)
        try:
            if which == "drain":
                self.drain.run(desk, self.taken, self.now)
            else:
                sweep(self.settings, desk, self.taken, self.now)
        except UnavailableError:
            return


@settings(max_examples=25)
@given(events=st.lists(EVENTS, max_size=25))
def test_in_the_end_each_session_was_handed_in_as_it_stands(
    events: list[tuple[str, str]], new_kept: Any, make_lines: Any
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), new_kept(), make_lines)
        for what, which in events:
            world.now += 1
            if what == "say":
                world.say(which)
            elif what == "wait":
                world.now += int(which)
            elif what in ("drain", "sweep"):
                world.round(what, which)
            else:
                world.hook(what, which)
        world.now += 2 * 86_400
        for which in ("drain", "sweep"):
            world.round(which, "up")
        last = dict(world.kept.sessions)
        assert last == world.said
        before = len(world.kept.sessions)
        world.now += 86_400
        for which in ("drain", "sweep"):
            world.round(which, "restarted")
        assert len(world.kept.sessions) == before
        assert not list(spool_of(world.settings.home).glob("*.json"))
        world.taken.close()
