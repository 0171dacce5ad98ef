"""What agents run, and how they come to: hook, install; and what the hook costs."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from habitus_schema.errors import HabitusError
from habitus_worker.cli.inputs import named
from habitus_worker.cli.measuring import bench
from habitus_worker.cli.output import print_json, print_table, say
from habitus_worker.cli.state import State
from habitus_worker.teardown.agents import LAYOUTS, Agent

commands = typer.Typer()
hook = typer.Typer(no_args_is_help=True, help="What an agent runs: fast, and never in its way.")
commands.add_typer(hook, name="hook")
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Told = Annotated[str | None, typer.Argument(help="The event as JSON, where it does not come on stdin.")]


def _run_hook(state: State, agent: Agent, told: str | None) -> None:
    """The same as `habitus-hook`, which starts ten times as fast; ends the process."""
    from habitus_hook.teardown import main
    from habitus_worker.teardown.spool import spool_of

    try:
        where = ["--spool", str(spool_of(state.settings.home))]
    except HabitusError:  # settings that are wrong are for other commands to say
        where = []
    sys.argv = ["habitus-hook", agent.value, *where, *([told] if told else [])]
    main()


@hook.command("claude-code", epilog="Example: habitus hook claude-code < event.json")
def claude_code(context: typer.Context, told: Told = None) -> None:
    """Note that a Claude Code session ended (its SessionEnd hook). Prints nothing; always exits 0."""
    _run_hook(context.obj, Agent.CLAUDE_CODE, told)


@hook.command("codex", epilog="Example: habitus hook codex < event.json")
def codex(context: typer.Context, told: Told = None) -> None:
    """Note that a Codex session ended (SessionEnd), or a turn of one (notify). Prints nothing; always exits 0."""
    _run_hook(context.obj, Agent.CODEX, told)


@hook.command("user-prompt", epilog="Example: habitus hook user-prompt --user ada < event.json")
def user_prompt(
    context: typer.Context,
    user: Annotated[str | None, typer.Option(help="Whose profile is read; the login name when left out.")] = None,
    tenant: Annotated[str | None, typer.Option(help="The person's organisation.")] = None,
) -> None:
    """Print which habits apply to a prompt (UserPromptSubmit of either agent), or nothing. Always exits 0.

    What `habitus install` writes down does the same and starts several times as fast.
    """
    from habitus_worker.user_prompt import main

    state: State = context.obj
    try:
        words = ["--home", str(state.settings.home), "--tenant", tenant or state.settings.tenant]
    except HabitusError:  # settings that are wrong are for other commands to say
        words = []
    sys.argv = ["habitus-hook", *words, *(["--user", user] if user else [])]
    main()


@commands.command(epilog="Example: habitus install claude-code --dry-run")
def install(
    context: typer.Context,
    agent: Annotated[Agent, typer.Argument(help="Whose settings to edit.")],
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Take out what is ours.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the change; write nothing.")] = False,
    user: Annotated[
        str | None, typer.Option(callback=named, help="Who you are in habitus; else your login name.")
    ] = None,
    tenant: Annotated[str | None, typer.Option(callback=named, help="Your organisation.")] = None,
    notify: Annotated[
        bool | None, typer.Option(help="Codex before 0.146 has no SessionEnd; found out when left out.")
    ] = None,
) -> None:
    """Add habitus to an agent's settings: one hook when a session ends, one when you ask something."""
    from habitus_worker.teardown.enrolment import enrolments, login_name
    from habitus_worker.teardown.install import plan
    from habitus_worker.teardown.ours import prompt_words, teardown_words
    from habitus_worker.teardown.settings_files import apply

    state: State = context.obj
    home = state.settings.home
    known = enrolments(home).get(agent)
    name = user or (known.user if known else login_name())
    folder = LAYOUTS[agent].own_folder()
    where = tenant or (known.tenant if known else "")
    reader = prompt_words(home, name, where or state.settings.tenant)
    planned = plan(agent, folder, teardown_words(agent, home), reader, uninstall=uninstall, notify=notify)
    for change in planned.changes:
        if dry_run:
            sys.stdout.write(change.diff())
        else:
            apply(change)
            say(f"{change.path} " + ("is gone, as before" if change.after is None else "changed"))
    if not planned.changes:
        say("nothing to change")
    if not dry_run:
        _enrol(home, agent, None if uninstall else (name, where, folder))
    for note in planned.notes:
        say(note)


def _enrol(home: Path, agent: Agent, who: tuple[str, str, Path] | None) -> None:
    import time

    from habitus_worker.teardown.enrolment import Enrolment, enrol

    if who is None:
        enrol(home, agent, None)
        say(f"{LAYOUTS[agent].title}: habitus is out; what it learned stays until `habitus forget`")
        return
    user, tenant, folder = who
    enrol(home, agent, Enrolment(user=user, tenant=tenant, folder=folder, since=time.time()))
    say(f"{LAYOUTS[agent].title}: sessions that end from now on are handed in as {user}'s while `habitus up` runs")


@bench.command("hook", epilog="Example: habitus bench hook --json")
def bench_hook(
    rounds: Annotated[int, typer.Option(min=1, help="How often each is started.")] = 100, json: Json = False
) -> int:
    """Measure the teardown hook's wall time beside `python -c pass`; exit 1 when it takes more than twice as long."""
    from habitus_worker.bench.hook import measure

    costs = measure(rounds)
    if json:
        for each in costs:
            print_json(asdict(each) | {"holds": each.holds})
    else:
        print_table(
            f"Wall time in milliseconds, medians of {rounds} rounds in turn",
            ["hook", "python -c pass", "hook ms", "ratio", "95 % interval", "limit"],
            [
                (
                    c.agent,
                    f"{c.pass_ms:.1f}",
                    f"{c.hook_ms:.1f}",
                    f"{c.ratio:.2f}",
                    f"{c.low:.2f} to {c.high:.2f}",
                    c.limit,
                )
                for c in costs
            ],
        )
    return int(not all(each.holds for each in costs))
