"""The closed names of the detectors behind a rejection: one a barrier, and `schema` for the closed vocabulary itself.

The log's column takes no other word. `tests/tasks/record/test_rejections.py` compares the list with the barriers.
"""

from enum import StrEnum


class Detector(StrEnum):
    """What refused. Stored values are never renamed."""

    SCHEMA = "schema"
    EMAIL = "email"
    URL = "url"
    DOMAIN = "domain"
    PATH = "path"
    PHONE = "phone"
    ACCOUNT_NUMBER = "account_number"
    IP = "ip"
    SECRET = "secret"  # noqa: S105 - the name of a detector
    HIGH_ENTROPY = "high_entropy"
    NAMED_ENTITY = "named_entity"
    DEMOGRAPHIC = "demographic"
    QUOTED_TEXT = "quoted_text"
    EVASION = "evasion"
