"""`habitus keys`: the key file and the re-keying of the database, put together."""

from contextlib import closing
from pathlib import Path

from rich.progress import Progress

from habitus_tasks.rekey import Rekeyed, rekey
from habitus_tasks.whole import require_whole
from habitus_worker.cli.output import console
from habitus_worker.cli.profiles import rule_of
from habitus_worker.databases import database_of
from habitus_worker.keys import load_id_keys, read_document
from habitus_worker.rotation import add_id_key, add_seal_key, settle, write_record_file
from habitus_worker.settings import Settings


def key_rows(settings: Settings) -> list[tuple[str, str, str]]:
    """(kind, name, role) of each key. Raises UsageError when there is no key file."""
    chain = load_id_keys(settings.keys)
    rows = []
    for place, name in enumerate(chain.names):
        role = "makes ids" if place == 0 else "wraps ids"
        if place > chain.settled:
            role += ", rotation not finished"
        rows.append(("id", name, role))
    seals = list(read_document(settings.keys)["seal"])
    return rows + [("seal", name, "seals and opens" if name == seals[-1] else "opens") for name in seals]


def new_seal_key(settings: Settings) -> str:
    """Adds a sealing key and returns its name."""
    return add_seal_key(settings.keys)


def check_whole(settings: Settings) -> None:
    """Refuses a rotation that could not be finished, before there is a new key.

    Raises:
        UsageError: when there is no key file, or the database account does not see every tenant.
        UnavailableError: when the database does not answer.
    """
    load_id_keys(settings.keys)
    with closing(database_of(settings)) as database:
        require_whole(database)


def new_id_key(settings: Settings) -> str | None:
    """Adds an id key and returns its name; None when the last rotation is not finished and goes on first."""
    chain = load_id_keys(settings.keys)
    return add_id_key(settings.keys) if chain.settled == len(chain.wraps) else None


def write_record_keys(settings: Settings, target: Path) -> None:
    """Writes the key file of record workers."""
    write_record_file(settings.keys, target)


def rekey_all(settings: Settings, *, shown: bool) -> Rekeyed:
    """Re-keys the whole database, notes in the key file that it is done, and says how much it was.

    Raises: as `habitus_tasks.rekey.rekey` does.
    """
    newest = load_id_keys(settings.keys).newest
    database = database_of(settings)
    with Progress(console=console(stderr=True), transient=True, disable=not shown) as bar:
        task = bar.add_task("re-keying people", total=None)
        done = rekey(database, rule_of(settings), lambda at, total: bar.update(task, completed=at, total=total))
    settle(settings.keys, newest)
    return done
