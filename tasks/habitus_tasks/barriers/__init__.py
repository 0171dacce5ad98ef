"""The barriers that a note must pass, in order: characters, shapes, capitals, vocabulary. One a file.

The last two fail closed, so the shapes are there for what is made of listed words and digits, and to name the reason.
To add a barrier: a file here with a ``BARRIER``, its place in `BARRIERS`, a test file of its name, a line in
``docs/gate.md``.
"""

from habitus_schema.codes import Code
from habitus_tasks.barriers import (
    age,
    birth_date,
    capitals,
    characters,
    code_snippet,
    credential,
    domain,
    email_address,
    encodings,
    file_path,
    handle,
    high_entropy,
    iban,
    ip_address,
    life_phrase,
    mac_address,
    mixed_token,
    national_id,
    numbers,
    origin,
    payment_card,
    person_title,
    phone,
    postal_address,
    private_key,
    quoted_text,
    secret_token,
    sensitive_word,
    spelled_out,
    split_letters,
    ticket,
    url,
    vocabulary,
)
from habitus_tasks.barriers.barrier import Barrier, held_by

BARRIERS: tuple[Barrier, ...] = (
    encodings.BARRIER,
    spelled_out.BARRIER,
    split_letters.BARRIER,
    private_key.BARRIER,
    secret_token.BARRIER,
    credential.BARRIER,
    email_address.BARRIER,
    handle.BARRIER,
    url.BARRIER,
    mac_address.BARRIER,
    ip_address.BARRIER,
    file_path.BARRIER,
    domain.BARRIER,
    high_entropy.BARRIER,
    birth_date.BARRIER,
    age.BARRIER,
    payment_card.BARRIER,
    iban.BARRIER,
    national_id.BARRIER,
    phone.BARRIER,
    ticket.BARRIER,
    postal_address.BARRIER,
    numbers.BARRIER,
    mixed_token.BARRIER,
    code_snippet.BARRIER,
    quoted_text.BARRIER,
    person_title.BARRIER,
    sensitive_word.BARRIER,
    origin.BARRIER,
    life_phrase.BARRIER,
    capitals.BARRIER,
    vocabulary.BARRIER,
)
"""In the order in which they are asked, after `characters`; the first that catches names the reason."""

DETECTORS = frozenset({"schema", "count", "note_form", characters.BARRIER.name, *(b.name for b in BARRIERS)})
"""Every detector name that a refusal of the gate can carry."""

_ALWAYS = frozenset(number for number, barrier in enumerate(BARRIERS) if barrier.needs is None)
_ASKS = {
    item: tuple(number for number, barrier in enumerate(BARRIERS) if item in (barrier.needs or ()))
    for item in frozenset().union(*(barrier.needs or () for barrier in BARRIERS))
}
"""Which barriers a note is asked by, for each thing that it holds."""


def refusal(note: str) -> tuple[Code, str] | None:
    """The code and the detector that refuse a note, or None when it may pass. Keeps nothing of it."""
    if characters.catches(note):
        return characters.BARRIER.code, characters.BARRIER.name
    text = characters.fold(note)
    asked = set(_ALWAYS)
    for item in _ASKS.keys() & held_by(text):
        asked.update(_ASKS[item])
    for number in sorted(asked):
        if BARRIERS[number].catches(text):
            return BARRIERS[number].code, BARRIERS[number].name
    return None
