"""The house rules that a machine can check."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "dlx_numba"

# Each module may import those on its own shelf and on the shelves above its own in this list.
SHELVES = [
    {"version", "policy", "bits", "vectors", "box", "drive", "cluster"},
    {"links", "choice"},
    {"dance"},
    {"formats", "pictures"},
    {"cover"},
    {"search"},
    {"sudoku"},
    {"exact_cover", "batch", "pipeline", "claims"},
    {"gallery"},
    {"bench", "explain"},
    {"cli"},
    {"__init__", "__main__"},
]


def _imports(path: Path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            here = path.relative_to(PACKAGE).parent.parts
            base = here[: len(here) - (node.level - 1)]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            for name in names:
                yield (*base, *name.split("."))[0]


def test_imports_never_point_up():
    shelf_of = {name: height for height, shelf in enumerate(SHELVES) for name in shelf}
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for name in _imports(path):
            assert shelf_of[name] <= shelf_of[room], f"{path.name} imports {name}"


def test_no_module_is_two_ideas():
    for path in PACKAGE.rglob("*.py"):
        assert len(path.read_text().splitlines()) <= 400, path


def test_numba_is_told_what_to_do_in_one_room_only():
    for path in PACKAGE.rglob("*.py"):
        if path.name not in ("policy.py", "bits.py", "vectors.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Import):
                    assert all(not alias.name.startswith("numba") for alias in node.names), path
                if isinstance(node, ast.ImportFrom):
                    assert not (node.module or "").startswith(("numba", "llvmlite")), path


def test_every_package_is_installed():
    text = (PACKAGE.parent / "pyproject.toml").read_text()
    packages = [path.parent for path in PACKAGE.rglob("__init__.py")]
    names = [".".join(path.relative_to(PACKAGE.parent).parts) for path in packages]
    assert names
    assert all(f'"{name}",' in text for name in names)
