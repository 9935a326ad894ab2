"""`forsale serve`: a server for people and bots."""

import ipaddress
import sys
from pathlib import Path
from urllib.parse import urlsplit

import click

from forsale.cli.database import database_option


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 for the whole network.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 for any that is free.")
@database_option
@click.option("--public-url", metavar="URL", help="What people type: needed behind a proxy, and for https.")
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy whose X-Forwarded-For and X-Forwarded-Proto are believed. [default: 127.0.0.1, ::1]",
)
@click.option(
    "--max-sockets", type=click.IntRange(1), default=50, show_default=True, help="Open at once from one address."
)
@click.option(
    "--max-requests", type=click.IntRange(1), default=50, show_default=True, help="A second from one address."
)
@click.option("--access-log", is_flag=True, help="Log every request: its route, never its path or who asked.")
@click.option(
    "--metrics-token",
    envvar="FORSALE_METRICS_TOKEN",
    show_envvar=True,
    metavar="TOKEN",
    help="Lets a client with this bearer token read /metrics; without it, only this machine can.",
)
def serve(
    host: str,
    port: int,
    database: Path,
    public_url: str | None,
    proxies: tuple[str, ...],
    max_sockets: int,
    max_requests: int,
    access_log: bool,
    metrics_token: str | None,
) -> None:
    """Host tables for people and bots, until it is stopped.

    Everything is kept in one file. Stopping loses nothing: whoever plays is connected again when it is back.
    """
    # Here, as no other command needs a server.
    from forsale.server.limits import Limits
    from forsale.server.origin import origin_from_url
    from forsale.server.run import CannotServe, Settings, run
    from forsale.server.store import StoreError

    try:
        public = None if public_url is None else origin_from_url(public_url)
    except ValueError as error:
        raise click.ClickException(f"--public-url: {error}") from None
    settings = Settings(
        host=host,
        port=port,
        database=database,
        public=public,
        trusted_proxies=[_checked(proxy) for proxy in proxies] or Settings().trusted_proxies,
        limits=Limits.of(max_sockets, max_requests),
        access_log=access_log,
        metrics_token=metrics_token or None,
    )
    try:
        run(settings, lambda url: _show(url, database))
    except (CannotServe, StoreError) as error:
        raise click.ClickException(str(error)) from None


def _checked(proxy: str) -> str:
    """An address or a network. A name would never match, and a mistake here is found out too late."""
    try:
        return str(ipaddress.ip_network(proxy)) if "/" in proxy else str(ipaddress.ip_address(proxy))
    except ValueError as error:
        raise click.ClickException(f"--trusted-proxy: {error}") from None


def _show(url: str, database: Path) -> None:
    """The address to open; in a terminal also who can open it, and how it ends."""
    click.echo(f"For Sale is at {url}")
    if sys.stdout.isatty():
        if urlsplit(url).hostname in ("127.0.0.1", "::1", "localhost"):
            click.echo("Open it in a browser on this machine. With --host 0.0.0.0 others in your network can come too.")
        else:
            import segno

            segno.make_qr(url).terminal(compact=True)
            click.echo("Open it in a browser, or point the camera of a phone at this picture.")
        click.echo(f"Everything is kept in {database}. Ctrl+C stops the server; nothing is lost.")
    sys.stdout.flush()
