"""The canary scan: is any of these private strings in what is left behind? Prints places and counts, never a string.

A string is looked for as UTF-8, as UTF-16, JSON-escaped, in hex, and inside base64 at each of its three alignments
(the broker's message bodies are base64), so that an encoding does not hide a leak. With the sealing keys, the sealed
payloads that lie in files are opened too: who has the folder of an embedded stack has the keys beside them.
"""

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.fernet import MultiFernet

from habitus_worker.ledger import connect
from habitus_worker.sealed import opened, tokens

CHUNK = 8 * 1024 * 1024
MIN_LENGTH = 5
"""Characters: a shorter string is found everywhere by chance."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What a scan found.

    Attributes:
        bytes_read: how much was searched.
        places: for each place with hits, how many of the strings were found in it.
    """

    bytes_read: int
    places: tuple[tuple[str, int], ...]

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.places


def encodings(private: str) -> list[bytes]:
    """The byte strings under which `private` could lie somewhere."""
    plain = private.encode("utf-8", "surrogatepass")
    forms = {plain, private.encode("utf-16-le", "surrogatepass"), plain.hex().encode()}
    forms.add(json.dumps(private)[1:-1].encode())
    for shift in range(3):
        # The first and last characters mix with neighbouring bytes, so only the middle is certain.
        coded = base64.b64encode(b"\0" * shift + plain)
        middle = coded[4 if shift else 0 : len(coded) - 4]
        if len(middle) >= MIN_LENGTH:
            forms.add(middle)
    return sorted(forms)


def audit(
    private: Iterable[str],
    folders: Sequence[Path] = (),
    redis_url: str = "",
    texts: Iterable[tuple[str, bytes]] = (),
    keys: MultiFernet | None = None,
) -> Audit:
    """Searches all files below `folders`, every live key and value of a Redis, and named pieces of bytes.

    `keys`: what opens the sealed payloads in the files. Those on Redis are sessions on their way, and are left sealed.
    """
    needles = [encodings(each) for each in dict.fromkeys(private) if len(each) >= MIN_LENGTH]
    longest = max((len(form) for forms in needles for form in forms), default=1)
    read = 0
    places: dict[str, set[int]] = {}
    for place, chunk in _pieces(folders, redis_url, texts, longest, keys):
        read += len(chunk)
        found = {at for at, forms in enumerate(needles) if any(form in chunk for form in forms)}
        if found:
            places.setdefault(place, set()).update(found)
    return Audit(read, tuple((place, len(found)) for place, found in sorted(places.items())))


def _pieces(
    folders: Sequence[Path],
    redis_url: str,
    texts: Iterable[tuple[str, bytes]],
    overlap: int,
    keys: MultiFernet | None,
) -> Iterator[tuple[str, bytes]]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            yield str(path), str(path).encode("utf-8", "surrogateescape")
            if path.is_file():
                yield from _of_file(path, overlap, keys)
    if redis_url:
        yield from _live(redis_url)
    yield from texts


def _of_file(path: Path, overlap: int, keys: MultiFernet | None) -> Iterator[tuple[str, bytes]]:
    with suppress(FileNotFoundError):  # Redis's scratch files come and go
        tail = b""
        for block in _blocks(path):
            yield str(path), tail + block
            tail = block[-overlap:]
        if keys is not None:
            for token in tokens(_blocks(path)):
                yield from ((f"sealed payload in {path}", piece) for piece in opened(token, keys, overlap))


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while block := stream.read(CHUNK):
            yield block


def _live(url: str) -> Iterator[tuple[str, bytes]]:
    client = connect(url)
    for key in client.scan_iter(count=1000):
        yield "redis key", key
        yield "redis value", b"\n".join(_members(client, key))


def _members(client: Any, key: bytes) -> list[bytes]:
    readers: dict[bytes, Callable[[bytes], Any]] = {
        b"string": lambda name: [client.get(name) or b""],
        b"hash": lambda name: [part for pair in client.hgetall(name).items() for part in pair],
        b"list": lambda name: client.lrange(name, 0, -1),
        b"set": client.smembers,
        b"zset": lambda name: client.zrange(name, 0, -1),
    }
    # A kind without a reader (a stream) is dumped: Redis's own serialisation holds short strings in clear.
    read: Callable[[bytes], Any] = readers.get(client.type(key), lambda name: [client.dump(name) or b""])
    return list(read(key))
