"""Build a program of PyInstaller with the commands, and run each of them in it.

    .venv/bin/python -m scripts.check_frozen [DIRECTORY]

The program is made of the wheel in DIRECTORY, by default of a new one with kernels for this
processor, in a new virtual environment. It contains neither Numba nor llvmlite, and runs without a
home directory. The last line counts the checks as pytest does, and gives the size of the program.
"""

import sys
import tempfile
from pathlib import Path

from dlx_numba.cli.app import COMMAND_NAMES
from dlx_numba.puzzles.kind import examples

from .check_wheel import (
    COMMANDS,
    LIBRARY,
    PUZZLE,
    SOLUTION,
    build,
    distribution,
    isolated,
    make_environment,
    report,
    require,
    run,
)

PYINSTALLER = "pyinstaller==6.22.3"
PROGRAM = f"""
import multiprocessing
import sys
multiprocessing.freeze_support()
if sys.argv[1:] == ["--library"]:
    exec({LIBRARY!r})
else:
    from dlx_numba.__main__ import main
    main()
"""
# Commands after those of the check of the wheel
OTHERS = [
    ("hint -", PUZZLE, "r"),
    ("diagnose -", PUZZLE, "has a solution"),
    ("verify - 0,1", "a b c\na b\nc\n", "a cover"),
    ("puzzles queens:n=5 --number 1", "", ""),
    ("gallery", "", "nonogram"),
    ("mcp --help", "", "protocol"),
]
COMPILERS = {"numba", "llvmlite", "libllvmlite.so"}
NEED_NUMBA = {"warmup"}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dist = Path(sys.argv[1]).resolve() if sys.argv[1:] else folder / "dist"
        if not sys.argv[1:]:
            build(folder, dist, "native")
        program = freeze(folder, distribution(dist, "*.whl"))
        passed = report("freeze")
        tested = {arguments.split()[0] for arguments, _, _ in (*COMMANDS, *OTHERS)}
        require({*COMMAND_NAMES} <= tested | NEED_NUMBA, f"{COMMAND_NAMES} are not all tested")
        for arguments, stdin, expected in (*COMMANDS, *OTHERS):
            printed = run([program, *arguments.split()], input=stdin, **isolated(folder))
            require(expected in printed, f"{arguments} printed:\n{printed}")
            passed += report(arguments)
        for kind in examples():
            run([program, "solve", kind, "--seconds", "20"], **isolated(folder))
            passed += report(f"solve {kind}")
        require(SOLUTION in run([program, "--library"], **isolated(folder)), "a wrong solution")
        passed += report("library")
        files = [path for path in program.parent.rglob("*") if path.is_file()]
        compilers = [path for path in program.parent.rglob("*") if path.name in COMPILERS]
        require(not compilers, f"it has {compilers}")
        n_bytes = sum(path.stat().st_size for path in files)
        print(f"{passed} passed; the program has {n_bytes / 1e6:.0f} MB")


def freeze(folder: Path, wheel: Path) -> Path:
    """Build the program, and return its executable."""
    python = make_environment(folder / "user", wheel, PYINSTALLER)
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    where = ["--distpath", folder / "frozen", "--workpath", folder / "made", "--specpath", folder]
    command = [python, "-m", "PyInstaller", "--log-level", "ERROR", *where, "program.py"]
    run(command, cwd=folder)  # in the repository, it would take the package from there
    return folder / "frozen" / "program" / "program"


if __name__ == "__main__":
    main()
