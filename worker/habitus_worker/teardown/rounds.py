"""The rounds of a worker: it drains the spool and sweeps the histories beside its queue, in a thread of its own."""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, Thread

import structlog

from habitus_schema.errors import HabitusError
from habitus_worker.keys import load_keys
from habitus_worker.settings import Settings
from habitus_worker.submitting import Submitter
from habitus_worker.teardown.drain import SETTLE_SECONDS, Drain, Drained
from habitus_worker.teardown.enrolment import FILE
from habitus_worker.teardown.intake import Desk
from habitus_worker.teardown.spool import has_entries, spool_of
from habitus_worker.teardown.sweep import sweep
from habitus_worker.teardown.taken import Taken

SWEEP_SECONDS = 300.0
"""Between two sweeps of the histories; the spool is drained every round."""
_log = structlog.get_logger("habitus.teardown")


class Rounds:
    """Rounds over one data folder. `start` is called by the worker's timer, and never waits."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._busy = Lock()
        self._drain = Drain(settings)  # it remembers from round to round when each entry is due
        self._swept = float("-inf")

    def start(self) -> None:
        """Starts a round unless one is going on or there is nothing to do."""
        if self._is_due() and self._busy.acquire(blocking=False):
            Thread(target=self._round, name="teardown", daemon=True).start()

    def _is_due(self) -> bool:
        home = self.settings.home
        return has_entries(spool_of(home)) or (has_work(home) and self._sweep_is_due())

    def _sweep_is_due(self) -> bool:
        return time.monotonic() - self._swept >= SWEEP_SECONDS

    def _round(self) -> None:
        try:
            done = self.run()
        except HabitusError:
            _log.warning("service_unavailable")
        except Exception as error:  # noqa: BLE001 - in a thread, what it says would be printed
            _log.warning("teardown_failed", error=type(error).__name__)
        else:
            if done.handed_in:
                _log.info("teardown_handed_in", count=done.handed_in)
            for reason, times in done.given_up.items():
                _log.info("teardown_given_up", code=reason, count=times)
        finally:
            self._busy.release()

    def run(self) -> Drained:
        """One round: drains the spool, and sweeps when it is time. One at a time in a data folder.

        Raises:
            HabitusError: when Redis does not take sessions, or the keys or the notes cannot be read.
        """
        settings = self.settings
        with alone(settings.home), Taken(settings.home, load_keys(settings.keys).ids) as taken:
            desk = Desk(once(lambda: Submitter(settings)), taken)  # a new one a round: it reads the keys of today
            done = self._drain.run(desk, taken)
            if self._sweep_is_due():
                swept = sweep(settings, desk, taken)
                done.handed_in += swept.handed_in
                done.given_up.update(swept.passed_over)
                self._swept = time.monotonic()
        return done

    def run_settled(self) -> Drained:
        """`run`, and a second time where a session ended just now: its transcript is left alone for some seconds first.

        Raises:
            HabitusError: see `run`.
        """
        done = self.run()
        if done.settling:
            time.sleep(SETTLE_SECONDS)
            self._drain = Drain(self.settings)  # one that does not remember when these were to be tried again
            later = self.run()
            later.handed_in += done.handed_in
            later.given_up.update(done.given_up)
            return later
        return done


def has_work(home: Path) -> bool:
    """Whether any agent hands its sessions in through this data folder."""
    return (home / FILE).exists() or spool_of(home).is_dir()


def once(make: Callable[[], Submitter]) -> Callable[[], Submitter]:
    """Makes it at the first call; one that fails is made anew at the next."""
    made: list[Submitter] = []

    def get() -> Submitter:
        if not made:
            made.append(make())
        return made[0]

    return get


@contextmanager
def alone(home: Path) -> Iterator[None]:
    """Holds the data folder's lock for rounds: a worker's and a person's own would hand the same entry in twice."""
    try:
        lock = (home / "teardown.lock").open("w")
    except OSError:
        raise HabitusError(f"cannot write to {home}: choose another folder with --home") from None
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
