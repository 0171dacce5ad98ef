"""Commands around the HTTP interface: serve, tokens."""

from typing import Annotated

import typer

from habitus_worker.cli.output import console, print_json, print_table, say
from habitus_worker.cli.state import State

commands = typer.Typer()
tokens = typer.Typer(no_args_is_help=True, help="Tokens by which tenants reach `habitus serve`: add, list, revoke.")
commands.add_typer(tokens, name="tokens")
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Tenant = Annotated[str, typer.Argument(help="The tenant's name.")]


@commands.command(epilog="Example: habitus serve --port 8760")
def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on; loopback unless you say otherwise.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8760,
    name: Annotated[list[str] | None, typer.Option(help="Host name it is reached under, beside loopback.")] = None,
) -> None:
    """Serve the HTTP interface and the rejection-log pages, until Ctrl-C."""
    from habitus_worker.serve.run import is_loopback, run_server

    state: State = context.obj
    if not is_loopback(host):
        say("habitus: not on loopback: put a TLS proxy in front, since tokens travel with every request")
    ready = f"habitus serves http://{host}:{port}/; Ctrl-C stops it"
    run_server(state.settings, host, port, name or (), lambda: say(ready))


@tokens.command(epilog="Example: habitus tokens add acme")
def add(
    context: typer.Context,
    tenant: Tenant,
    operator: Annotated[bool, typer.Option("--operator", help="Also the figures of the whole deployment.")] = False,
    json: Json = False,
) -> None:
    """Make a token for a tenant. It is shown this once, and kept as a keyed hash."""
    from habitus_worker.keys import load_keys
    from habitus_worker.serve.tokens import Role, add_token

    settings = context.obj.settings
    role = Role.OPERATOR if operator else Role.TENANT
    token = add_token(settings.tokens, tenant, role, load_keys(settings.keys).ids.first)
    if json:
        print_json({"token": token, "role": role})
    else:
        console().print(token, markup=False, soft_wrap=True)
        say("this token is shown this once; hand it to the tenant over a safe way")


@tokens.command("list", epilog="Example: habitus tokens list")
def list_(context: typer.Context, json: Json = False) -> None:
    """List the tokens in force: their ids, roles and days, the tenants by their keyed ids."""
    from habitus_worker.serve.tokens import read_tokens

    found = read_tokens(context.obj.settings.tokens)
    if json:
        for each in found:
            print_json({"token": each.id, "tenant": each.tenant, "role": each.role, "day": each.day})
    else:
        rows = [(each.id, each.tenant, each.role, each.day) for each in found]
        print_table("Tokens", ["token", "tenant", "role", "day"], rows, empty="none: `habitus tokens add TENANT`")


@tokens.command(epilog="Example: habitus tokens revoke acme")
def revoke(
    context: typer.Context,
    tenant: Tenant,
    token: Annotated[str | None, typer.Option(help="Only the token with this id.")] = None,
) -> int:
    """Revoke a tenant's tokens. A running server follows at once."""
    from habitus_worker.keys import load_keys
    from habitus_worker.serve.tokens import revoke_tokens

    settings = context.obj.settings
    revoked = revoke_tokens(settings.tokens, tenant, token, load_keys(settings.keys).ids.first)
    console().print(f"{revoked} revoked")
    return 0 if revoked else 1
