"""What was handed in already: a stamp for each file, so that a second pass over a folder costs a look at each.

A small SQLite file in the data folder. Files stand in it as keyed digests: it tells nobody which projects there are.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from habitus_schema.errors import UnavailableError
from habitus_schema.ids import IdKeys

FILE = "teardown.db"
_PRAGMAS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA secure_delete = ON")
_TABLES = (
    "CREATE TABLE IF NOT EXISTS taken (file BLOB PRIMARY KEY, owner BLOB NOT NULL, size INTEGER NOT NULL,"
    " changed INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS swept (agent TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS passed (day TEXT, reason TEXT, times INTEGER NOT NULL, PRIMARY KEY (day, reason))"
    " WITHOUT ROWID",
)


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file's state: when both are the same, so is what it holds.

    Attributes:
        size: bytes.
        changed: nanoseconds since 1970.
    """

    size: int
    changed: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Stamp":
        """The stamp of a file that was looked at."""
        return cls(status.st_size, status.st_mtime_ns)


class Taken:
    """The file's contents, open until it is closed. Every method raises UnavailableError when it cannot be used.

    What is noted survives a kill at once, and a power cut a little later: a note that is lost costs a second look.
    """

    def __init__(self, home: Path, keys: IdKeys) -> None:
        self._path, self._secret = home / FILE, keys.first.secret
        with self._refusals():
            self._database = sqlite3.connect(self._path, timeout=10, isolation_level=None)
            self._path.chmod(0o600)
            for statement in (*_PRAGMAS, *_TABLES):
                self._database.execute(statement)

    def __enter__(self) -> "Taken":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError):
            raise UnavailableError(f"cannot use {self._path}: check the disk and who owns the folder") from None

    def _run(self, statement: str, *values: object) -> sqlite3.Cursor:
        with self._refusals():
            return self._database.execute(statement, values)

    def _digest(self, *parts: str) -> bytes:
        digest = hashlib.blake2b(key=self._secret, digest_size=16, person=b"taken")
        for part in parts:
            data = part.encode("utf-8", "surrogateescape")
            digest.update(len(data).to_bytes(8, "big") + data)
        return digest.digest()

    def knows(self, path: Path, owner: tuple[str, str], stamp: Stamp) -> bool:
        """Whether the file was handed in for its owner (tenant and user) in this very state."""
        found = self._run("SELECT size, changed FROM taken WHERE file = ?", self._digest(*owner, str(path)))
        return bool(found.fetchone() == (stamp.size, stamp.changed))

    def note(self, path: Path, owner: tuple[str, str], stamp: Stamp) -> None:
        """Notes that the file was handed in in this state."""
        row = (self._digest(*owner, str(path)), self._digest(*owner), stamp.size, stamp.changed)
        self._run("INSERT OR REPLACE INTO taken VALUES (?, ?, ?, ?)", *row)

    def forget(self, owner: tuple[str, str]) -> int:
        """Strikes out every file of a person; returns how many there were."""
        return self._run("DELETE FROM taken WHERE owner = ?", self._digest(*owner)).rowcount

    def swept_until(self, agent: str) -> float:
        """Until which change of a file, in seconds since 1970, the agent's history was swept; 0 when never."""
        row = self._run("SELECT until FROM swept WHERE agent = ?", agent).fetchone()
        return float(row[0]) if row else 0.0

    def sweep_reached(self, agent: str, until: float) -> None:
        """Notes how far a sweep has come."""
        self._run("INSERT OR REPLACE INTO swept VALUES (?, ?)", agent, until)

    def count(self, reason: str, day: date) -> None:
        """Counts one thing that was passed over, by its closed reason."""
        statement = "INSERT INTO passed VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET times = times + 1"
        self._run(statement, day.isoformat(), reason)

    def passed(self) -> dict[str, int]:
        """How often each reason was counted, ever."""
        rows = self._run("SELECT reason, sum(times) FROM passed GROUP BY reason ORDER BY reason")
        return {str(reason): int(times) for reason, times in rows}
