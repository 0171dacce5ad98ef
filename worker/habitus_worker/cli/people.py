"""Commands by which a person rules over their own profile: profile show and its siblings, forget."""

from typing import Annotated

import typer

from habitus_worker.cli.output import console, print_json
from habitus_worker.cli.state import State

commands = typer.Typer()
profile = typer.Typer(no_args_is_help=True, help="What habitus knows of a person, and their say over it.")
commands.add_typer(profile, name="profile")

User = Annotated[str, typer.Option(help="Whose profile.")]
Tenant = Annotated[str | None, typer.Option(help="The person's organisation.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@profile.command(epilog="Example: habitus profile show --user ada")
def show(context: typer.Context, user: User, tenant: Tenant = None, json: Json = False) -> None:
    """Show a person's promoted preferences with their counts."""
    from habitus_worker.cli.profiles import print_profile

    state: State = context.obj
    print_profile(state.settings, user, tenant, json)


@commands.command(epilog="Example: habitus forget --user ada")
def forget(context: typer.Context, user: User, tenant: Tenant = None, json: Json = False) -> int:
    """Delete everything about a person, and prove it. Sessions that end later count afresh."""
    from habitus_tasks.forget import forget as forget_person
    from habitus_worker.cli.profiles import database_of, subject_of
    from habitus_worker.days import today

    settings = context.obj.settings
    proof = forget_person(database_of(settings), *subject_of(settings, user, tenant), today())
    if json:
        print_json({"deleted": proof.deleted, "left": proof.left})
    else:
        console().print(f"{proof.deleted} rows deleted; {proof.left} rows of this person left in the database")
    return min(proof.left, 1)
