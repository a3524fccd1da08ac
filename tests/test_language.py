"""American spelling, and docstrings that the public API needs.

`ALLOWED` lists legitimate uses of other spellings, each with its reason.
"""

import ast
import functools
import inspect
import re
from pathlib import Path

import dlx_numba
from tests.helpers import ROOT
from tests.helpers.sources import parsed

# British spellings, for text in lower case
BRITISH = re.compile(
    r"colour|neighbour|\bcentre|\blicence|behaviour|\bgrey|favour|\bhonour"
    r"|\b(?:un)?labell(?:ed|ing)\b|\bcancell(?:ed|ing)\b|\banalys(?:e|es|ed|ing)\b"
    r"|\b(?:initial|summar|serial|normal|minim|maxim|optim|general|recogn|organ|visual|special"
    r"|random|parallel|vector|ital|emphas|canonical|util|synchron)is(?:e|es|ed|er|ing|ation)\b"
)

# Classes whose objects users get from methods: their constructors are private.
MADE_BY_METHODS = {dlx_numba.Diagnosis, dlx_numba.Search, dlx_numba.Ratings}

# Legitimate uses: the path, the text of the line, the reason.
ALLOWED = [
    ("tests/test_language.py", "", "lists the spellings"),
    ("", "concurrent.futures.CancelledError", "a class of the standard library"),
    ("", ".cancelled()", "a method of the standard library"),
    ("dlx_numba/puzzles/variants/sudokupad.py", "marks", "a field of SudokuPad"),
]

SUFFIXES = {".py", ".md", ".html", ".js", ".css", ".toml", ".yml", ".yaml", ".cff", ""}
NOT_PROSE = {"LICENSE", ".gitignore", "py.typed"}
GENERATED = {"__pycache__", "_build", ".ruff_cache", ".mypy_cache", ".pytest_cache"}


def source_files() -> list[Path]:
    """The files of the repository that hold code or prose."""
    folders = (ROOT / name for name in ("dlx_numba", "docs", "scripts", "tests", ".github"))
    paths = [*ROOT.glob("*"), *(path for folder in folders for path in folder.rglob("*"))]
    return [
        path
        for path in paths
        if path.is_file()
        and path.suffix in SUFFIXES
        and path.name not in NOT_PROSE
        and GENERATED.isdisjoint(path.parts)
    ]


def allowed(name: str, line: str) -> bool:
    return any(path in ("", name) and text in line for path, text, _ in ALLOWED)


def test_spelling_is_american():
    is_wrong = functools.cache(lambda word: BRITISH.search(word) is not None)
    found = []
    for path in source_files():
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        prose = text.lower().replace("_", " ")
        if not any(map(is_wrong, set(re.findall(r"\w+", prose)))):
            continue
        lines = text.splitlines()
        for match in BRITISH.finditer(prose):
            number = text.count("\n", 0, match.start()) + 1
            if not allowed(name, lines[number - 1]):
                found.append(f"{name}:{number}: {match[0]!r}")
    assert not found, "\n".join(found)


def test_docstrings_begin_with_a_verb_or_a_noun():
    fragments = "Of|Where|What|How|For|As|To|By|From|With|All that"
    docstring = re.compile(rf'^ *r?"""((?:{fragments}) .*)', re.MULTILINE)
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {first}"
        for path in source_files()
        if path.suffix == ".py"
        for first in docstring.findall(path.read_text(encoding="utf-8"))
    ]
    assert not found, f"{len(found)} docstrings\n" + "\n".join(found)


def test_kernels_with_many_parameters_describe_each():
    """A kernel describes its parameters, unless its module describes what all kernels share."""
    undescribed = []
    for path in sorted((ROOT / "dlx_numba").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "@njit" not in text and "@inlined" not in text:
            continue
        module = parsed(path)
        shared = ast.get_docstring(module) or ""
        for kernel in (each for each in ast.walk(module) if isinstance(each, ast.FunctionDef)):
            decorators = {ast.unparse(each).partition("(")[0] for each in kernel.decorator_list}
            names = [each.arg for each in kernel.args.args]
            if decorators & {"njit", "inlined"} and len(names) > 6:
                words = re.findall(r"\w+", shared + (ast.get_docstring(kernel) or ""))
                undescribed += [f"{path.name}: {kernel.name}: {n}" for n in {*names} - {*words}]
    assert not undescribed


def public_objects():
    """The public classes and functions and their public methods, by their qualified names.

    A method of a base class is documented there.
    """
    for name in dlx_numba.__all__:
        target = getattr(dlx_numba, name)
        if not (inspect.isclass(target) or inspect.isfunction(target)):
            continue
        yield f"dlx_numba.{name}", target
        for attribute, member in vars(target).items() if inspect.isclass(target) else ():
            function = getattr(member, "__func__", member)
            is_documented = any(hasattr(base, attribute) for base in target.__mro__[1:])
            if inspect.isfunction(function) and attribute[0] != "_" and not is_documented:
                yield f"dlx_numba.{name}.{attribute}", function


PUBLIC_OBJECTS = list(public_objects())


def needed_sections(target) -> list[str]:
    """The sections that the docstring of a class or function must have."""
    if inspect.isclass(target):
        if issubclass(target, Exception):
            return []
        if issubclass(target, tuple):
            return ["Attributes"]
        is_constructed = target not in MADE_BY_METHODS and inspect.signature(target).parameters
        return ["Parameters"] * bool(is_constructed)
    signature = inspect.signature(target)
    parameters = signature.parameters.keys() - {"self", "cls"}
    returns = signature.return_annotation not in (None, "None", inspect.Signature.empty)
    result = "Yields" if inspect.isgeneratorfunction(target) else "Returns"
    return ["Parameters"] * bool(parameters) + [result] * returns


# Characters, with the quotes of annotations; about two lines of a wide terminal
MAX_SIGNATURE = 460


def test_signatures_in_help_are_short():
    """Annotations are shown as they are written, by the names of type aliases.

    Rules and problems have many parameters.
    """
    excepted = Exception | dlx_numba.SudokuRules | dlx_numba.ExactCover
    for name, target in PUBLIC_OBJECTS:
        if not (inspect.isclass(target) and issubclass(target, excepted)):
            signature = str(inspect.signature(target))
            assert len(signature) <= MAX_SIGNATURE, name
            assert "ForwardRef" not in signature, name


def test_completion_of_modules_offers_public_names_only():
    names = {name for name in dir(dlx_numba) if not name.startswith("__")}
    assert names == {*dlx_numba.__all__} - {"__version__"}


# Attributes that tuples and exceptions inherit.
INHERITED = {*dir(tuple), *dir(OSError)}


def test_completion_offers_documented_attributes_only():
    for qualified, target in PUBLIC_OBJECTS:
        if not inspect.isclass(target):
            continue
        fields = getattr(target, "_fields", ())
        described = "\n".join(inspect.getdoc(base) or "" for base in target.__mro__)
        undocumented = [
            name
            for name in dir(target)
            if not name.startswith("_")
            and name not in {*INHERITED, *fields}
            and not inspect.getdoc(inspect.getattr_static(target, name))
            and not re.search(rf"^(?:\w+, )*{name}\b", described, re.MULTILINE)
        ]
        assert not undocumented, qualified


def test_public_docstrings_have_their_sections():
    """Those of functions describe each parameter."""
    for name, target in PUBLIC_OBJECTS:
        text = inspect.getdoc(target) or ""
        assert text, f"{name} has no docstring"
        for section in needed_sections(target):
            heading = rf"^{section}\n-{{{len(section)}}}$"
            assert re.search(heading, text, re.MULTILINE), f"{name} lacks {section}"
        section = re.search(r"^Parameters\n-+\n(.*?)(?=\n\w[\w ]*\n---|\Z)", text, re.M | re.S)
        if section is not None:
            entry = r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: ?:.*)?$"
            described = re.findall(entry, section[1], re.MULTILINE)
            described = [part.lstrip("*") for parts in described for part in parts.split(", ")]
            parameters = inspect.signature(target).parameters
            assert described == [part for part in parameters if part not in ("self", "cls")], name


MAX_HIDDEN = 100  # it only falls


def hidden_statements(path: Path) -> int:
    """The number of assignments of unrelated values that share a statement with others."""
    n_hidden = 0
    for node in ast.walk(parsed(path)):
        if not isinstance(node, ast.Assign):
            continue
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
            places = ast.Name | ast.Attribute | ast.Subscript
            read = {ast.unparse(each) for each in ast.walk(value) if isinstance(each, places)}
            if read.isdisjoint(map(ast.unparse, target.elts)):  # no swap, for example
                n_hidden += len(target.elts) - 1
    return n_hidden


def test_statements_have_lines_of_their_own():
    assert sum(map(hidden_statements, (ROOT / "dlx_numba").rglob("*.py"))) <= MAX_HIDDEN
