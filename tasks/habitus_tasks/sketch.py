"""A keyed sketch of what a session is about, so that a task carried on in a new session is not a second context.

MinHash (Broder 1997) by `datasketch`, over the person's content words; each word is hashed with the id key first, so
that a stolen table cannot be probed for words, and of each signature only the lowest eight bits are kept (b-bit
MinHash, Li and Koenig 2010). The threshold is measured in `docs/promotion.md`.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from stop_words import AVAILABLE_LANGUAGES, get_stop_words

from habitus_schema import catalog
from habitus_schema.ids import IdKeys
from habitus_schema.models import SKETCH_SIZE

MIN_WORDS = 12
"""Fewer distinct content words than this say too little about a task: such a session is similar to none."""
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)
"""Thai, Lao, Burmese, Khmer, kana and Han: written without spaces, so compared by pairs of characters."""


def sketch_of(words_text: Iterable[str], key: IdKeys) -> tuple[int, ...]:
    """`SKETCH_SIZE` integers from 0 to 255, or nothing when there are fewer than `MIN_WORDS` content words.

    It is keyed by the newest id key: sketches of different keys are never similar.
    """
    words = {word for text in words_text for word in content_words(text)}
    if len(words) < MIN_WORDS:
        return ()

    secret = key.secret

    def keyed(word: bytes) -> int:
        return int.from_bytes(hashlib.blake2b(word, key=secret, digest_size=4, person=b"sketch").digest())

    sketch = _empty().copy()
    sketch.hashfunc = keyed
    sketch.update_batch([word.encode("utf-8", "surrogatepass") for word in words])
    return tuple(int(value) & 0xFF for value in sketch.hashvalues)


def content_words(text: str) -> Iterator[str]:
    """The words that tell one task from another: no stop words, no numbers, no words of the catalog itself.

    The catalog's words are about the form of answers; people repeat them on every task, so they must not make two
    tasks alike.
    """
    plain, common = unicodedata.normalize("NFKC", text).casefold(), _common_words()
    runs = _UNSPACED.findall(plain)
    for run in runs:
        yield from (run[at : at + 2] for at in range(len(run) - 1))
    for word in _WORD.findall(_UNSPACED.sub(" ", plain) if runs else plain):
        if len(word) > 2 and not word.isnumeric() and word not in common:
            yield word


@cache
def _empty() -> Any:
    """A sketch of nothing; its permutations are the same each time, and dear to draw."""
    from datasketch import MinHash  # here, since it brings SciPy: half a second that not every command needs

    return MinHash(num_perm=SKETCH_SIZE)


@cache
def _common_words() -> frozenset[str]:
    stop = {word.casefold() for language in AVAILABLE_LANGUAGES for word in get_stop_words(language)}
    form = {
        word for pair in catalog.all_pairs() for word in _WORD.findall(f"{pair} {catalog.meaning(pair)}".casefold())
    }
    return frozenset(stop | form | {part for word in form for part in word.split("_")})
