"""Campaigns that start the command line as a process: signals, streams, full disks, caches."""

import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dlx_numba.jit.library import SUFFIX
from tests.helpers import DATA, INSTANCES, ROOT
from tests.helpers.caches import (
    KERNEL_MODULE,
    import_kernel_module,
)
from tests.helpers.processes import PROGRAM, invoke_with_status, start, wait_for_handlers

from .boards import BOXES
from .checks import check, check_equal
from .files import check_messages, damaged_lines, damaged_sample, random_command
from .mutations import mutate

PROCESS_SECONDS = 60  # a process that takes longer is a finding
SIGNALED_SECONDS = 10  # so is one that takes longer after a signal; it may wait for a processor

# Problems that take up to a second, and their numbers of covers.
SEARCHES = {"queens10": 724, "queens12": 14_200, "langford11": 35_584, "queendom7.mcc": 86}
UNREADABLE, INTERRUPTED = 4, 130


@cache
def shared_directory() -> tempfile.TemporaryDirectory[str]:
    """Return a directory for files that several cases use; it is removed at exit."""
    return tempfile.TemporaryDirectory(prefix="dlx-numba-fuzz-")


def finish(process: subprocess.Popen[Any], seconds: float = PROCESS_SECONDS) -> tuple[Any, Any]:
    """Wait for the end of a process, and return its output."""
    try:
        return process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise


def read_in_processes(rng: random.Random, folder: Path) -> None:
    """Read a damaged file, or standard input, in a process; compare with the result in-process."""
    if rng.random() < 0.5:
        path = folder / "lines.txt"
        path.write_text("\n".join(damaged_lines(rng, 20, BOXES[4]) * 100), encoding="utf-8")
        path.write_bytes(mutate(path.read_bytes(), rng))
        command = ["solve", "-f", rng.choice(["line", "csv", "json", "grid"]), str(path)]
    else:
        sample = damaged_sample(rng)
        path = folder / sample.name
        path.write_bytes(sample.content)
        command = random_command(rng, sample, path)
    (folder / "command.txt").write_text(" ".join(command))
    is_stdin = rng.random() < 0.3
    with open(path, "rb") as file:
        words = [*command[:-1], "-"] if is_stdin else command
        process = start(*words, stdin=file, text=False)
        out, err = finish(process)
    named = Path("<stdin>") if is_stdin else path
    check_messages(command, named, process.returncode, err.decode())
    if "--seconds" not in command and not is_stdin:
        expected, _, status = invoke_with_status(*command)
        check_equal("output", out, expected.encode())
        check_equal("status", process.returncode, status)


def resume_killed_searches(rng: random.Random, folder: Path) -> None:
    """Kill or interrupt searches with checkpoints; those that are resumed miss nothing."""
    name = rng.choice(list(SEARCHES))
    is_count = rng.random() < 0.5
    numbers = [signal.SIGINT, signal.SIGTERM]
    if is_count:  # covers that were printed after the last save are printed again after a kill
        numbers.append(signal.SIGKILL)
    arguments = ["count" if is_count else "cover"]
    arguments += ["--checkpoint", str(folder / "saved"), "--resume"]
    arguments += ["--every", rng.choice(["0", "0.05", "30"])]
    arguments += ["--presolve"] * (rng.random() < 0.2)
    arguments += rng.choice(
        [["--choose", rule] for rule in ("smallest", "leftmost", "sharp")]
        + [["--choose", "random", "--seed", "1"]]
    )
    arguments += ["--threads", str(rng.randint(1, 3)), str(INSTANCES / f"{name}.dlx")]
    log = [" ".join(arguments)]
    covers: list[str] = []
    for _ in range(rng.randint(1, 4)):
        process = start(*arguments)
        delay, number = rng.uniform(0, 1.5), rng.choice(numbers)
        with_timeout(process, delay)
        process.send_signal(number)
        out, err = finish(process)
        covers += out.splitlines()
        log.append(f"{delay:.3f} s, {number.name}: status {process.returncode}\n{err}")
        (folder / "log.txt").write_text("\n".join(log))
        expected = {0, 1, INTERRUPTED, -number}
        check(process.returncode in expected, "\n".join(log))
        check("Traceback" not in err, "\n".join(log))
    out, err, status = invoke_with_status(*arguments)
    (folder / "log.txt").write_text("\n".join([*log, err]))
    check(status in (0, 1), err)
    if is_count:
        check_equal("count", int(out), SEARCHES[name])
    else:
        covers += out.splitlines()
        check_equal("number of covers", len(covers), SEARCHES[name])
        check_equal("different covers", len(set(covers)), len(covers))


def with_timeout(process: subprocess.Popen[Any], seconds: float) -> None:
    """Wait some seconds, or until the process ends, without reading its output.

    The time begins when the process handles signals.
    """
    wait_for_handlers(process)
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)


@cache
def long_input() -> Path:
    """Return a file of boards, a few of them bad, that takes some tenths of a second to solve."""
    path = Path(shared_directory().name) / "boards.txt"
    lines = [line for file in sorted(DATA.glob("*.txt")) for line in file.read_bytes().split()]
    for number in range(0, len(lines), 97):
        lines[number] = rng_free_damage(lines[number], number)
    path.write_bytes(b"\n".join(lines) * 400 + b"\n")
    return path


def rng_free_damage(line: bytes, number: int) -> bytes:
    return [line[:-1], b"88" + line[2:], line + b"1", b"." * 81][number % 4]


@cache
def whole_output(style: str) -> bytes:
    """Return the output of `solve --check` for the long input."""
    out, _, _ = invoke_with_status("solve", "--check", "-f", style, long_input())
    return out.encode()


def interrupt_solve(rng: random.Random, folder: Path) -> None:
    """Stop `solve`: the output is a part of the complete one, with the records that it reports."""
    style = rng.choice(["line", "csv", "json", "grid"])
    expected = whole_output(style)
    target = folder / "solved"
    to_file = rng.random() < 0.7
    arguments = ["solve", "--check", "-f", style, "-j", str(rng.randint(1, 3))]
    arguments += ["-o", str(target)] * to_file + [str(long_input())]
    with open(target, "wb") as stdout:
        process = start(*arguments, **({} if to_file else {"stdout": stdout}))
        with_timeout(process, rng.uniform(0, 2.5))
        number = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        process.send_signal(number)
        _, err = finish(process)
    part = folder / "solved.part"
    written = (part if part.exists() else target).read_bytes()
    check("Traceback" not in err, err)
    check(expected.startswith(written), f"not a prefix: {len(written)} bytes, {err}")
    if process.returncode == INTERRUPTED:
        report = re.search(r"interrupted: ([\d,]+) complete records? written", err)
        if report is None:  # before the first record, or after the last one
            check(written in (b"", expected), f"{len(written)} bytes: {err}")
        elif style != "grid":
            n_records = written.count(b"\n") - (style == "csv" and bool(written))
            check_equal("records", int(report[1].replace(",", "")), n_records)
    elif process.returncode >= 0:
        problem = f"status {process.returncode}, {len(written)} bytes: {err}"
        check(process.returncode == UNREADABLE and len(written) == len(expected), problem)
    if process.returncode != -signal.SIGKILL:
        check(not written or written.endswith(b"\n"), "a record is cut")


def interrupt_commands(rng: random.Random, folder: Path) -> None:
    """Send a signal, or two, to any command: it ends soon, with one line and a proper status."""
    queens, boards = str(INSTANCES / "queens12.dlx"), str(long_input())
    output = ["-o", str(folder / "output")]
    checkpoint = ["--checkpoint", str(folder / "saved")]
    command = rng.choice(
        [
            ["cover", *checkpoint, queens],
            ["count", *checkpoint, queens],
            ["count", str(INSTANCES / "queendom8.mcc.dlx")],
            ["sample", str(INSTANCES / "langford11.dlx")],
            ["cheapest", *checkpoint, str(INSTANCES / "queens8.cost.dlx")],
            ["estimate", queens],
            ["count", "queens:n=14"],
            ["explain", *output, str(INSTANCES / "queens8.dlx")],
            ["show", "--full", *output, boards],
            ["solve", *output, boards],
            ["solve", "--rules", "diagonals", *output, boards],
            ["solve", "--all", "-f", "csv", *output, boards],
            ["rate", *output, boards],
            ["minimize", *output, boards],
            ["canonical", *output, boards],
            ["generate", "1000000", *output],
            ["bench", "--boards", "50"],
            ["--help"],
        ]
    )
    with open(folder / "stdout", "wb") as stdout:
        process = start(*command, stdout=stdout)
        delay = rng.choice([0.5, 3]) * rng.random()
        with_timeout(process, delay)
        number = rng.choice([signal.SIGINT, signal.SIGTERM])
        for _ in range(rng.choice([1, 1, 1, 2])):
            process.send_signal(number)
        _, err = finish(process, SIGNALED_SECONDS)
    log = f"{' '.join(command)}, {number.name} after {delay:.3f} s: {process.returncode}\n{err}"
    (folder / "log.txt").write_text(log)
    check("Traceback" not in err and "ignored" not in err, log)
    check(process.returncode in (0, 1, UNREADABLE, INTERRUPTED), log)
    if "Stopped before" not in err:  # what has begun says what it has found
        is_interrupted = process.returncode == INTERRUPTED
        check_equal("lines", err.count("interrupted"), int(is_interrupted))


def use_broken_streams(rng: random.Random, folder: Path) -> None:
    """Run commands with closed standard streams, and on disks that are full."""
    small = DATA / "simple.txt"
    page = folder / "page"
    commands: list[Sequence[Any]] = [
        ["solve", small],
        ["solve", "-f", rng.choice(["csv", "grid", "json"]), "-o", page, small],
        ["solve", "-"],
        ["rate", "-f", rng.choice(["line", "csv", "json"]), "-o", page, small],
        ["rate", small],
        ["cover", INSTANCES / "queens8.dlx"],
        ["count", "--checkpoint", page, INSTANCES / "queens8.dlx"],
        ["cover", "-"],
        ["show", small],
        ["show", "--svg", page, small],
        ["explain", "-o", page, INSTANCES / "queens8.dlx"],
        ["gallery", "queens"],
        ["--help"],
        ["--version"],
    ]
    command = [str(word) for word in rng.choice(commands)]
    redirections = [
        rng.choice(["", "", "<&-", "</dev/null", f"<{folder}"]),
        rng.choice(["", "", ">&-", ">/dev/full", f">{folder / 'out'}"]),
        rng.choice(["", "", "2>&-", "2>/dev/full"]),
    ]
    if not os.path.exists("/dev/full"):
        redirections = [each.replace("/dev/full", os.devnull) for each in redirections]
    max_bytes = rng.choice([None, rng.randint(0, 40_000)])
    if rng.random() < 0.5:
        page.write_text("previous content")
    script = f'exec "$@" {" ".join(redirections)}'
    limit = f"at most {max_bytes} bytes in a file"
    (folder / "command.txt").write_text(f"{' '.join(command)} {script}, {limit}")

    def limit_file_size() -> None:
        if max_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (max_bytes, max_bytes))

    done = subprocess.run(
        ["sh", "-c", script, "sh", *PROGRAM, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PROCESS_SECONDS,
        preexec_fn=limit_file_size,
    )
    err = done.stderr.decode()
    check("Traceback" not in err and "Exception ignored" not in err, err)
    check(done.returncode in (0, 1, 2), f"status {done.returncode}: {err}")
    if done.returncode == 2 and not redirections[2]:
        check("error:" in err or "no puzzle found" in err, f"no error message: {err}")
    if page.exists() and command[0] in ("explain", "show"):
        text = page.read_text()
        ends = ("previous content", "</html>\n", "</svg>\n", "</svg>")
        check(text.endswith(ends), f"the file is cut: {text[-100:]!r}")
    if command[0] == "solve":
        for path in (page, folder / "out"):
            content = path.read_bytes() if path.exists() else b""
            is_complete = content.endswith((b"\n", b"previous content")) or not content
            check(is_complete, f"a record is cut: {content[-100:]!r}")
    if ">/dev/full" in redirections and done.returncode == 0:
        check("-o" in command or "--svg" in command, "the full disk was not reported")


@cache
def pristine_kernel() -> tuple[Path, dict[Path, bytes]]:
    """Return the directory of a module with a compiled kernel, and the files of machine code."""
    folder = Path(shared_directory().name) / "stored"
    folder.mkdir(mode=0o700)
    (folder / "module.py").write_text(KERNEL_MODULE)
    check_equal("first import", import_kernel_module(folder), ("6.0 compiled\n", ""))
    return folder, {path: path.read_bytes() for path in folder.glob(f"*{SUFFIX}")}


def damage_files(rng: random.Random, directory: Path, files: dict[Path, bytes], to: Path) -> bool:
    """Restore the files of a cache with damages, and copy them; return whether any is damaged."""
    for path in directory.glob(f"*{SUFFIX}"):
        path.unlink()
    is_damaged = False
    for path, content in files.items():
        damaged = mutate(content, rng, 3)
        path.write_bytes(damaged)
        shutil.copy(path, to)
        is_damaged |= damaged != content
    return is_damaged


def damage_stored_kernel(rng: random.Random, folder: Path) -> None:
    """Damage the stored machine code of a kernel: it is compiled again, and never wrong."""
    directory, files = pristine_kernel()
    is_damaged = damage_files(rng, directory, files, folder)
    out, err = import_kernel_module(directory)
    check("Traceback" not in err, err)
    check(out in ("6.0 compiled\n", "6.0 stored\n"), out + err)
    check(is_damaged or out == "6.0 stored\n", "undamaged machine code was not used")
    check_equal("second import", import_kernel_module(directory), ("6.0 stored\n", ""))
