"""`mcp`: offer tools to language models and other programs, by the Model Context Protocol."""

from contextlib import suppress

import typer

from ..runtime.extras import import_extra
from . import options
from .terminal import failing
from .tools import Tools


def mcp(
    *,
    requests: int,
    max_input: int,
    seconds: float,
    threads: options.Threads,
) -> None:
    """Offer tools to language models and other programs: a server of the protocol MCP."""
    with failing(errors=(ImportError,)):
        import_extra("mcp", "the server needs the package mcp", "'dlx-numba[mcp]'")
    import anyio

    from .mcp_server import serve

    with suppress(KeyboardInterrupt):
        anyio.run(serve, Tools(seconds, max_input, threads), requests, max_input)
    raise typer.Exit
