"""Check that the documents are well-formed, that their code is right, and that they are up to date.

    python -m scripts.check_documents

Fences are balanced, commands, options, extras and packages exist, and examples of Python run.
Pictures, figures and outputs, compared as whole files, are those that scripts write. `scripts/docs`
runs these checks.
"""

import sys
from collections.abc import Iterator

from . import draw_pictures, notebook, update_figures
from .blocks import RESULTS
from .document_names import unknown_names
from .documents import Document, documents
from .examples import failed_examples

MEASURED = [draw_pictures.FOLDER / name for name in ("benchmark.svg", "terminal.svg")]


def outdated_pictures() -> Iterator[str]:
    """Yield the pictures of `scripts/draw_pictures.py` that differ, are missing or superfluous."""
    folder, drawn = draw_pictures.FOLDER, draw_pictures.pictures()
    stored = {
        path.relative_to(folder).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*.svg")
        if path not in MEASURED
    }
    for name in sorted({*drawn, *stored}):
        if drawn.get(name) != stored.get(name):
            yield f"{folder / name}.svg: run python -m scripts.draw_pictures"


def outdated_figures() -> Iterator[str]:
    """Yield the documents that do not show the stored results of the benchmarks."""
    results = update_figures.Results.from_json(update_figures.read_json(RESULTS))
    for path, text in update_figures.rendered(results).items():
        if path.read_text(encoding="utf-8") != text:
            yield f"{path}: run python -m scripts.update_figures --from docs/benchmarks.json"


def outdated_outputs() -> Iterator[str]:
    """Yield the cells of the notebook whose stored outputs differ."""
    for number, (cell, outputs) in enumerate(notebook.execute(notebook.load()), 1):
        varies = "varies" in cell["metadata"].get("tags", [])
        if cell["execution_count"] != number or (cell["outputs"] != outputs and not varies):
            yield f"{notebook.NOTEBOOK}, cell {number}: run python -m scripts.notebook"


def wrong_texts(document: Document) -> Iterator[str]:
    """Yield what is wrong with a document itself."""
    yield from document.misplaced()
    yield from unknown_names(document)
    yield from failed_examples(document)


def main() -> None:
    problems = [*outdated_pictures(), *outdated_figures(), *outdated_outputs()]
    for document in documents():
        problems += wrong_texts(document)
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
