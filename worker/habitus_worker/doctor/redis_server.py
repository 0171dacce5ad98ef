"""Redis: does it keep what it is given, evict nothing, and let nobody in without a name?"""

import ipaddress
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import urlsplit

import redis

from habitus_schema.errors import UnavailableError
from habitus_worker.doctor.finding import Finding, bad, graded, ok, warn
from habitus_worker.keys import mask_url
from habitus_worker.ledger import connect
from habitus_worker.settings import Settings

FULL = (80.0, 95.0)
"""Per cent of `maxmemory` from which on it is a warning, and bad. New work is refused at 100."""
OLDEST = (6, 2)
"""The first version whose accounts can be limited as deploy/redis/users.acl does (redis.io, ACL rules)."""


def redis_server(settings: Settings) -> Iterator[Finding]:
    """Redis as a deployment needs it. Raises UnavailableError when it does not answer."""
    found = info_of(settings.redis)
    yield ok("redis", f"{found['redis_version']} at {mask_url(settings.redis)}")
    yield _version(str(found["redis_version"]))
    yield _persistence(found)
    yield _eviction(str(found["maxmemory_policy"]))
    yield _memory(found, settings.redis)
    yield from _access(settings.redis)


def info_of(url: str) -> Mapping[str, Any]:
    """What Redis tells about itself. Raises UnavailableError when it does not answer, or not to this account."""
    try:
        with connect(url) as client:
            return cast(Mapping[str, Any], client.info())
    except redis.exceptions.NoPermissionError:
        raise UnavailableError("this account may not ask Redis: use that of habitus-operate") from None
    except redis.AuthenticationError:
        raise UnavailableError("Redis refuses this account: its name or its password is wrong") from None
    except redis.RedisError:
        raise UnavailableError(
            "Redis does not answer: start it (`habitus up` brings its own), then try again"
        ) from None


def _version(version: str) -> Finding:
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers >= OLDEST:
        return ok("redis_version", version)
    return bad("redis_version", version, "upgrade to 6.2 or later (7 or later also knows write-only keys)")


def _persistence(found: Mapping[str, Any]) -> Finding:
    if not found.get("aof_enabled"):
        return bad("redis_persistence", "no AOF: a restart loses sessions", "set `appendonly yes`")
    if found.get("aof_last_write_status") != "ok":
        return bad("redis_persistence", "the AOF cannot be written", "look at the disk of Redis")
    return ok("redis_persistence", "AOF")


def _eviction(policy: str) -> Finding:
    if policy == "noeviction":
        return ok("redis_eviction", policy)
    return bad("redis_eviction", f"{policy}: a full Redis drops sessions", "set `maxmemory-policy noeviction`")


def _memory(found: Mapping[str, Any], url: str) -> Finding:
    limit, used = int(found["maxmemory"]), int(found["used_memory"])
    if limit:
        share = 100 * used / limit
        advice = "raise maxmemory, or add workers (docs/scale.md says how much)"
        return graded("redis_memory", f"{share:.0f} % of {limit >> 20} MiB", share, FULL, advice)
    if _is_private(url):
        return ok("redis_memory", f"{used >> 20} MiB, no limit")
    return warn("redis_memory", f"{used >> 20} MiB, no limit", "set maxmemory: without it the system may end Redis")


def _access(url: str) -> Iterator[Finding]:
    parts = urlsplit(url)
    if parts.scheme == "unix":
        yield ok("redis_access", "a socket on this machine")
        return
    if _lets_anyone_in(url):
        judge = warn if _is_private(url) else bad
        yield judge("redis_access", "anyone who reaches it is let in", "give it the accounts of deploy/redis/users.acl")
    elif parts.username in (None, "", "default"):
        advice = "use an account for each zone (deploy/redis/users.acl)"
        yield warn("redis_access", "one account that may do everything", advice)
    else:
        yield ok("redis_access", f"as {parts.username}")
    if parts.scheme in ("redis", "sentinel") and not _is_private(url):
        yield warn("redis_transport", "plain text on the network", f"use {parts.scheme}s:// (TLS)")
    else:
        yield ok("redis_transport", "TLS" if parts.scheme in ("rediss", "sentinels") else "this machine")


def _lets_anyone_in(url: str) -> bool:
    parts = urlsplit(url)
    anyone = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    try:
        with connect(anyone) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _is_private(url: str) -> bool:
    """Whether only programs on this machine can reach it."""
    parts = urlsplit(url)
    if parts.scheme == "unix" or parts.hostname == "localhost":
        return True
    try:
        return ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False
