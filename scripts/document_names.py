"""Check the names in the code of documents: commands, options, extras, and packages for pip."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import typer

from dlx_numba.cli.app import COMMAND_NAMES, SCRIPT_NAME, app

from .documents import ROOT, Code, Document

SHELLS = ("console", "sh", "dockerfile", "text", "none")
PROMPTED = re.compile(r"^\$ .*(?:\n> .*)*", re.MULTILINE)
LINE = re.compile(r"^(?:.*\\\n)*.+", re.MULTILINE)  # with those that a backslash continues
LONG_OPTION = re.compile(r"--[a-z][a-z0-9-]*")
SHORT_OPTION = re.compile(r"-[A-Za-z]$")

# Programs that documents name, whose options are not checked here
OTHER_PROGRAMS = {
    "#SBATCH",
    "COPY",
    "dask",
    "docker",
    "minizinc",
    "pip",
    "pytest",
    "qqwing",
    "useradd",
}
OTHER_OPTIONS = {  # named without their programs
    "--config-settings",  # of pip
    "--instances",  # of the tests
    "--stats",  # of qqwing
}
PIP_VALUES = {"--config-settings", "-C", "-r", "--requirement", "-c", "--constraint", "--target"}
INSTALLERS = {  # from PyPI or conda-forge
    ("pip", "install"),
    ("pip", "wheel"),
    ("pip", "download"),
    ("pipx", "install"),
    ("uv", "add"),
    ("tool", "install"),  # of uv
    ("conda", "install"),
    ("mamba", "install"),
}

UNPUBLISHED = "not on PyPI yet"  # in the README, until a release

EXTRA = r"`([\w-]+)`"
EXTRA_LIST = re.compile(  # extras `excel`, `calendar` and `arrow`; "extra" may be a link
    rf"\bextras?(?:\]\([^)\s]*\))?\s+({EXTRA}(?:(?:,|,?\s+and|,?\s+or)\s+{EXTRA})*)"
)
EXTRA_BEFORE = re.compile(rf"{EXTRA}\s+\[?extras?\b")
EXTRA_ROWS = re.compile(r"^\| extra \|.*\n\| ?-.*\n((?:\|.*\n?)+)", re.MULTILINE)
EXTRA_BRACKETS = re.compile(r"(?:^|[\s`'\"])(?:\.|dlx[-_]numba)\[([^\]\n]*)\]")


class Command(NamedTuple):
    """A simple command of a shell: its words, and the line where it begins."""

    line: int
    words: list[str]


class Project(NamedTuple):
    """The extras, and the packages that documents may tell to install."""

    extras: set[str]
    packages: set[str]  # on PyPI: those that it depends on, and itself when it is published


@cache
def project() -> Project:
    """Return what pyproject.toml and the README say about installing."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.partition("[project.optional-dependencies]\n")[2].partition("\n[")[0]
    extras = re.findall(r"^([\w-]+) = \[", section, re.MULTILINE)
    dependencies = re.findall(r"^dependencies = \[.*\]", text, re.MULTILINE)
    required = "\n".join([section, *dependencies])
    packages = {*re.findall(r'"([\w.-]+)[^"]*"', required)}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    if UNPUBLISHED not in " ".join(readme.split()):
        packages |= {"dlx-numba", "dlx_numba"}
    return Project({*extras}, packages)


@cache
def options(command: str = "") -> set[str]:
    """Return the options of a command, or of the program itself."""
    group: Any = typer.main.get_command(app)
    context = typer.Context(group, info_name=SCRIPT_NAME)
    found = group.get_command(context, command) if command else group
    parameters = found.get_params(typer.Context(found, info_name=command))
    return {name for each in parameters for name in (*each.opts, *each.secondary_opts)} | {"-h"}


@cache
def options_of_scripts() -> set[str]:
    """Return the options that scripts of the repository define."""
    text = "".join(path.read_text("utf-8") for path in sorted((ROOT / "scripts").rglob("*.py")))
    return {*re.findall(r'\badd(?:_argument)?\(\s*"(--[a-z-]+)"', text)}


def commands(document: Document) -> Iterator[Command]:
    """Yield the simple commands in the code of a document. Any other span counts as one, too."""
    for span in document.spans():
        for words in simple_commands(span.text):
            yield Command(span.line, words)
    for block in document.blocks(*SHELLS):
        for line, text in typed_lines(block):
            for words in simple_commands(text):
                yield Command(line, words)


def typed_lines(block: Code) -> Iterator[tuple[int, str]]:
    """Yield what is typed, without prompts and comments, and the number of its first line."""
    pattern = PROMPTED if block.language == "console" else LINE
    for match in pattern.finditer(block.text):
        typed = re.sub(r"^[$>] ", "", match[0], flags=re.MULTILINE)
        typed = re.sub(r"(?:^|\s)# .*", "", typed).replace("\\\n", " ")
        yield block.line + block.text.count("\n", 0, match.start()), typed


def simple_commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each command between `|`, `;`, `>` and the like."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:  # a quote alone, which is no command
        words = text.split()
    command = list[str]()
    for word in words:
        if {*word} <= {*"|;&<>()"}:
            yield command
            command = []
        else:
            command.append(word)
    yield command


def unknown_names(document: Document) -> Iterator[str]:
    """Yield the commands, options, extras and packages in a document that do not exist."""
    for command in commands(document):
        for problem in (*wrong_options(command.words), *not_installable(command.words)):
            yield f"{document.name}:{command.line}: {problem}"
    for line, extra in extras(document):
        if extra not in project().extras:
            yield f"{document.name}:{line}: no extra is called {extra}"


def wrong_options(words: list[str]) -> Iterator[str]:
    """Yield what is wrong with the command and the options of a simple command."""
    if installed(words):
        return
    start = start_of_arguments(words)
    if start > 0 or (words[:1] and words[0] in COMMAND_NAMES):
        yield from wrong_arguments(words[start:])
        words = words[:start]
    elif script := re.match(r"(?:bash |python )(?:-m )?(scripts[./][\w./-]+)", " ".join(words)):
        yield from wrong_script(script[1], words)
        return
    if OTHER_PROGRAMS.isdisjoint(words[:3]):  # `RUN useradd`, `python -m pip`
        known = OTHER_OPTIONS.union(options(), options_of_scripts(), *map(options, COMMAND_NAMES))
        for option in long_options(words):
            if option not in known:
                yield f"no command has the option {option}"


def start_of_arguments(words: list[str]) -> int:
    """Return the number of words until dlx-numba, or `python -m dlx_numba`; 0 without these."""
    for number, word in enumerate(words, 1):
        if word == SCRIPT_NAME or (word == "dlx_numba" and words[number - 2] == "-m"):
            return number
    return 0


def wrong_arguments(arguments: list[str]) -> Iterator[str]:
    """Yield what is wrong with the arguments of dlx-numba."""
    name = arguments[0] if arguments else ""
    if not re.fullmatch(r"[a-z]+", name):  # a placeholder, or options of the program
        known = options().union(*map(options, COMMAND_NAMES)) if name.isupper() else options()
        name = SCRIPT_NAME
    elif name in COMMAND_NAMES:
        known = options(name)
    else:
        yield f"no command is called {name}"
        return
    short = [word for word in arguments if SHORT_OPTION.match(word)]
    for option in (*long_options(arguments), *short):
        if option not in known:
            yield f"{name} has no option {option}"


def wrong_script(script: str, words: list[str]) -> Iterator[str]:
    """Yield what is wrong with a command that runs a script of the repository."""
    path = ROOT / (script if "/" in script else script.replace(".", "/"))
    if not any(each.exists() for each in (path, path.with_suffix(".py"))):
        yield f"{script} does not exist"
    for option in long_options(words):
        if option not in options_of_scripts():
            yield f"no script has the option {option}"


def long_options(words: list[str]) -> list[str]:
    """Return the options of some words, without values."""
    return [match[0] for word in words if (match := LONG_OPTION.match(word))]


def not_installable(words: list[str]) -> Iterator[str]:
    """Yield what a command cannot install today: what is no path, and not on PyPI."""
    for package in installed(words):
        name = re.split(r"[\[<>=!~ @]", package)[0]
        is_path = name.startswith((".", "/")) or name.endswith((".whl", ".tar.gz"))
        if not is_path and name not in project().packages:
            yield f"{package} cannot be installed: it is no path, and not on PyPI"


def installed(words: list[str]) -> list[str]:
    """Return the packages and paths that a command installs; [] if it installs nothing."""
    pairs = list(pairwise(words))
    verbs = [number for number, pair in enumerate(pairs) if pair in INSTALLERS]
    if not verbs:
        return []
    return [
        word
        for before, word in pairs[verbs[0] + 1 :]
        if not word.startswith("-") and before not in PIP_VALUES
    ]


def extras(document: Document) -> Iterator[tuple[int, str]]:
    """Yield the extras that a document names, with their lines."""
    text = document.text
    for pattern in (EXTRA_LIST, EXTRA_BEFORE, EXTRA_BRACKETS):
        for match in pattern.finditer(text):
            for name in re.findall(r"[\w-]+", match[1]):
                if name not in ("and", "or"):
                    yield text.count("\n", 0, match.start(1)) + 1, name
    for match in EXTRA_ROWS.finditer(text):
        first = text.count("\n", 0, match.start(1)) + 1
        for line, row in enumerate(match[1].splitlines(), first):
            for name in re.findall(EXTRA, row.split("|")[1]):
                yield line, name
