"""Run the parts of scripts/nightly."""

import argparse
import datetime
import os
import shlex
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

INSTANCES_OF_A_TEST = 100_003  # more than any test has: two nights share no seeds
TESTS = (
    "python -m pytest -n logical --maxprocesses 8 --dist worksteal --instances 1"
    " --seed {first} --hypothesis-seed {first}"
)
OWN_PARTS = ("tests/explain/web", "tests/web", "tests/cli/test_dask.py")
OTHERS = " ".join(f"--ignore {path}" for path in OWN_PARTS)


class Part(NamedTuple):
    """A command, with the fields `seed`, `first` of its instances, and an empty `folder`."""

    purpose: str
    command: str


PARTS = {
    "instances": Part("all tests with all random instances", f"{TESTS} {OTHERS}"),
    "plain": Part(
        "the kernels as plain Python",
        f"env NUMBA_DISABLE_JIT=1 {TESTS} -m 'kernels and not compiled and not processes' tests",
    ),
    "bounds": Part(
        "the other tests of the kernels, with bounds checks",
        f"env NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR={{folder}} {TESTS}"
        " -m 'kernels and compiled and not processes and not thorough' tests",
    ),
    "browsers": Part(
        "pages in Chromium, and kernels as WebAssembly in Node",
        f"{TESTS} tests/explain/web tests/web",
    ),
    "dask": Part("clusters of several processes", f"{TESTS} tests/cli/test_dask.py"),
    "pyright": Part("the types of users' programs", "python -m pyright"),
    "javascript": Part("the types of dlx.js", "python -m scripts.check_javascript"),
    "documents": Part("the documentation with all of its pages", "bash scripts/docs"),
    "wheels": Part("wheels of all instruction sets", "python scripts/check_wheel.py"),
    "fuzz": Part("random inputs", "bash scripts/fuzz --seconds 1800 --seed {first}"),
    "mutants": Part("changes of kernels", "bash scripts/mutate --changes 60 --seed {seed}"),
    "versions": Part("old and new versions of dependencies", "bash scripts/test-versions"),
    "frozen": Part("a program of PyInstaller", "python -m scripts.check_frozen"),
    "ids": Part("game IDs of the real programs", "python -m scripts.game_ids"),
    "interop": Part("files of other programs", "bash scripts/interop"),
}


def main() -> None:
    """Run the parts that the command line names, or all of them."""
    parser = argparse.ArgumentParser(prog="scripts/nightly")
    add = parser.add_argument
    add("parts", nargs="*", metavar="PART", help="the parts to run; default: all")
    add("--seed", type=int, help="of the random instances; default: the date, such as 20261129")
    add("--list", action="store_true", help="print the parts, and exit")
    options = parser.parse_args()
    if options.list:
        for name, part in PARTS.items():
            print(f"{name:12} {part.purpose}")
        return
    if unknown := [name for name in options.parts if name not in PARTS]:
        parser.error(f"no part is called {unknown[0]}; the parts are {', '.join(PARTS)}")
    today = datetime.datetime.now(datetime.timezone.utc)
    seed = int(f"{today:%Y%m%d}") if options.seed is None else options.seed
    print(f"Seed {seed}.", flush=True)
    failed = [name for name in options.parts or PARTS if not run(name, seed)]
    if failed:
        sys.exit(f"FAILED: {', '.join(failed)}")


def run(name: str, seed: int) -> bool:
    """Run a part, and print its outcome. Return whether it passed."""
    part, begin = PARTS[name], time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        fields = {"seed": seed, "first": seed * INSTANCES_OF_A_TEST % 2**31, "folder": folder}
        path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
        done = subprocess.run(
            shlex.split(part.command.format(**fields)),
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    minutes = (time.monotonic() - begin) / 60
    last_line = done.stdout.rstrip().rpartition("\n")[2]
    if done.returncode == 0:
        print(f"{name}: ok, {minutes:.1f} min, {last_line}", flush=True)
    else:
        print(f"{done.stdout}\n{name}: FAILED after {minutes:.1f} min: {last_line}")
        print(f"repeat with: bash scripts/nightly {name} --seed {seed}", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    main()
