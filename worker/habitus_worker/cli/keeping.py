"""Commands that keep a deployment's database in order: migrate."""

import typer

from habitus_worker.cli.output import console
from habitus_worker.cli.state import State

commands = typer.Typer()


@commands.command(epilog="Example: habitus migrate")
def migrate(context: typer.Context) -> None:
    """Bring the database to this program's schema version. Stop the workers first."""
    from habitus_tasks.migrate import migrate as bring_forward
    from habitus_tasks.store import connect
    from habitus_worker.cli.profiles import rule_of

    state: State = context.obj
    done = bring_forward(connect(state.settings.database), rule_of(state.settings))
    if done.before == done.after:
        console().print(f"schema version {done.after}: nothing to do")
    else:
        console().print(f"schema version {done.before or 'none'} to {done.after}; {done.settled} profiles settled anew")
