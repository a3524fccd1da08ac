"""Every example of the README and of docs/ runs, and every link and picture exists."""

import doctest
import os
import re
import runpy
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import dlx_numba
from dlx_numba.puzzles.kind import examples
from scripts.documents import Document, documents
from scripts.examples import EXAMPLES, OPTIONS, failed_examples
from tests.helpers import ROOT

DOCS = ROOT / "docs"
DOCUMENTS = {
    each.name: each.text for each in documents() if each.name.startswith(("README.md", "docs/"))
}
LESSONS = ["dominoes", "packing", "queens", "crossword", "timetable"]


def blocks(text, language):
    """Return the contents of the fenced code blocks in a language."""
    return [block.text for block in Document("", text).blocks(language)]


def documents_with(language):
    return [name for name, text in DOCUMENTS.items() if blocks(text, language)]


SLOW = ["batches", "diagnose", "diagrams", "generate", "numba", "sudoku", "symmetry", "variants"]
MARKS = {f"docs/library/{name}.md": [pytest.mark.thorough] for name in SLOW}
MARKS["docs/gallery.md"] = [pytest.mark.compiled, pytest.mark.thorough]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=MARKS.get(name, ())) for name in documents_with("python")]
)
def test_python_examples(name):
    report = failed_examples(Document(name, DOCUMENTS[name]))
    assert not report, "".join(report)


@pytest.mark.parametrize("lesson", LESSONS)
def test_lessons(lesson, capsys):
    """The blocks of a lesson are its program, and print what the lesson shows.

    The blocks of the solution of its exercise are parts of a second program.
    """
    text = DOCUMENTS[f"docs/tutorial/{lesson}.md"]
    for name, part in zip(
        (lesson, f"{lesson}_solution"), text.split("\n## Exercise\n"), strict=True
    ):
        path = DOCS / "tutorial" / f"{name}.py"
        assert f"]({path.name})" in part
        program, pieces = lines_of(path.read_text(encoding="utf-8")), blocks(part, "py")
        if name == lesson:
            assert program[1:] == lines_of("".join(pieces))  # the first line is the docstring
        assert pieces
        assert all("\n".join(lines_of(piece)) in "\n".join(program) for piece in pieces)
        runpy.run_path(str(path))
        printed = lines_of(capsys.readouterr().out)
        assert printed == lines_of("".join(blocks(part, "text")))


def lines_of(text):
    """Return the lines that are not empty, without trailing spaces."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Environment variables with which `python` and `dlx-numba` have this package."""
    folder = tmp_path_factory.mktemp("bin")
    console_script = (
        "import sys; from dlx_numba.__main__ import main; sys.argv[0] = 'dlx-numba'; main()"
    )
    for name, words in {"python": "", "dlx-numba": f' -c "{console_script}"'}.items():
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n')
        program.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("bash") is None, reason="the examples are for a Unix shell")
@pytest.mark.thorough
@pytest.mark.parametrize("name", documents_with("console"))
def test_console_examples(name, tmp_path, environment):
    """The blocks run concurrently, each in a separate directory."""
    if name.endswith("/mcp.md"):
        pytest.importorskip("mcp")

    def failures(numbered):
        number, block = numbered
        folder = tmp_path / str(number)
        if name == "README.md":  # its commands run in the root directory
            folder.mkdir()
            for entry in ("data", "docs", "tests"):
                (folder / entry).symlink_to(ROOT / entry)
        else:
            shutil.copytree(EXAMPLES, folder)
        return failed_commands(block, folder, environment)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = pool.map(failures, enumerate(blocks(DOCUMENTS[name], "console")))
        report = [line for lines in failed for line in lines]
    assert not report, "\n".join(report)


def failed_commands(block, folder, environment):
    """Run the commands of a block in order; describe those whose output differs."""
    examples = re.findall(r"^\$ (.*(?:\n> .*)*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    assert examples, f"no command in {block!r}"
    for command, expected in examples:
        done = subprocess.run(
            ["bash", "-c", command.replace("\n> ", "\n")],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        # The first run reports compilation on standard error, which some examples show.
        printed = re.sub(r"^Compiling .*\n", "", done.stdout, flags=re.MULTILINE)
        if not doctest.OutputChecker().check_output(expected, printed, OPTIONS):
            yield f"$ {command}\nexpected:\n{expected}printed:\n{printed}{done.stderr}"


def links(text):
    """Return the relative targets of the links and pictures of a document, without fragments."""
    prose = re.sub(
        r"^```(python|py|console|text|bash|sh|json).*?^```$", "", text, flags=re.S | re.M
    )
    prose = re.sub(r"`[^`\n]+`", "", prose)
    targets = re.findall(r"\]\(([^)\s]+)\)", prose)
    targets += re.findall(r'<(?:img|iframe|a)\b[^>]*?\b(?:src|href)="([^"]+)"', prose)
    return [target.partition("#")[0] for target in targets if not target.startswith("#")]


def test_pages_use_the_command_that_pip_installs():
    for name, text in DOCUMENTS.items():
        assert not re.search(r"python -m dlx_numba (?!COMMAND|bench)|2>/dev/null", text), name


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_are_relative_and_lead_to_files(name):
    script = (ROOT / "scripts" / "docs").read_text(encoding="utf-8")
    for target in links(DOCUMENTS[name]):
        assert not re.match(r"[a-z]+:|/", target), target
        if target.startswith("explain/gallery/"):  # written by scripts/live_pages.py
            assert Path(target).stem in examples(), target
        elif target.startswith("explain/"):  # written by scripts/docs
            assert f" {target.partition('/')[2]}\n" in script, target
        else:
            assert ((ROOT / name).parent / target).is_file(), target


def test_all_pictures_are_shown():
    shown = {
        ((ROOT / name).parent / target).resolve()
        for name, text in DOCUMENTS.items()
        for target in links(text)
    }
    pictures = [path.resolve() for path in (DOCS / "images").rglob("*.svg")]
    assert len(pictures) >= 3
    assert shown.issuperset(pictures)


def test_api_reference_is_complete():
    """Each public name has an entry, from which a page is generated."""
    text = (DOCS / "api" / "dlx_numba.rst").read_text(encoding="utf-8")
    listed = re.findall(r"^(?:   |\.\. autodata:: )(\w+)$", text, re.MULTILINE)
    assert sorted(listed) == sorted({*dlx_numba.__all__} - {"__version__"})


def test_named_modules_exist():
    """The paths between backquotes in the description of the architecture."""
    paths = re.findall(r"`([a-z_/]+(?:/|\.py))`", DOCUMENTS["docs/architecture.md"])
    assert len(paths) > 20
    for path in paths:
        assert (ROOT / "dlx_numba" / path).exists() or (ROOT / path).exists(), path


SEARCHES = {
    "timeout": "library/hosts",
    "cancel": "library/hosts",
    "docker": "recipes",
    "citation": "getting-started",
    "fewest": "library/cheapest",
    "excel": "planning",
    "demand": "planning",
    "overhead": "library/batches",
    "duplicates": "library/exact-cover",
    "hexadoku": "command-line/formats",
    "hitting set": "recipes",
    "conda": "getting-started",
    "infeasible": "library/diagnose",
    "export": "command-line/formats",
}


def test_searches_of_the_documentation_lead_to_pages():
    """Sphinx finds pages with all words of a query, and each keyword of a page as one word."""
    for text in DOCUMENTS.values():
        if line := re.match(r"---\nmyst:\n  html_meta:\n    keywords: (.*)\n---\n\n# ", text):
            assert all(len(word.split()) == 1 for word in line[1].split(","))
    for query, name in SEARCHES.items():
        text = DOCUMENTS[f"docs/{name}.md"].lower()
        assert all(re.search(rf"\b{word}", text) for word in query.split()), query
