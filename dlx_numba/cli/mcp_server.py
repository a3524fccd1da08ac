"""The server of `mcp`, which needs the package mcp: it reads messages, and calls the tools."""

import asyncio
import json
import re
import sys
import threading
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, getdoc, signature
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import Field, ValidationError, create_model
from pydantic_core import from_json

from .. import __version__
from ..puzzles.puzzle import Puzzle
from ..runtime.errors import DlxError
from .terminal import deferred_signals
from .tools import DESCRIPTIONS, STATUS, TOOLS, Tools

INSTRUCTIONS = (
    "Use these tools for rosters, timetables, tilings, Sudokus and other puzzles in which options "
    "are chosen so that each item is covered once. Their answers are exact. Describe the problem, "
    "and read the status of the result first."
)
POLL_SECONDS = 0.02
# The id of a message that may be no valid JSON
_ID = re.compile(rb'"id"\s*:\s*("[^"\\]{0,99}"|-?[0-9]{1,18})(?=\s*[,}])')

_size = ContextVar[int]("_size", default=0)  # of the message that is being answered


async def serve(tools: Tools, n_requests: int, max_input: int) -> None:
    """Answer messages until the input ends, which stops the calls that are not yet answered.

    A signal ends the input. Its exception could hit the task that writes answers, for which the
    others would wait.
    """
    calls = _Calls(tools, n_requests)
    messages = _Messages(calls, max_input)
    server = Server(
        "dlx-numba",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=calls.list_tools,
        on_call_tool=calls.call_tool,
    )
    loop = asyncio.get_running_loop()

    def end() -> None:
        loop.call_soon_threadsafe(messages.end)

    with deferred_signals(end):
        async with stdio_server(stdin=messages.lines()) as (received, messages.answers):
            await server.run(received, messages.answers, server.create_initialization_options())


def _model(name: str) -> Any:
    """Return the parameters of a tool as a class that validates arguments and has a schema.

    A tool with a puzzle has the parameters of `Tools.select` in its place.
    """
    _self, _stop, *parameters = signature(TOOLS[name]).parameters.values()
    if parameters[0].annotation is Puzzle:
        _self, *selection = signature(Tools.select).parameters.values()
        parameters = [*selection, *parameters[1:]]
    fields: dict[str, Any] = {
        "seconds": (float | None, Field(None, description=DESCRIPTIONS["seconds"]))
    }
    for each in parameters:
        default = ... if each.default is Parameter.empty else each.default
        description = DESCRIPTIONS.get(each.name)
        fields[each.name] = each.annotation, Field(default, description=description)
    return create_model(name, __config__={"extra": "forbid"}, **fields)


class _Calls:
    """The calls of tools, of which a limited number runs at the same time, in threads."""

    def __init__(self, tools: Tools, n_requests: int) -> None:
        self.tools = tools
        self.models = {name: _model(name) for name in TOOLS}
        self.n_bytes = 0  # of the messages that are not yet answered
        self.workers = anyio.CapacityLimiter(n_requests)

    async def list_tools(self, context: Any, parameters: Any) -> Any:
        """Return the tools, with the schemas of their arguments and results."""
        result = {"type": "object", "properties": {"status": STATUS}, "required": ["status"]}
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=name,
                    description=getdoc(TOOLS[name]),
                    input_schema=model.model_json_schema(),
                    output_schema=result,
                )
                for name, model in self.models.items()
            ]
        )

    async def call_tool(self, context: Any, parameters: Any) -> Any:
        """Return the result of a call, or a text that says why there is none."""
        name = parameters.name
        size = _size.get()
        event = threading.Event()
        self.n_bytes += size  # while it is too large, `_Messages.lines` waits
        try:
            text, record = await self._run(name, parameters.arguments or {}, event)
            return types.CallToolResult(
                content=[types.TextContent(text=text)], structured_content=record
            )
        except ValidationError as error:
            text = "; ".join(
                f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()
            )
        except (ValueError, TypeError, OSError, MemoryError, DlxError) as error:
            text = str(error) or type(error).__name__
        except Exception as error:  # a defect should not end the server
            text = f"internal error: {error!r}"
        finally:
            event.set()  # also if the client cancels the call
            self.n_bytes -= size
        return types.CallToolResult(
            content=[types.TextContent(text=f"{name}: {text}")], is_error=True
        )

    async def _run(self, name: str, given: dict[str, Any], event: threading.Event) -> Any:
        """Return what `Tools.call` returns, in a thread that ends soon after the event is set."""
        if name not in self.models:
            raise ValueError(f"there is no such tool; there are {', '.join(self.models)}")
        arguments = dict(self.models[name].model_validate(given))
        work = partial(self.tools.call, name, self.tools.find_stored(name, arguments), event)
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self.workers)


@dataclass
class _Messages:
    """The messages on standard input; those that no server would answer get an error at once."""

    calls: _Calls
    max_input: int
    answers: Any = None  # where answers are sent
    has_ended: bool = False
    reading: anyio.CancelScope | None = None

    def end(self) -> None:
        """End the input, also while a line is being read."""
        self.has_ended = True
        if self.reading is not None:
            self.reading.cancel()

    async def lines(self) -> Any:
        """Yield the lines of standard input, while the unanswered calls are small enough."""
        while line := await self._read_line():
            if not line.strip():
                continue
            if (error := self._find_error(line)) is not None:
                # The line may be no JSON. Its parameters may have other ids.
                head = line[:1000].partition(b'"params"')[0]
                id = json.loads(found[1]) if (found := _ID.search(head)) else None
                answer = types.JSONRPCError(jsonrpc="2.0", id=id, error=error)
                await self.answers.send(SessionMessage(answer))
                continue
            _size.set(len(line))
            yield line.decode("utf-8", "replace")
            while self.calls.n_bytes > self.max_input and not self.has_ended:
                await anyio.sleep(POLL_SECONDS)

    async def _read_line(self) -> bytes:
        """Return the next line, or none after the end of the input."""
        line = b""
        if not self.has_ended:
            with anyio.CancelScope() as self.reading:
                read = partial(_read_line, self.max_input)
                line = await anyio.to_thread.run_sync(read, abandon_on_cancel=True)
        return line

    def _find_error(self, line: bytes) -> Any:
        """Return what is wrong with a message, which the server would not answer, or None."""
        code = types.INVALID_REQUEST
        if len(line) > self.max_input:
            reason = f"the message has more than {self.max_input:,} bytes; see --max-input"
            return types.ErrorData(code=code, message=reason)
        try:
            content = from_json(line)
        except ValueError as error:
            return types.ErrorData(code=types.PARSE_ERROR, message=f"no JSON: {error}")
        try:
            message = types.jsonrpc_message_adapter.validate_python(content, by_name=False)
        except ValidationError:
            return types.ErrorData(code=code, message="the message is not a request of JSON-RPC")
        # With an invalid id, a request is taken for a notification, which needs no answer.
        if isinstance(message, types.JSONRPCNotification) and "id" in content:
            return types.ErrorData(code=code, message="an id must be a text or an integer")
        return None


def _read_line(max_input: int) -> bytes:
    """Return the next line, or the beginning of one that is too long; skip the rest of that."""
    line = sys.stdin.buffer.readline(max_input + 1)
    part = line
    while len(line) > max_input and part and not part.endswith(b"\n"):
        part = sys.stdin.buffer.readline(1 << 16)
    return line
