"""The documents of the repository in Markdown, and the code in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (".github", "docs", "findings", "scripts", "tests")
GENERATED = {"_build", "_extra"}

# A block in another language might be a misspelled one, which no test would run.
LANGUAGES = {"python", "console", "sh", "text", "none", "json", "bibtex", "dockerfile"}
LESSONS = "docs/tutorial/"
PART = "py"  # a block of a lesson, which is a part of its program

FENCE = re.compile(r"( *)(`{3,}|~{3,}) *([^`]*)$")
SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
HEADING = re.compile(r"#{2,6} \S")  # a single # begins a comment of Python and of shells


class Code(NamedTuple):
    """Code in a document: a fenced block, or a span between backquotes in a line of text."""

    language: str  # "" for a span
    line: int  # the first line of the code
    text: str


class Fence(NamedTuple):
    """The line that opens a block."""

    indent: str
    mark: str
    language: str
    line: int


class Parts(NamedTuple):
    """The parts of a document, and what is wrong with its fences."""

    blocks: list[Code]
    prose: str  # with an empty line for each line of a block
    problems: list[str]


@dataclass(frozen=True)
class Document:
    """A document. Its name is its path in the repository."""

    name: str
    text: str

    @cached_property
    def parts(self) -> Parts:
        return divide(self.name, self.text)

    def blocks(self, *languages: str) -> list[Code]:
        """Return the blocks in some languages."""
        return [block for block in self.parts.blocks if block.language in languages]

    def spans(self) -> list[Code]:
        """Return the code between backquotes in the prose, each on one line."""
        prose = self.parts.prose
        return [
            Code("", prose.count("\n", 0, match.start()) + 1, " ".join(match[2].split()))
            for match in SPAN.finditer(prose)
        ]

    def misplaced(self) -> Iterator[str]:
        """Yield unbalanced fences, unknown languages, and headings inside code."""
        yield from self.parts.problems
        known = {*LANGUAGES, PART} if self.name.startswith(LESSONS) else LANGUAGES
        for block in self.parts.blocks:
            if block.language[0] != "{" and block.language not in {*known, ""}:  # { of Sphinx
                yield f"{self.name}:{block.line - 1}: no block is in the language {block.language}"
            for number, line in enumerate(block.text.splitlines(), block.line):
                if HEADING.match(line):
                    yield f"{self.name}:{number}: a heading inside code: {line}"


def divide(name: str, text: str) -> Parts:
    """Divide a document into its blocks and its prose."""
    blocks = list[Code]()
    prose = list[str]()
    problems = list[str]()
    opening: Fence | None = None
    lines = list[str]()  # of the block
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        prose.append("" if match or opening else line)
        if opening is None:
            if match is not None:
                opening = Fence(match[1], match[2], match[3].strip(), number)
                lines = []
                if not opening.language:  # it may be the end of a block that nothing opens
                    problems.append(f"{name}:{number}: a fence without a language")
        elif match is None or not match[2].startswith(opening.mark):
            lines.append(line.removeprefix(opening.indent))
        elif match[3]:
            problems.append(f"{name}:{number}: a fence inside the block of line {opening.line}")
        else:
            code = "".join(f"{each}\n" for each in lines)
            blocks.append(Code(opening.language, opening.line + 1, code))
            opening = None
    if opening is not None:
        problems.append(f"{name}:{opening.line}: a fence that no other closes")
    return Parts(blocks, "\n".join(prose), problems)


def documents() -> list[Document]:
    """Return all documents of the repository."""
    paths = [ROOT / "README.md"]
    for folder in FOLDERS:
        paths += sorted((ROOT / folder).rglob("*.md"))
    return [
        Document(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        for path in paths
        if GENERATED.isdisjoint(path.parts)
    ]
