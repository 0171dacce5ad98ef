"""What a check found."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from habitus_worker.settings import Settings


class Verdict(StrEnum):
    """How it stands with one thing, from good to bad."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One row of the doctor's table. Content-free: figures, names of settings, and files of the deployment.

    Attributes:
        check: which check, as a closed word.
        verdict: how it stands.
        found: what is the case.
        advice: what to do about it; empty when all is well.
    """

    check: str
    verdict: Verdict
    found: str
    advice: str = ""


Check = Callable[[Settings], Iterator[Finding]]
"""Looks at one part of a deployment. May raise HabitusError: what it says becomes a finding."""


def ok(check: str, found: str) -> Finding:
    """All is well."""
    return Finding(check, Verdict.OK, found)


def warn(check: str, found: str, advice: str) -> Finding:
    """It works, and may not for long, or not as well as it could."""
    return Finding(check, Verdict.WARN, found, advice)


def bad(check: str, found: str, advice: str) -> Finding:
    """Something is lost, open to others, or stands still."""
    return Finding(check, Verdict.BAD, found, advice)


def graded(check: str, found: str, value: float, limits: tuple[float, float], advice: str) -> Finding:
    """Judged by a figure: ok up to the first limit, a warning up to the second, bad beyond."""
    if value <= limits[0]:
        return ok(check, found)
    return (warn if value <= limits[1] else bad)(check, found, advice)
