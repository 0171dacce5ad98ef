"""The closed rejection codes: the only words in which habitus says why it did not learn something."""

from enum import StrEnum
from types import MappingProxyType


class Stage(StrEnum):
    """Where in the flow a rejection was decided."""

    PARSE = "parse"
    EXTRACT = "extract"
    GATE = "gate"
    RECORD = "record"
    QUEUE = "queue"


class Code(StrEnum):
    """Why. Stored values are never renamed; a new reason is a new member."""

    MALFORMED_TRANSCRIPT = "MALFORMED_TRANSCRIPT"
    UNSUPPORTED_FORMAT = "UNSUPPORTED_FORMAT"
    TOO_LARGE = "TOO_LARGE"
    ONE_OFF = "ONE_OFF"
    WITHDRAWN = "WITHDRAWN"
    UNDECIDED = "UNDECIDED"
    EXTRACTOR_FAILED = "EXTRACTOR_FAILED"
    UNKNOWN_DIMENSION = "UNKNOWN_DIMENSION"
    UNKNOWN_VALUE = "UNKNOWN_VALUE"
    FREE_TEXT = "FREE_TEXT"
    PRIVATE_EMAIL = "PRIVATE_EMAIL"
    PRIVATE_URL = "PRIVATE_URL"
    PRIVATE_DOMAIN = "PRIVATE_DOMAIN"
    PRIVATE_PATH = "PRIVATE_PATH"
    PRIVATE_PHONE = "PRIVATE_PHONE"
    PRIVATE_ACCOUNT_NUMBER = "PRIVATE_ACCOUNT_NUMBER"
    PRIVATE_IP = "PRIVATE_IP"
    PRIVATE_SECRET = "PRIVATE_SECRET"  # noqa: S105 - the name of a reason
    PRIVATE_HIGH_ENTROPY = "PRIVATE_HIGH_ENTROPY"
    PRIVATE_NAMED_ENTITY = "PRIVATE_NAMED_ENTITY"
    PRIVATE_DEMOGRAPHIC = "PRIVATE_DEMOGRAPHIC"
    PRIVATE_QUOTED_TEXT = "PRIVATE_QUOTED_TEXT"
    PRIVATE_EVASION = "PRIVATE_EVASION"
    DUPLICATE_SESSION = "DUPLICATE_SESSION"
    BELOW_RECURRENCE = "BELOW_RECURRENCE"
    CONFLICTING_EVIDENCE = "CONFLICTING_EVIDENCE"
    ENTITY_COUPLED = "ENTITY_COUPLED"
    SUPERSEDED = "SUPERSEDED"
    BLOCKED_BY_PERSON = "BLOCKED_BY_PERSON"
    FORGOTTEN = "FORGOTTEN"
    PAYLOAD_EXPIRED = "PAYLOAD_EXPIRED"
    ATTEMPTS_EXHAUSTED = "ATTEMPTS_EXHAUSTED"
    UNSEAL_FAILED = "UNSEAL_FAILED"


_PARSE, _EXTRACT, _GATE, _RECORD, _QUEUE = Stage

MEANING: MappingProxyType[Code, tuple[Stage, str, str]] = MappingProxyType(
    {
        Code.MALFORMED_TRANSCRIPT: (
            _PARSE,
            "the transcript could not be read",
            "check the file it came from",
        ),
        Code.UNSUPPORTED_FORMAT: (_PARSE, "no reader knows this format", "name it with --format"),
        Code.TOO_LARGE: (_PARSE, "over the size limit", "raise the limit or split the file"),
        Code.ONE_OFF: (_EXTRACT, "asked for this one time only", "nothing to do"),
        Code.WITHDRAWN: (_EXTRACT, "taken back later in the session", "nothing to do"),
        Code.UNDECIDED: (_EXTRACT, "the session ended without a decision", "nothing to do"),
        Code.EXTRACTOR_FAILED: (_EXTRACT, "the extractor broke on this session", "look at `habitus doctor`"),
        Code.UNKNOWN_DIMENSION: (
            _GATE,
            "not a dimension of the catalog",
            "check the extractor or the caller",
        ),
        Code.UNKNOWN_VALUE: (_GATE, "not a value of this dimension", "check the extractor or the caller"),
        Code.FREE_TEXT: (_GATE, "prose where only closed words may stand", "use the published vocabulary"),
        Code.PRIVATE_EMAIL: (_GATE, "an e-mail address or a handle", "leave it out of the note"),
        Code.PRIVATE_URL: (_GATE, "a web address", "leave it out of the note"),
        Code.PRIVATE_DOMAIN: (_GATE, "a host or domain name", "leave it out of the note"),
        Code.PRIVATE_PATH: (_GATE, "a file or repository path", "leave it out of the note"),
        Code.PRIVATE_PHONE: (_GATE, "a telephone number", "leave it out of the note"),
        Code.PRIVATE_ACCOUNT_NUMBER: (
            _GATE,
            "an account, card or document number",
            "leave it out of the note",
        ),
        Code.PRIVATE_IP: (_GATE, "a network address", "leave it out of the note"),
        Code.PRIVATE_SECRET: (_GATE, "a key, token or password", "leave it out, and rotate it"),
        Code.PRIVATE_HIGH_ENTROPY: (_GATE, "a string too random to be a word", "leave it out of the note"),
        Code.PRIVATE_NAMED_ENTITY: (
            _GATE,
            "a name, or a capital that is not listed",
            "use the published vocabulary",
        ),
        Code.PRIVATE_DEMOGRAPHIC: (_GATE, "something about the person's life", "leave it out of the note"),
        Code.PRIVATE_QUOTED_TEXT: (_GATE, "quoted text or code", "leave it out of the note"),
        Code.PRIVATE_EVASION: (_GATE, "disguised characters", "write plain text"),
        Code.DUPLICATE_SESSION: (_RECORD, "this session was counted before", "nothing to do"),
        Code.BELOW_RECURRENCE: (_RECORD, "not yet seen in enough task contexts", "wait: it counts on"),
        Code.CONFLICTING_EVIDENCE: (_RECORD, "two values hold one another back", "pin one, or wait"),
        Code.ENTITY_COUPLED: (_RECORD, "tied to one named client or project", "nothing to do"),
        Code.SUPERSEDED: (_RECORD, "another value took its place", "nothing to do"),
        Code.BLOCKED_BY_PERSON: (_RECORD, "the person blocked this pair", "unblock it to learn it again"),
        Code.FORGOTTEN: (_RECORD, "from before the person asked to be forgotten", "nothing to do"),
        Code.PAYLOAD_EXPIRED: (
            _QUEUE,
            "the sealed session outlived its time to live",
            "add workers, submit again",
        ),
        Code.ATTEMPTS_EXHAUSTED: (_QUEUE, "failed too many times", "`habitus deadletters retry` once mended"),
        Code.UNSEAL_FAILED: (
            _QUEUE,
            "no key opens this payload",
            "give the worker the key it was sealed with",
        ),
    }
)
"""For each code: its stage, what it means, what to do."""


def stage_of(code: Code) -> Stage:
    """The one stage that may give this code."""
    return MEANING[code][0]
