"""SIGINT (Ctrl-C) and SIGTERM in a process of the command line.

Python runs a signal handler between any two instructions of the main thread. An exception of the
handler leaves whatever runs there half done: an import, the body of a class. So the handler raises
KeyboardInterrupt only while a command runs. Before, the process ends at once, and afterward, it
ends anyway. If the main thread does not react, another thread ends the process.

`install` runs before all other imports, so this module imports little.
"""

import os
import signal
import sys
import time
from _thread import allocate_lock, get_ident, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STATUS = 130
NUMBERS = (signal.SIGINT, signal.SIGTERM)

# The other thread waits longer if the process is idle, or gets little time under load.
MIN_SECONDS = 1.8
MIN_WORKING_SECONDS = 1.0
MAX_SECONDS = 5.0
POLL_SECONDS = 0.05

_STARTING, _RUNNING, _ENDING = range(3)
_phase = _STARTING
_received = 0  # the signal that has interrupted the command; 0 if there is none
_has_abandoned = False  # whether a thread does what nobody needs any more
_end_lock = allocate_lock()  # acquired once
saving_lock = allocate_lock()  # while it is locked, only the main thread ends the process


def install() -> None:
    """Handle SIGINT and SIGTERM, unless they are ignored."""
    for number in NUMBERS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _handle)
    sys.unraisablehook = _on_unraisable


def watch() -> None:
    """Start the thread that ends the process if the calling main thread ignores a signal."""
    if os.name == "posix":
        messages, sender = os.pipe()
        os.set_blocking(sender, False)
        signal.set_wakeup_fd(sender, warn_on_full_buffer=False)
        start_new_thread(_watch, (messages, get_ident()))


def begin() -> None:
    """Start a command: from now on, a signal raises KeyboardInterrupt, once."""
    global _phase, _received
    _phase = _RUNNING
    _received = 0


def finish() -> None:
    """End a command: from now on, signals have no effect."""
    global _phase
    _phase = _ENDING


def is_interrupted() -> bool:
    """Return whether a signal has interrupted the command."""
    return _received != 0


def abandon() -> None:
    """Let the process end without a thread that does what nobody needs any more."""
    global _has_abandoned
    _has_abandoned = True


def leaves_threads() -> bool:
    """Return whether other threads may still run when the process ends."""
    return _has_abandoned or is_interrupted()


def _handle(number: int, frame: object) -> None:
    """End the process at once while it starts; later, raise KeyboardInterrupt, once."""
    global _phase, _received
    if _phase == _STARTING:
        _end_process()
    elif _phase == _RUNNING:  # some programs, such as `timeout`, send a signal twice
        _phase = _ENDING
        _received = number
        raise KeyboardInterrupt


def _watch(messages: int, main_thread: int) -> None:
    """Wait for a signal, repeat it until its handler has run, and end the process after a while."""
    numbers: list[int] = []
    while not numbers:
        numbers = [number for number in os.read(messages, 64) if number in NUMBERS]
    start = time.monotonic()
    start_work = time.process_time()
    while _phase != _STARTING:  # a process that starts has nothing to complete
        time.sleep(POLL_SECONDS)
        seconds = time.monotonic() - start
        working_seconds = time.process_time() - start_work
        is_working = working_seconds > MIN_WORKING_SECONDS
        if seconds > (MIN_SECONDS if is_working else MAX_SECONDS):
            break
        # A signal just before a system call, or in another thread, does not end the call.
        if not is_interrupted():
            signal.pthread_kill(main_thread, numbers[0])
    saving_lock.acquire()
    _end_process()


def _end_process() -> None:
    """End the process at once, with a notice, in whatever state the interpreter is."""
    if _end_lock.acquire(blocking=False):
        # The progress display hides the cursor.
        start = b"\x1b[?25h" if _phase != _STARTING and os.isatty(2) else b""
        try:
            os.write(2, start + b"interrupted\n")
        finally:
            os._exit(STATUS)


def _on_unraisable(error: "Any") -> None:
    """Repeat a signal whose exception was lost in a finalizer, and ignore what it has torn."""
    global _phase
    if error.exc_type is KeyboardInterrupt:
        _phase = _RUNNING  # so that `_handle` raises another one
        start_new_thread(os.kill, (os.getpid(), _received))  # here, the exception would be lost
    elif not is_interrupted():
        sys.__unraisablehook__(error)
