"""The HTTP interface for programs: JSON in and out, errors as problem+json (RFC 9457)."""
