"""`mcp`: offer tools to language models and other programs, by the Model Context Protocol."""

import json
import re
import sys
import threading
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from importlib.util import find_spec
from inspect import Parameter, getdoc, signature
from typing import Any

import typer

from .. import __version__
from ..puzzles.puzzle import Puzzle
from ..runtime.errors import DlxError
from . import options
from .terminal import fail
from .tools import DESCRIPTIONS, STATUS, TOOLS, Tools

INSTRUCTIONS = (
    "Use these tools for rosters, timetables, tilings, Sudokus and other puzzles in which options "
    "are chosen so that each item is covered once. Their answers are exact. Describe the problem, "
    "and read the status of the result first."
)
POLL_SECONDS = 0.02
_ID = re.compile(rb'"id"\s*:\s*("[^"\\]{0,99}"|-?[0-9]{1,18})(?=\s*[,}])')

_size = ContextVar[int]("_size", default=0)  # of the message that is being answered


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
    if find_spec("mcp") is None:
        raise fail("the package mcp is not installed: pip install 'dlx-numba[mcp]'")
    import anyio

    with suppress(KeyboardInterrupt):
        anyio.run(_serve, Tools(seconds, max_input, threads), requests, max_input)
    raise typer.Exit


def _model(name: str) -> Any:
    """Return the parameters of a tool as a class that validates arguments and has a schema."""
    from pydantic import Field, create_model

    parameters = [*signature(TOOLS[name]).parameters.values()][2:]
    if parameters[0].annotation is Puzzle:
        parameters[:1] = [*signature(Tools.select).parameters.values()][1:]
    fields: dict[str, Any] = {
        "seconds": (float | None, Field(None, description=DESCRIPTIONS["seconds"]))
    }
    for each in parameters:
        default = ... if each.default is Parameter.empty else each.default
        description = DESCRIPTIONS.get(each.name)
        fields[each.name] = each.annotation, Field(default, description=description)
    return create_model(name, __config__={"extra": "forbid"}, **fields)


async def _serve(tools: Tools, n_requests: int, max_input: int) -> None:
    """Answer messages until the input ends, which stops the calls that are not yet answered."""
    import anyio
    import mcp_types as types
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server
    from mcp.shared.message import SessionMessage
    from pydantic import ValidationError
    from pydantic_core import from_json

    models = {name: _model(name) for name in TOOLS}
    n_bytes = 0
    workers = anyio.CapacityLimiter(n_requests)
    reader = anyio.CapacityLimiter(1)

    async def list_tools(context: Any, parameters: Any) -> Any:
        result = {"type": "object", "properties": {"status": STATUS}, "required": ["status"]}
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=name,
                    description=getdoc(TOOLS[name]),
                    input_schema=model.model_json_schema(),
                    output_schema=result,
                )
                for name, model in models.items()
            ]
        )

    async def call_tool(context: Any, parameters: Any) -> Any:
        nonlocal n_bytes
        name = parameters.name
        size = _size.get()
        event = threading.Event()
        n_bytes += size
        try:
            if name not in models:
                raise ValueError(f"there is no such tool; there are {', '.join(models)}")
            arguments = dict(models[name].model_validate(parameters.arguments or {}))
            work = partial(tools.call, name, tools.find_stored(name, arguments), event)
            text, record = await anyio.to_thread.run_sync(
                work, abandon_on_cancel=True, limiter=workers
            )
            return types.CallToolResult(
                content=[types.TextContent(text=text)], structured_content=record
            )
        except ValidationError as error:
            reasons = (
                f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()
            )
            text = "; ".join(reasons)
        except (ValueError, TypeError, OSError, MemoryError, DlxError) as error:
            text = str(error) or type(error).__name__
        except Exception as error:  # a defect should not end the server
            text = f"internal error: {error!r}"
        finally:
            event.set()  # also if the client cancels the call
            n_bytes -= size
        return types.CallToolResult(
            content=[types.TextContent(text=f"{name}: {text}")], is_error=True
        )

    def find_error(line: bytes) -> Any:
        """Return what is wrong with a message, which the server would not answer, or None."""
        code = types.INVALID_REQUEST
        if len(line) > max_input:
            reason = f"the message has more than {max_input:,} bytes; see --max-input"
            return types.ErrorData(code=code, message=reason)
        try:
            content = from_json(line)
        except ValueError as error:
            return types.ErrorData(code=types.PARSE_ERROR, message=f"no JSON: {error}")
        try:
            message = types.jsonrpc_message_adapter.validate_python(content, by_name=False)
        except ValidationError:
            return types.ErrorData(code=code, message="the message is not a request of JSON-RPC")
        if isinstance(message, types.JSONRPCNotification) and "id" in content:
            return types.ErrorData(code=code, message="an id must be a text or an integer")
        return None

    async def lines() -> Any:
        """Yield the lines of standard input, while the unanswered calls are small enough."""
        read = partial(_read_line, max_input)
        while line := await anyio.to_thread.run_sync(read, abandon_on_cancel=True, limiter=reader):
            if not line.strip():
                continue
            if (error := find_error(line)) is not None:
                id = json.loads(found[1]) if (found := _ID.search(line[:1000])) else None
                answer = types.JSONRPCError(jsonrpc="2.0", id=id, error=error)
                await answers.send(SessionMessage(answer))
                continue
            _size.set(len(line))
            yield line.decode("utf-8", "replace")
            while n_bytes > max_input:
                await anyio.sleep(POLL_SECONDS)

    server = Server(
        "dlx-numba",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server(stdin=lines()) as (messages, answers):
        await server.run(messages, answers, server.create_initialization_options())


def _read_line(max_input: int) -> bytes:
    """Return the next line, or the beginning of one that is too long."""
    line = rest = sys.stdin.buffer.readline(max_input + 1)
    while len(line) > max_input and rest and not rest.endswith(b"\n"):
        rest = sys.stdin.buffer.readline(1 << 16)
    return line
