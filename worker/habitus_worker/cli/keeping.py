"""Commands that keep a deployment's database in order: migrate, upkeep, keys."""

import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from habitus_worker.cli.output import console, print_json, print_table, say
from habitus_worker.cli.state import State

commands = typer.Typer()
keys = typer.Typer(no_args_is_help=True, help="The keys of the deployment: list their names, rotate.")
commands.add_typer(keys, name="keys")
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@commands.command(epilog="Example: habitus migrate")
def migrate(context: typer.Context) -> None:
    """Bring the database to this program's schema version. Stop the workers first."""
    from habitus_tasks.migrate import migrate as bring_forward
    from habitus_tasks.whole import require_whole
    from habitus_worker.cli.profiles import rule_of
    from habitus_worker.databases import unchecked_database_of

    state: State = context.obj
    with closing(unchecked_database_of(state.settings)) as database:
        require_whole(database)
        done = bring_forward(database, rule_of(state.settings))
    if done.before == done.after:
        console().print(f"schema version {done.after}: nothing to do")
    else:
        console().print(f"schema version {done.before or 'none'} to {done.after}; {done.settled} profiles settled anew")


@commands.command(epilog="Example: habitus upkeep")
def upkeep(context: typer.Context) -> None:
    """Let expired preferences and old sketches go, of everybody, and count the log: what a record worker does daily."""
    from habitus_tasks.upkeep import keep_up
    from habitus_tasks.whole import require_whole
    from habitus_worker.cli.profiles import rule_of
    from habitus_worker.databases import database_of

    state: State = context.obj
    settings = state.settings
    with closing(database_of(settings)) as database:
        require_whole(database)
        done = keep_up(
            database, rule_of(settings), decision_days=settings.decision_days, log_days=settings.log_days,
            evidence_days=settings.evidence_days,
        )  # fmt: skip
    console().print(
        f"{done.settled} profiles settled, old sketches of {done.sketches} people erased, "
        f"{done.decisions} old counts of decisions deleted, {done.lines} lines of the log counted"
    )
    if settings.evidence_days:
        console().print(f"{done.observations} old observations erased")
    if settings.log_days or done.log.made:
        kept = done.log
        console().print(f"days of the log: {kept.made} made, {kept.dropped} dropped, {kept.lines} old lines deleted")


@commands.command(epilog="Example: habitus partition")
def partition(context: typer.Context) -> None:
    """Give the rejection log a partition for each day, on PostgreSQL, as the owner. Workers wait meanwhile."""
    from habitus_tasks.partitions import partition as divide
    from habitus_tasks.whole import require_whole
    from habitus_worker.databases import database_of
    from habitus_worker.days import today

    state: State = context.obj
    with closing(database_of(state.settings)) as database:
        require_whole(database)
        done = divide(database, today())
    if done:
        say("each day of the rejection log from tomorrow on has a partition; run `habitus upkeep` once a day")
    else:
        say("the rejection log is partitioned: nothing to do")


@keys.command("list", epilog="Example: habitus keys list")
def list_(
    context: typer.Context, json: Annotated[bool, typer.Option("--json", help="One key a line.")] = False
) -> None:
    """Name the keys, the oldest first, and what each does. Never a secret."""
    from habitus_worker.cli.rotating import key_rows

    state: State = context.obj
    rows = key_rows(state.settings)
    if json:
        for kind, name, role in rows:
            print_json({"kind": kind, "key": name, "role": role})
    else:
        print_table("Keys", ["kind", "key", "what it does"], rows)


@keys.command(epilog="Example: habitus keys rotate")
def rotate(
    context: typer.Context,
    seal: Annotated[bool, typer.Option("--seal", help="A new sealing key instead of a new id key.")] = False,
    add_only: Annotated[bool, typer.Option("--add-only", help="Add the id key, re-key later.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Re-key what is left, and never add a key.")] = False,
    record_file: Annotated[Path | None, typer.Option(help="Also write the key file of record workers here.")] = None,
) -> None:
    """Add an id key and re-key the database while workers run. Killed, it goes on when it is run again."""
    from habitus_worker.cli import rotating

    state: State = context.obj
    settings = state.settings
    if seal:
        say(f"key {rotating.new_seal_key(settings)} seals from now on; the older ones open")
        return
    if not add_only:
        rotating.check_whole(settings)
    if not resume and (name := rotating.new_id_key(settings)):
        say(f"key {name} is in the key file")
    if record_file is not None:
        rotating.write_record_keys(settings, record_file)
    if not add_only:
        done = rotating.rekey_all(settings, shown=sys.stderr.isatty())
        say(f"{done.people} people and {done.lines} lines re-keyed; no id of an older key is left")
