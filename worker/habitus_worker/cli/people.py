"""Commands by which a person rules over their own profile: profile show and its siblings, forget."""

from enum import StrEnum
from typing import Annotated

import typer
from pydantic import ValidationError

from habitus_schema.errors import HabitusError, UsageError
from habitus_schema.pairs import Pair
from habitus_worker.cli.inputs import named
from habitus_worker.cli.output import console, print_json, say
from habitus_worker.cli.state import State
from habitus_worker.settings import Settings

commands = typer.Typer()
profile = typer.Typer(no_args_is_help=True, help="What habitus knows of a person, and their say over it.")
commands.add_typer(profile, name="profile")

User = Annotated[str, typer.Option(callback=named, help="Whose profile.")]
Tenant = Annotated[str | None, typer.Option(callback=named, help="The person's organisation.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Preference = Annotated[str, typer.Argument(help="A pair of the catalog, such as emoji_usage=none.")]


class Shape(StrEnum):
    """What `profile export` writes."""

    JSON = "json"
    MARKDOWN = "markdown"


def _pair(preference: str) -> Pair:
    dimension, _, value = preference.partition("=")
    try:
        return Pair.model_validate({"dimension": dimension, "value": value})
    except ValidationError:
        raise UsageError("not a pair of the catalog: write it as dimension=value, such as emoji_usage=none") from None


@profile.command(epilog="Example: habitus profile show --user ada")
def show(context: typer.Context, user: User, tenant: Tenant = None, json: Json = False) -> None:
    """Show a person's promoted preferences with their counts."""
    from habitus_worker.cli.profiles import print_profile

    state: State = context.obj
    print_profile(state.settings, user, tenant, json)


@profile.command(epilog="Example: habitus profile explain --user ada")
def explain(context: typer.Context, user: User, tenant: Tenant = None, json: Json = False) -> None:
    """Show for each pair why it is in the profile or not: contexts, days, signals, rivals; never content."""
    from habitus_worker.cli.profiles import print_explanations

    state: State = context.obj
    print_explanations(state.settings, user, tenant, json)


@profile.command(epilog="Example: habitus profile export --user ada --as markdown >> AGENTS.md")
def export(
    context: typer.Context,
    user: User,
    tenant: Tenant = None,
    shape: Annotated[Shape, typer.Option("--as", help="JSON, or a section for AGENTS.md or CLAUDE.md.")] = Shape.JSON,
) -> None:
    """Write a person's profile for another program or for an agent's instruction file."""
    from habitus_worker.cli.profiles import exported

    state: State = context.obj
    console().print(exported(state.settings, user, tenant, shape.value), markup=False, soft_wrap=True, end="")


@profile.command(epilog="Example: habitus profile pin emoji_usage=none --user ada")
def pin(context: typer.Context, preference: Preference, user: User, tenant: Tenant = None) -> None:
    """Put a pair into the profile, in place of any rival, until it is unpinned."""
    _rule(context, "pin", preference, user, tenant)


@profile.command(epilog="Example: habitus profile unpin emoji_usage=none --user ada")
def unpin(context: typer.Context, preference: Preference, user: User, tenant: Tenant = None) -> None:
    """Hand a pinned pair back to the promotion rule."""
    _rule(context, "unpin", preference, user, tenant)


@profile.command(epilog="Example: habitus profile remove emoji_usage=none --user ada")
def remove(context: typer.Context, preference: Preference, user: User, tenant: Tenant = None) -> None:
    """Take a pair out and forget its evidence: it has to be learned anew."""
    _rule(context, "remove", preference, user, tenant)


@profile.command(epilog="Example: habitus profile block emoji_usage=none --user ada")
def block(context: typer.Context, preference: Preference, user: User, tenant: Tenant = None) -> None:
    """Remove a pair and keep it from being learned."""
    _rule(context, "block", preference, user, tenant)


@profile.command(epilog="Example: habitus profile unblock emoji_usage=none --user ada")
def unblock(context: typer.Context, preference: Preference, user: User, tenant: Tenant = None) -> None:
    """Let a blocked pair be learned again."""
    _rule(context, "unblock", preference, user, tenant)


def _rule(context: typer.Context, verb: str, preference: str, user: str, tenant: str | None) -> None:
    from habitus_worker.cli.profiles import act, pinned_rival

    state: State = context.obj
    pair = _pair(preference)
    rival = pinned_rival(state.settings, pair, user, tenant) if verb == "pin" else None
    changed = act(state.settings, verb, pair, user, tenant)
    done = f"done; it takes the place of {rival}, which was pinned" if rival else "done"
    console().print(done if changed else "nothing to change", markup=False, soft_wrap=True)


@commands.command(epilog="Example: habitus forget --user ada")
def forget(context: typer.Context, user: User, tenant: Tenant = None, json: Json = False) -> int:
    """Delete everything about a person, and prove it. Sessions that end later count afresh."""
    from habitus_tasks.forget import forget as forget_person
    from habitus_worker.cli.profiles import subject_of
    from habitus_worker.databases import database_of
    from habitus_worker.days import today
    from habitus_worker.teardown.forgetting import forget_files

    settings = context.obj.settings
    forget_files(settings, user, tenant)
    proof = forget_person(database_of(settings), *subject_of(settings, user, tenant), today())
    _drop_burned(settings)
    if json:
        print_json({"deleted": proof.deleted, "scanned": proof.scanned, "left": proof.left})
    else:
        console().print(
            f"{proof.deleted} rows deleted; of {proof.scanned} rows read afterwards, {proof.left} are theirs"
        )
    return min(proof.left, 1)


def _drop_burned(settings: Settings) -> None:
    from habitus_worker.stack import drop_burned

    try:
        drop_burned(settings)
    except HabitusError:  # the rows are gone all the same, and that is what the proof is of
        say("habitus: sealed sessions may still lie in Redis's file; they go when `habitus up` starts or stops")
