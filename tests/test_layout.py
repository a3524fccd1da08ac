"""The rules of the package's structure that a program can check."""

import ast
import functools
import re
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

from tests.helpers.sources import parsed

PACKAGE = Path(__file__).parents[1] / "dlx_numba"

# From bottom to top: a package may import itself and the layers before it in this list, but not its
# siblings in the same layer. The exceptions in `UPWARD` are conveniences of an interface.
LAYERS = (
    "runtime verify_certificate < jit < dancing_links < kernels < pictures < search < cover sudoku"
    " < puzzles.variants compiled < puzzles < explain.deduction < bench explain < explain.diagnose"
    " < precompile < __init__ < cli < __main__"
)
# The solver has no import of the shelves `puzzles` and `explain` but in this registry of names.
UPWARD = {("cover.shelves", "explain"), ("cover.shelves", "puzzles")}


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """The syntax tree of a module, and all of its statements."""
    found: list[ast.AST] = [parsed(path)]
    for node in found:
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            children = getattr(node, name, ())
            found += children if isinstance(children, list) else ()
    return tuple(found)


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


MODULES = {path: module_name(path) for path in sorted(PACKAGE.rglob("*.py"))}


def imported_modules(path: Path):
    """The modules of the package that a module imports while it is loaded, later or in annotations.

    `test_imports_state_their_module` makes sure that no others are hidden.
    """
    here = path.relative_to(PACKAGE).parent.parts
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*here[: len(here) - (node.level - 1)], *(node.module or "").split(".")]
            target = ".".join(part for part in base if part)
            for alias in node.names:
                submodule = f"{target}.{alias.name}" if target else alias.name
                yield submodule if submodule in MODULES.values() else target or "__init__"


def test_imports_never_point_up():
    layers = enumerate(LAYERS.split(" < "))
    height_of = {name: height for height, layer in layers for name in layer.split()}

    def layer_of(name: str) -> str:
        while name not in height_of:
            name = name.rpartition(".")[0]
        return name

    for path, name in MODULES.items():
        own = layer_of(name)
        for imported in imported_modules(path):
            other = layer_of(imported)
            if own == other or (name, other.partition(".")[0]) in UPWARD:
                continue
            assert height_of[other] < height_of[own], f"{name} imports {imported}"


def test_imports_state_their_module():
    computed = {
        MODULES[path]
        for path in MODULES
        if re.search(r"import_module\([^)]*__(?:package|name)__", path.read_text("utf-8"))
    }
    # The lists of public names, commands, shelves, forms of pictures, and kinds. What a list names
    # does not import the module with the list.
    assert computed == {"__init__", "cli.app", "cover.shelves", "pictures.forms", "puzzles.kind"}


def test_no_import_cycles():
    graph = {name: set(imported_modules(path)) for path, name in MODULES.items()}
    TopologicalSorter(graph).prepare()  # raises an exception that lists the cycle


def is_private(name: str | None) -> bool:
    return bool(name) and name.startswith("_") and not name.startswith("__")


NAMED_TUPLES = {
    "_asdict",
    "_fields",
    "_field_defaults",
    "_make",
    "_replace",
}  # public, in spite of _


def private_uses(path: Path):
    """The private names of other modules, and of their objects, that a module uses.

    What a module itself defines or sets is its own.
    """
    tree = parsed(path)
    own = set(NAMED_TUPLES)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            own.add(node.attr)
    for node in ast.walk(tree):
        used = []
        if isinstance(node, ast.ImportFrom):
            used = [alias.name for alias in node.names]
        elif isinstance(node, ast.keyword):
            used = [node.arg]
        elif isinstance(node, ast.Attribute):
            is_inherited = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            used = [] if is_inherited else [node.attr]
        yield from (name for name in used if is_private(name) and name not in own)


# The private names of other modules that parts of the package still use: none may be added
PRIVATE_USES = {
    "explain": 2,
    "sudoku": 4,  # of results, whose attributes are public
    "jit": 3,
    "runtime": 2,  # of workbooks and of locks
    "__main__.py": 1,  # of Numba and of Python
}


def test_private_names_are_used_at_home():
    n_uses = Counter[str]()
    for path in MODULES:
        n_uses[path.relative_to(PACKAGE).parts[0]] += len([*private_uses(path)])
    assert {part: n for part, n in n_uses.items() if n > PRIVATE_USES.get(part, 0)} == {}


def test_names_of_classes_are_unique():
    n_classes = Counter(
        node.name.lstrip("_")
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, n in n_classes.items() if n > 1] == []


def size_of(node: ast.AST) -> int:
    """The number of nodes of a function without annotations, decorators and docstrings."""
    size = 1
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "ctx", "type_comment", "decorator_list"):
            children = value if isinstance(value, list) else [value]
            size += sum(size_of(each) for each in children if isinstance(each, ast.AST))
    return size


def test_functions_are_short():
    for path in MODULES:
        limit = 350 if path.parent.name == "cli" else 500
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef):
                n_documented = 3 if ast.get_docstring(node) is not None else 0
                assert size_of(node) - n_documented <= limit, f"{path}: {node.name}"


def lines_of_code(path: Path) -> int:
    """The number of lines without docstrings, which are long where an interface is public."""
    text = path.read_text(encoding="utf-8")
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    owners = (node for node in nodes(path) if isinstance(node, documented))
    docstrings = [node.body[0] for node in owners if ast.get_docstring(node) is not None]
    return len(text.splitlines()) - sum(each.end_lineno - each.lineno + 1 for each in docstrings)


def test_modules_hold_one_idea():
    for path in MODULES:
        # The class of all problems consists of signatures, and of methods of a few statements.
        limit = 660 if path.name == "exact_cover.py" else 400
        assert lines_of_code(path) <= limit, path


def test_dancing_links_fit_on_a_page():
    path = PACKAGE / "dancing_links.py"
    assert lines_of_code(path) <= 165
    lines = [node.lineno for node in nodes(path) if isinstance(node, ast.stmt)]
    assert len(lines) == len({*lines})  # one statement a line


def test_only_jit_imports_numba():
    imports = re.compile(r"^ *(?:from|import) (?:numba|llvmlite)\b", re.MULTILINE)
    for path in MODULES:
        assert path.parent.name == "jit" or not imports.search(path.read_text("utf-8")), path


def test_oracles_share_no_code_with_the_package():
    helpers = Path(__file__).parent / "helpers"
    for name in ("boxes", "oracles", "rating", "symmetries"):
        for node in nodes(helpers / f"{name}.py"):
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = getattr(node, "module", None) or node.names[0].name
                assert not module.startswith("dlx_numba"), name
