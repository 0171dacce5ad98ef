"""A person's settings file: read whole, written whole or not at all, with a copy of what it was."""

import contextlib
import difflib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG

from habitus_schema.errors import HabitusError, UsageError

BACKUP = ".before-habitus"
"""Added to the name of a settings file, for the copy of what it was before us."""


@dataclass(frozen=True, slots=True)
class Change:
    """One file to change.

    Attributes:
        path: the file itself, links followed.
        before, after: its text; None where there is no file.
        backup: what is kept beside it; None to keep nothing, and to remove what was kept.
    """

    path: Path
    before: str | None = field(repr=False)
    after: str | None = field(repr=False)
    backup: str | None = field(default=None, repr=False)

    def diff(self) -> str:
        """The change as people read it."""
        before, after = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        shown = difflib.unified_diff(before, after, str(self.path), str(self.path))
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in shown)


def text_of(path: Path) -> str | None:
    """A settings file's text; None when there is none.

    Raises:
        UsageError: when it cannot be read, is no regular file (a pipe would hang), or is not UTF-8.
    """
    try:
        if not S_ISREG(path.stat().st_mode):
            raise UsageError(f"{path} is not a regular file: put one in its place, then run this again")
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        raise UsageError(f"{path} cannot be read as a text file: mend it, then run this again") from None


def backup_of(path: Path) -> Path:
    """Where the copy of a settings file lies."""
    return path.with_name(path.name + BACKUP)


def apply(change: Change) -> None:
    """Writes the change: the copy first, then the file, in one step each. Keeps the file's mode.

    Raises:
        HabitusError: when the file changed since it was read, or cannot be written; then it is as it was.
    """
    if text_of(change.path) != change.before:
        raise HabitusError(f"{change.path} changed just now: run this again")
    try:
        change.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if change.backup is not None:
            _replace(backup_of(change.path), change.backup, like=change.path)
        if change.after is None:
            change.path.unlink()
        else:
            _replace(change.path, change.after, like=change.path)
        if change.backup is None:
            backup_of(change.path).unlink(missing_ok=True)
    except OSError as error:
        raise HabitusError(f"cannot write {change.path}: {error.strerror or 'the system refused'}") from None


def _replace(path: Path, text: str, like: Path) -> None:
    mode = like.stat().st_mode & 0o7777 if like.exists() else 0o600
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    with _removed_on_failure(scratch):
        with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text.encode("utf-8"))
            os.fchmod(file.fileno(), mode)
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, path)


@contextlib.contextmanager
def _removed_on_failure(path: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise
