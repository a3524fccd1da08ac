"""Change the kernels of searches and the counter, one place at a time: do their tests notice?

A changed kernel is run as plain Python, because compiling it would take longer than its tests.
"""

import argparse
import ast
import copy
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "dlx_numba"
REASONS = ROOT / "scripts" / "survivors.txt"  # lines of a change and the reason why it survives
MAX_SURVIVORS = 1 / 20  # of the changes
MIN_CPU_SECONDS = 10  # of the tests in a file
MAX_RATIO = 3  # of their time to that without a change

PLAIN = {"NUMBA_DISABLE_JIT": "1"}


class Layer(NamedTuple):
    """Some modules, and the tests that should notice a change, those of most changes first."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    environment: dict[str, str]
    marks: str  # which of these tests are run


LAYERS = (
    Layer(
        ("kernels/dlx", "kernels/bitset"),
        (
            "tests/kernels/test_positions.py",
            "tests/kernels/test_links.py",
            "tests/kernels/test_known_searches.py",
            "tests/kernels/test_budget.py",
            "tests/kernels/test_bitset.py",
            "tests/kernels/test_consistency.py",
            "tests/search/test_subtree.py",
            "tests/kernels/test_work.py",
            "tests/kernels/test_branching.py",
            "tests/cover/test_totals.py",
        ),
        PLAIN,
        "not compiled and not processes and not thorough",
    ),
    Layer(
        ("cover/component_counter.py", "cover/class_counter.py"),
        ("tests/cover/test_count_decisions.py", "tests/cover/test_counting.py"),
        {},
        "not processes and not thorough",
    ),
)

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


class Change(NamedTuple):
    """A change of one place of a module."""

    module: str  # the path below the package
    line: int
    function: str
    before: str
    after: str
    source: str  # of the changed module

    def __str__(self) -> str:
        name = os.path.basename(self.module)
        return f"{name}:{self.line} {self.function}: {self.before} -> {self.after}"

    @property
    def key(self) -> str:
        """The change without the number of its line, as in the list of reasons."""
        return f"{self.module} {self.function}: {self.before} -> {self.after}"


def changes_of(module: str) -> Iterator[Change]:
    """Yield the changes of the functions of a module, in the order of its lines."""
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            nodes = [*ast.walk(ast.Module(function.body, []))]
            annotations = [node.annotation for node in nodes if isinstance(node, ast.AnnAssign)]
            unused = {part for each in annotations for part in ast.walk(each)}  # never evaluated
            for node in nodes:
                for change in _changes_of_node(node) if node not in unused else ():
                    yield _apply(tree, module, function.name, node, change)


def _changes_of_node(node: ast.AST) -> Iterator[Callable[[ast.AST], None]]:
    """Yield functions that change a copy of a node."""
    if isinstance(node, ast.Compare):
        for k, operator in enumerate(node.ops):
            if type(operator) in SWAPPED:
                yield lambda other, k=k: other.ops.__setitem__(k, _swapped(other.ops[k]))
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPPED:
        yield lambda other: setattr(other, "op", _swapped(other.op))  # type: ignore[attr-defined]
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield lambda other: setattr(other, "value", other.value + 1)  # type: ignore[attr-defined]
    elif isinstance(node, ast.If | ast.While):
        yield lambda other: setattr(other, "test", ast.UnaryOp(ast.Not(), other.test))  # type: ignore
    is_effect = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    is_store = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
    if is_effect or is_store or isinstance(node, ast.AugAssign):
        yield _remove


def _swapped(operator: ast.AST) -> ast.AST:
    return SWAPPED[type(operator)]()


def _remove(node: ast.AST) -> None:
    """Make a statement one without an effect."""
    node.__class__, node.__dict__ = ast.Pass, {"lineno": 0, "col_offset": 0}


def _apply(
    tree: ast.Module,
    module: str,
    function: str,
    node: ast.AST,
    change: Callable[[ast.AST], None],
) -> Change:
    """Return a change of a node, with the source of the changed module."""
    before = _shown(node)
    kept_class, kept = node.__class__, copy.copy(node.__dict__)
    kept_lists = {name: [*each] for name, each in kept.items() if isinstance(each, list)}
    change(node)
    after, source = _shown(node), ast.unparse(ast.fix_missing_locations(tree))
    node.__class__, node.__dict__ = kept_class, kept | kept_lists
    return Change(module, node.lineno, function, before, after, source)  # type: ignore[attr-defined]


def _shown(node: ast.AST) -> str:
    """Return the code of a node without the statements in it."""
    if isinstance(node, ast.If | ast.While):
        return f"{type(node).__name__.lower()} {ast.unparse(node.test)}"
    return ast.unparse(ast.fix_missing_locations(node))


def sample_changes(only: str, n_changes: int, seed: int) -> list[tuple[Layer, Change]]:
    """Return some changes, or all of a line such as `moves.py:185`."""
    found = list[tuple[Layer, Change]]()
    for layer in LAYERS:
        for each in layer.modules:
            paths = sorted((PACKAGE / each).glob("*.py")) if "." not in each else [PACKAGE / each]
            for path in paths:
                module = path.relative_to(PACKAGE).as_posix()
                found += [(layer, change) for change in changes_of(module)]
    if only:
        return [each for each in found if str(each[1]).startswith(f"{only} ")]
    return random.Random(seed).sample(found, min(n_changes, len(found)))


class Copy:
    """A copy of the package and its tests, which one thread changes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("dlx_numba", "tests", "scripts", "data"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        shutil.copy(ROOT / "pyproject.toml", folder)

    def notices(self, layer: Layer, change: Change, limits: Mapping[str, float]) -> bool:
        """Return whether the tests of a layer notice a change; `limits` are those of its files."""
        path = self.folder / "dlx_numba" / change.module
        text = path.read_text(encoding="utf-8")
        path.write_text(change.source, encoding="utf-8")
        try:
            return any(self.fails(test, layer, limits[test]) for test in layer.tests)
        finally:
            path.write_text(text, encoding="utf-8")

    def fails(self, test: str, layer: Layer, max_seconds: float) -> bool:
        """Return whether a file of tests fails, or takes too long, as after an endless loop."""
        limit = int(max_seconds)
        own = {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        words = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", layer.marks, test]
        words += ["--instances", "0.05"]  # as at a push
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env={**os.environ, **layer.environment, **own},
            capture_output=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
        )
        return done.returncode != 0


def read_reasons() -> dict[str, str]:
    """Return why some changes survive, by their keys."""
    lines = REASONS.read_text(encoding="utf-8").splitlines() if REASONS.exists() else []
    pairs = (line.split(" # ", 1) for line in lines if " # " in line)
    return {key.strip(): reason.strip() for key, reason in pairs}


def measure(copied: Copy) -> dict[str, float]:
    """Return the time limit of each file of tests, which must pass without a change."""
    limits = {}
    for layer in LAYERS:
        for test in layer.tests:
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            if copied.fails(test, layer, 3600):
                raise SystemExit(f"{test} fails without a change")
            taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            limits[test] = MIN_CPU_SECONDS + MAX_RATIO * taken
            print(f"{taken:.0f} s: {test}", flush=True)
    return limits


def run(changes: Sequence[tuple[Layer, Change]], n_jobs: int) -> list[Change]:
    """Return the changes that survive the tests of their layers."""
    with tempfile.TemporaryDirectory(prefix="dlx-numba-mutate-") as folder:
        copies = [Copy(Path(folder, str(number))) for number in range(n_jobs)]
        limits = measure(copies[0])

        def survives(number: int) -> bool:
            layer, change = changes[number]
            copied = copies.pop()
            try:
                is_noticed = copied.notices(layer, change, limits)
            finally:
                copies.append(copied)
            print(f"{'noticed' if is_noticed else 'SURVIVES'}: {change}", flush=True)
            return not is_noticed

        with ThreadPoolExecutor(n_jobs) as pool:
            results = list(pool.map(survives, range(len(changes))))
    return [change for (_, change), is_left in zip(changes, results, strict=True) if is_left]


def main() -> None:
    """Run the changes, and print those that survive with their reasons."""
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__)
    parser.add_argument("--changes", type=int, default=200, help="their number")
    parser.add_argument("--seed", type=int, default=1, help="of the choice")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--only", default="", help="all changes of a line, such as moves.py:185")
    options = parser.parse_args()
    changes, reasons = sample_changes(options.only, options.changes, options.seed), read_reasons()
    survivors = run(changes, options.jobs)
    print(f"\n{len(survivors)} of {len(changes)} changes survive")
    for change in survivors:
        print(f"{change.key} # {reasons.get(change.key, 'WITHOUT A REASON')}")
    is_explained = all(change.key in reasons for change in survivors)
    sys.exit(not is_explained or len(survivors) > MAX_SURVIVORS * len(changes))


if __name__ == "__main__":
    main()
