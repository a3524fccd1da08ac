"""`mcp`: offer tools to language models and other programs, by the Model Context Protocol."""

from contextlib import suppress

import typer

from ..runtime.extras import import_extra
from . import options
from .terminal import failing
from .tools import Tools


def mcp(
    *,
    requests: int = options.number("Calls that run at the same time.", default=16),
    max_input: int = options.size(
        "Maximum size of unanswered calls, and of stored problems.", "64M", default=1 << 26
    ),
    seconds: float = options.seconds("Time limit of each call.", default=10.0),
    threads: options.Threads = None,
) -> None:
    """Offer tools to language models and other programs: a server of the protocol MCP.

    Examples:
      dlx-numba mcp
      dlx-numba mcp --seconds 60 --threads 1

    A program starts this command, and exchanges messages with it on its standard input and output.
    It needs the package mcp: pip install 'dlx-numba[mcp]'.

    Exit status: 0 at the end of the input, or after Ctrl-C or SIGTERM, which stop the calls in
    progress; 2 for a usage error.
    """
    with failing(errors=(ImportError,)):
        import_extra("mcp", "the server needs the package mcp", "'dlx-numba[mcp]'")
    import anyio

    from .mcp_server import serve

    with suppress(KeyboardInterrupt):
        anyio.run(serve, Tools(seconds, max_input, threads), requests, max_input)
    raise typer.Exit
