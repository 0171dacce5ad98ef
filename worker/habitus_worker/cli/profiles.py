"""How a profile is printed, and how the person's word reaches it."""

import json
from typing import Any

from habitus_schema import catalog
from habitus_schema.ids import Kind
from habitus_schema.pairs import Pair
from habitus_tasks import profile
from habitus_tasks.profile import Explanation, ProfileRow
from habitus_tasks.promote import PromotionRule
from habitus_worker.cli.output import print_json, print_table
from habitus_worker.databases import database_of
from habitus_worker.keys import load_keys
from habitus_worker.settings import Settings


def subject_of(settings: Settings, user: str, tenant: str | None) -> tuple[str, str]:
    """The keyed ids (tenant, subject) of a person."""
    key, name = load_keys(settings.keys).ids, tenant or settings.tenant
    return key.keyed(Kind.TENANT, name), key.keyed(Kind.SUBJECT, name, user)


def rule_of(settings: Settings) -> PromotionRule:
    """The deployment's promotion rule."""
    return PromotionRule(k=settings.k, window_days=settings.window_days)


def print_profile(settings: Settings, user: str, tenant: str | None, as_json: bool) -> None:
    """Prints a person's profile: pairs and counts."""
    rows = profile.show(database_of(settings), *subject_of(settings, user, tenant))
    if as_json:
        for row in rows:
            print_json(profile_row(row))
        return
    print_table(
        "Profile",
        ["preference", "meaning", "contexts", "since", "last", "status"],
        [
            (row.pair, catalog.meaning(row.pair), row.contexts, row.first_day, row.last_day, _status(row))
            for row in rows
        ],
        empty="no habit yet: a pair counts once it was seen in two task contexts",
    )


def _status(row: ProfileRow) -> str:
    return f"{row.status}, pinned" if row.pinned else row.status.value


def profile_row(row: ProfileRow) -> dict[str, Any]:
    """A profile row as JSON."""
    return {
        **row.pair.model_dump(mode="json"),
        "status": row.status.value,
        "contexts": row.contexts,
        "first_day": row.first_day,
        "last_day": row.last_day,
        "pinned": row.pinned,
    }


def print_explanations(settings: Settings, user: str, tenant: str | None, as_json: bool) -> None:
    """Prints for each pair of a person why it is in the profile or not."""
    found = profile.explain(database_of(settings), *subject_of(settings, user, tenant), rule_of(settings))
    if as_json:
        for each in found:
            print_json(explanation_row(each))
        return
    print_table(
        "Why each pair is in the profile or not",
        ["preference", "status", "reason", "contexts", "first", "last", "signals", "rivals"],
        [
            (
                each.pair, each.status or "-", each.reason.value, each.contexts, each.first_day, each.last_day,
                ", ".join(each.signals), ", ".join(f"{rival.value} ({count})" for rival, count in each.rivals),
            )
            for each in found
        ],
        empty="nothing was seen yet",
    )  # fmt: skip


def explanation_row(each: Explanation) -> dict[str, Any]:
    """An explanation as JSON."""
    return {
        **each.pair.model_dump(mode="json"),
        "status": each.status,
        "reason": each.reason.value,
        "contexts": each.contexts,
        "first_day": each.first_day,
        "last_day": each.last_day,
        "signals": list(each.signals),
        "rivals": [{"value": rival.value, "contexts": count} for rival, count in each.rivals],
    }


def exported(settings: Settings, user: str, tenant: str | None, shape: str) -> str:
    """A person's profile as JSON, or as a Markdown section in the catalog's words."""
    database, person = database_of(settings), subject_of(settings, user, tenant)
    if shape == "markdown":
        return profile.markdown(profile.show(database, *person))
    return json.dumps(profile.export(database, *person), indent=2) + "\n"


def pinned_rival(settings: Settings, pair: Pair, user: str, tenant: str | None) -> Pair | None:
    """The other value of the pair's dimension that is pinned, if one is: a pin of the pair takes its place."""
    rows = profile.show(database_of(settings), *subject_of(settings, user, tenant))
    rivals = [row.pair for row in rows if row.pinned and row.pair.dimension == pair.dimension and row.pair != pair]
    return next(iter(rivals), None)


def act(settings: Settings, verb: str, pair: Pair, user: str, tenant: str | None) -> bool:
    """Does what the person says: pin, unpin, remove, block or unblock. Returns whether anything changed."""
    database, person = database_of(settings), subject_of(settings, user, tenant)
    if verb == "unblock":
        return profile.unblock(database, *person, pair)
    verbs = {"pin": profile.pin, "unpin": profile.unpin, "remove": profile.remove, "block": profile.block}
    return verbs[verb](database, *person, pair, rule_of(settings))
