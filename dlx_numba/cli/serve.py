"""`serve`: answer the requests of other programs, on standard input or on a socket."""

import os
import re
import socket as sockets
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Annotated, BinaryIO

from ..runtime.interrupts import Stop
from . import options
from .requests import Client, Limits
from .terminal import ending, fail, report

MAX_CLIENTS = 64
GRACE_SECONDS = 1.0  # after a signal, until clients that read no answers are given up


def serve(
    *,
    socket: Annotated[
        str | None, options.text("Listen on a socket instead of standard input.", "PATH|HOST:PORT")
    ] = None,
    requests: Annotated[
        int, options.number("Requests of a client that run at the same time.")
    ] = 16,
    max_input: Annotated[
        int, options.size("Maximum size of the unanswered requests of a client.", "16M")
    ] = 1 << 24,
    seconds: options.TimeLimit = None,
) -> None:
    """Answer the requests of other programs: JSON objects, one on each line.

    Examples:
      dlx-numba serve
      dlx-numba serve --socket /run/user/1000/dlx-numba
      dlx-numba serve --socket :7777 --seconds 10

    The request {"id": 7, "do": "count", "problem": {"options": [["a"], ["a"]]}} gets the answer
    {"id": 7, "status": "done", "count": "2"}. Requests run at the same time, and answers come in
    any order. --seconds limits each request. A port without a host is open to this machine only.

    Exit status: 0 at the end of the input, or after Ctrl-C or SIGTERM, which stop the requests in
    progress; 2 for a usage error.
    """
    limits = Limits(requests, max_input, seconds)
    if socket is not None:
        _listen(socket, limits)
        raise ending()
    output = sys.stdout.fileno()

    def write(text: bytes) -> None:
        while text:  # without the buffer, whose lock would keep the process from ending
            text = text[os.write(output, text) :]

    client = Client(sys.stdin.buffer, write, output, limits)
    try:
        client.run()
        client.end()
    except KeyboardInterrupt:
        client.end(GRACE_SECONDS)
    if client.error is not None:
        raise client.error
    raise ending()


def _listen(address: str, limits: Limits) -> None:
    """Answer the requests of all clients of a socket, until a signal ends the command."""
    threads: dict[threading.Thread, tuple[sockets.socket, Client]] = {}

    def answer(connection: sockets.socket, lines: BinaryIO, client: Client) -> None:
        with connection, lines:
            with suppress(OSError):  # the connection was reset
                client.run()
            client.end()

    with _open(address) as listener, suppress(KeyboardInterrupt):
        try:
            while True:
                connection, _ = listener.accept()
                threads = {each: threads[each] for each in threads if each.is_alive()}
                if len(threads) == MAX_CLIENTS:
                    connection.close()
                    continue
                connection.setsockopt(sockets.SOL_SOCKET, sockets.SO_KEEPALIVE, 1)
                lines = connection.makefile("rb")
                client = Client(lines, connection.sendall, connection.fileno(), limits)
                arguments = connection, lines, client
                thread = threading.Thread(target=answer, args=arguments, daemon=True)
                threads[thread] = connection, client
                thread.start()
        finally:
            grace = Stop(GRACE_SECONDS)
            for _, client in threads.values():
                client.ending.set()
            for how in (sockets.SHUT_RD, sockets.SHUT_RDWR):
                for connection, _ in threads.values():
                    with suppress(OSError):  # it is closed
                        connection.shutdown(how)
                for thread in threads:
                    thread.join(grace.seconds_left())


@contextmanager
def _open(address: str) -> Iterator[sockets.socket]:
    """Open a socket on HOST:PORT, or in the file system, which only this user may use."""
    found = re.fullmatch(r"(?:([^/]*):)?([0-9]+)", address)
    try:
        if found is not None:
            host = (found[1] or "127.0.0.1").strip("[]")
            family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
            listener = sockets.create_server((host, int(found[2])), family=family)
            address = "{}:{}".format(*listener.getsockname())
        elif not hasattr(sockets, "AF_UNIX"):
            raise fail("--socket must be HOST:PORT on this system")
        else:
            listener = _open_path(address)
    except (OSError, OverflowError) as error:
        raise fail(f"{address}: {getattr(error, 'strerror', None) or error}") from None
    with listener:
        report(f"listening on {address}")
        yield listener
    if found is None:
        with suppress(OSError):
            os.unlink(address)


def _open_path(path: str) -> sockets.socket:
    """Open a socket in the file system, and replace one that no process uses."""
    listener = sockets.socket(sockets.AF_UNIX)
    if os.path.exists(path) and stat.S_ISSOCK(os.stat(path).st_mode):
        with suppress(ConnectionRefusedError), sockets.socket(sockets.AF_UNIX) as client:
            client.connect(path)
            raise fail(f"{path}: another process listens")
        os.unlink(path)
    mask = os.umask(0o177)
    try:
        listener.bind(path)
    finally:
        os.umask(mask)
    listener.listen()
    return listener
