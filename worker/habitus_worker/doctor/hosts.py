"""This host: the key file, and room on the disk."""

import shutil
from collections.abc import Iterator

from habitus_worker.doctor.finding import Finding, bad, graded, ok, warn
from habitus_worker.id_keys import read_document
from habitus_worker.keys import load_keys
from habitus_worker.settings import Settings

SCARCE = (85.0, 95.0)
"""Per cent of the disk in use from which on it is a warning, and bad."""


def keys(settings: Settings) -> Iterator[Finding]:
    """The key file: there, ours alone, of the right form. Raises UsageError, which says what to do."""
    load_keys(settings.keys)
    document = read_document(settings.keys)
    ids, seals = list(document["id"]), list(document["seal"])
    if settings.keys.parent.stat().st_mode & 0o022:
        yield bad("keys", "others may put another key file in its place", f"chmod go-w {settings.keys.parent}")
    elif document.get("settled", ids[0]) != ids[-1]:
        yield warn("keys", f"the database is not yet all under {ids[-1]}", "run `habitus keys rotate --resume`")
    else:
        yield ok("keys", f"{settings.keys}: {len(ids)} for ids, {len(seals)} for sealing, ours alone")


def disk(settings: Settings) -> Iterator[Finding]:
    """Room where the data folder lies. Raises OSError when it cannot be looked at."""
    place = settings.home
    while not place.exists():
        place = place.parent
    usage = shutil.disk_usage(place)
    share = 100 * (1 - usage.free / usage.total)
    found = f"{usage.free >> 20} MiB free, {share:.0f} % in use"
    yield graded("disk", found, share, SCARCE, f"make room on the disk of {settings.home}")
