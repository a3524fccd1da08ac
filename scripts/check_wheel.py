"""Build the wheel and the sdist, and check them as a user of the package would.

    .venv/bin/python scripts/check_wheel.py [DIRECTORY] [native]

The wheel is built from the sdist, with kernels for all instruction sets or for this processor, and
installed into a new virtual environment outside the repository, without a home directory. There the
Python examples of the README, every command and the main functions of the library are run, and
Numba cannot be imported. The distributions are kept in DIRECTORY if it is given. The last line
counts the checks as pytest does.
"""

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PUZZLE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SOLUTION = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"

MAX_BYTES = 12 << 20  # of a wheel with one instruction set

# Hides Numba from every process of the environment
SITE_CUSTOMIZE = 'import sys\nsys.modules["numba"] = None\n'

# Calls of the library; the last line is printed
LIBRARY = f"""
import dlx_numba as dlx
boards = dlx.generate(20, seed=1).puzzles
assert dlx.solve_batch(boards, limit=2).counts.tolist() == [1] * 20
assert len(dlx.solve_batch(["{PUZZLE}"] * 1000).counts) == 1000
dlx.rate(boards).scores, dlx.canonical(boards), dlx.minimize(boards)
cover = dlx.ExactCover([["a", "b"], ["c"], ["a"], ["b", "c"]])
for method in ("search", "memo"):
    assert cover.count(method=method) == 2
cover.diagram().sample(), cover.cheapest(), cover.search().estimate(3)
print(dlx.solve_sudoku("{PUZZLE}"))
"""

# Commands after `python -m dlx_numba`, their input, and a text that they print.
COMMANDS = [
    ("--version", "", "0."),
    ("solve -", PUZZLE, SOLUTION),
    (f"solve {PUZZLE}", "", SOLUTION),
    ("rate -", PUZZLE, "expert"),
    ("generate 2 --seed 1", "", "."),
    ("minimize -", SOLUTION, "."),
    ("canonical -", PUZZLE, "1"),
    ("count -", "a b\na\nb\na b\n", "2\n"),
    ("cover -", "a b\na\nb\na b\n", "0 1\n2\n"),
    ("sample -", "a b\na\nb\na b\n", ""),
    ("cheapest -", "a b\na\nb\na b\n", ""),
    ("estimate -", "a b\na\nb\na b\n", ""),
    ("solve queens:n=6", "", "Q"),
    ("show -", PUZZLE, " 8 . . | . . . | . . ."),
    ("explain - -o page.html", PUZZLE, ""),
    ("demo", "", "$ dlx-numba cover knuth.txt\n0 3 4\n"),  # reads the examples of the package
    ("bench --engine dlx --repeat 1", "", "expert"),  # measures the boards of the package
]


def main() -> None:
    os.environ.pop("PYTHONPATH", None)  # with the checkout in it, pip would install nothing
    begin = time.perf_counter()
    passed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        arguments = [argument for argument in sys.argv[1:] if argument != "native"]
        dist = Path(arguments[0]).resolve() if arguments else folder / "dist"
        for check in (build, check_contents, check_metadata):
            check(folder, dist)
            passed += report(check.__name__)
        python = install(folder, dist)
        passed += report("install")
        require(SOLUTION in run([python, "-c", LIBRARY], **isolated(folder)), "a wrong solution")
        passed += report("library")
        run_readme(python, folder)
        passed += report("run_readme")
        for arguments, stdin, expected in COMMANDS:
            run_command(python, folder, arguments, stdin, expected)
            passed += report(f"dlx_numba {arguments}")
    print(f"{passed} passed in {time.perf_counter() - begin:.2f}s")


def report(name: str) -> int:
    print(f"ok: {name}", flush=True)
    return 1


def run(command: list[object], **options: object) -> str:
    """Run a command, and return its standard output; end with its whole output if it fails."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, encoding="utf-8", **options
    )
    if done.returncode:
        sys.exit(f"{command} failed:\n{done.stdout}{done.stderr}\n1 failed")
    return done.stdout


def require(condition: object, message: str) -> None:
    if not condition:
        sys.exit(f"{message}\n1 failed")


def make_environment(folder: Path, *packages: object) -> Path:
    """Make a virtual environment with packages, and return its interpreter."""
    run([sys.executable, "-m", "venv", folder])
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([python, *install, *packages], cwd=folder)
    return python


def build(folder: Path, dist: Path, kernels: str | None = None) -> None:
    kernels = kernels or ("native" if "native" in sys.argv else "all")
    python = make_environment(folder / "tools", "build", "twine")
    run([python, "-m", "build", f"-Ckernels={kernels}", "--outdir", dist, ROOT], cwd=folder)


def distribution(dist: Path, pattern: str) -> Path:
    files = list(dist.glob(pattern))
    require(len(files) == 1, f"{dist} contains {len(files)} files {pattern}")
    return files[0]


def check_contents(folder: Path, dist: Path) -> None:
    """Check that both contain the package and the boards, and the sdist the files to build it."""
    package = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "dlx_numba").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    boards = [path.name for path in (ROOT / "data").glob("*.txt")]
    examples = [path.name for path in (ROOT / "docs" / "examples").iterdir() if path.is_file()]
    require(len(package) > 100, "the package has too few files")
    require(len(boards) == 4, "data/ does not have its four files")
    path = distribution(dist, "*.whl")
    require(re.search(r"-py3-none-(?!any)\w+\.whl$", path.name), f"{path.name} has a wrong tag")
    with zipfile.ZipFile(path) as wheel:
        libraries = [name for name in wheel.namelist() if name.endswith(".kernels")]
        require(libraries, "the wheel has no compiled kernels")
        n_bytes = path.stat().st_size / len(libraries)
        require(n_bytes <= MAX_BYTES, f"the wheel has {n_bytes} bytes for each instruction set")
        check_names(
            "wheel",
            {name for name in wheel.namelist() if ".dist-info/" not in name},
            {
                *package,
                *libraries,
                *(f"dlx_numba/data/{name}" for name in boards),
                *(f"dlx_numba/examples/{name}" for name in examples),
            },
        )
    with tarfile.open(distribution(dist, "*.tar.gz")) as sdist:
        check_names(
            "sdist",
            {name.partition("/")[2] for name in sdist.getnames()},
            {*package, *(f"data/{name}" for name in boards), "README.md", "LICENSE"},
            exact=False,
        )


def check_names(kind: str, names: set[str], expected: set[str], exact: bool = True) -> None:
    missing = sorted(expected - names)
    require(not missing, f"the {kind} does not contain {missing}")
    surplus = sorted(names - expected)
    require(not exact or not surplus, f"the {kind} should not contain {surplus}")


def check_metadata(folder: Path, dist: Path) -> None:
    scripts = "Scripts" if os.name == "nt" else "bin"
    run([folder / "tools" / scripts / "twine", "check", "--strict", *dist.iterdir()])


def install(folder: Path, dist: Path) -> Path:
    python = make_environment(folder / "user", distribution(dist, "*.whl"))
    packages = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    Path(packages.strip(), "sitecustomize.py").write_text(SITE_CUSTOMIZE, encoding="utf-8")
    return python


def isolated(folder: Path) -> dict[str, object]:
    """Return the directory and environment of a user who has neither the repository nor a home."""
    work, home = folder / "work", folder / "home"
    work.mkdir(exist_ok=True)
    home.mkdir(exist_ok=True)
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "NUMBA", "DLX_NUMBA", "VIRTUAL_ENV", "XDG_"))
    }
    return {"cwd": work, "env": {**environment, "HOME": str(home), "USERPROFILE": str(home)}}


def run_readme(python: Path, folder: Path) -> None:
    """Run the Python examples of the README as a doctest."""
    user = isolated(folder)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    require(blocks, "the README has no Python examples")
    examples = folder / "work" / "examples.txt"
    examples.write_text("\n".join(blocks), encoding="utf-8")
    flags = ["-o", "ELLIPSIS", "-o", "NORMALIZE_WHITESPACE"]
    run([python, "-m", "doctest", *flags, examples], **user)


def run_command(python: Path, folder: Path, arguments: str, stdin: str, expected: str) -> None:
    printed = run([python, "-m", "dlx_numba", *arguments.split()], input=stdin, **isolated(folder))
    require(expected in printed, f"{arguments} printed:\n{printed}")


if __name__ == "__main__":
    main()
