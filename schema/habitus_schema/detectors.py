"""The closed names of the detectors behind a rejection: the gate's barriers, and its own three checks.

The log's column takes no other word (a CHECK of the database), so a new barrier adds its name here;
`tests/tasks/record/test_rejections.py` compares the list with the barriers. A name that a newer content worker sends
and an older record worker does not know is left out of the line; the line itself is kept.
"""

from enum import StrEnum


class Detector(StrEnum):
    """What refused. Stored values are never renamed."""

    AGE = "age"
    BIRTH_DATE = "birth_date"
    CAPITALS = "capitals"
    CHARACTERS = "characters"
    CODE_SNIPPET = "code_snippet"
    COUNT = "count"
    CREDENTIAL = "credential"
    DOMAIN = "domain"
    EMAIL_ADDRESS = "email_address"
    ENCODINGS = "encodings"
    FILE_PATH = "file_path"
    HANDLE = "handle"
    HIGH_ENTROPY = "high_entropy"
    IBAN = "iban"
    IP_ADDRESS = "ip_address"
    LIFE_PHRASE = "life_phrase"
    MAC_ADDRESS = "mac_address"
    MIXED_TOKEN = "mixed_token"  # noqa: S105 - the name of a detector
    NATIONAL_ID = "national_id"
    NOTE_FORM = "note_form"
    NUMBERS = "numbers"
    ORIGIN = "origin"
    PAYMENT_CARD = "payment_card"
    PERSON_TITLE = "person_title"
    PHONE = "phone"
    POSTAL_ADDRESS = "postal_address"
    PRIVATE_KEY = "private_key"
    QUOTED_TEXT = "quoted_text"
    SCHEMA = "schema"
    SECRET_TOKEN = "secret_token"  # noqa: S105 - the name of a detector
    SENSITIVE_WORD = "sensitive_word"
    SPELLED_OUT = "spelled_out"
    SPLIT_LETTERS = "split_letters"
    TICKET = "ticket"
    URL = "url"
    VOCABULARY = "vocabulary"
