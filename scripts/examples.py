"""Run the examples of Python in the documents."""

import contextlib
import doctest
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .documents import ROOT, Code, Document

EXAMPLES = ROOT / "docs" / "examples"  # the files that examples read
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def failed_examples(document: Document) -> list[str]:
    """Run the blocks `python` of a document in one session, and return the reports of failures."""
    examples = [each for block in document.blocks("python") for each in parse(block, document.name)]
    test = doctest.DocTest(examples, {}, document.name, document.name, 0, None)
    report = list[str]()
    with directory_of_examples():
        doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append)
    return report


def parse(block: Code, name: str) -> list[doctest.Example]:
    """Return the examples of a block. One without prompts is a program, which may print anything.

    Its statements are one example, as an example is a single statement.
    """
    first = block.line - 1
    if ">>>" in block.text:
        examples = doctest.DocTestParser().get_examples(block.text, name)
        for each in examples:
            each.lineno += first
        return examples
    return [doctest.Example(f"exec({block.text!r})", "...\n", lineno=first)]


@contextlib.contextmanager
def directory_of_examples() -> Iterator[None]:
    """Change to a temporary directory with the files of examples."""
    previous = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(previous)
