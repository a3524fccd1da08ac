"""Write the page docs/try/ with everything that it needs, so that it also works as a file.

    python -m scripts.try_page FOLDER

Reads dlx.wasm from FOLDER, where `scripts/build_web` writes it. Without it, the page says why it
cannot solve anything. `scripts/docs` runs both.
"""

import base64
import functools
import gzip
import json
import shutil
import sys
from pathlib import Path
from typing import Any

from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.names import as_text, names_of
from dlx_numba.explain.deduction.reason import CASES
from dlx_numba.pictures.areas import Blocks
from dlx_numba.pictures.filling import Outlines, Pieces
from dlx_numba.pictures.grid import Grid
from dlx_numba.puzzles.kind import examples, load_kind
from dlx_numba.puzzles.marks import COLLECTIONS, KEYS
from dlx_numba.puzzles.registry import KINDS
from dlx_numba.sudoku.io.table import FIELDS
from dlx_numba.sudoku.levels import LEVELS

SOURCE = Path(__file__).parent.parent / "docs/try"
FILES = ("index.html", "style.css", "page.js", "problem.js", "steps.js", "dlx.js")
MAX_LENGTH = 80_000  # characters of a problem of the gallery
MAX_VIEW = 150_000  # characters of its picture


@functools.cache
def gallery_texts() -> list[tuple[str, str]]:
    """Return the names and statements, in Knuth's format, of problems without costs."""
    texts = []
    for name, create in examples().items():
        cover = create().cover()
        if cover.problem.cost is None and len(text := cover.write(kind="knuth")) <= MAX_LENGTH:
            texts.append((name, text))
    return texts


def gallery_facts(name: str) -> dict[str, Any]:
    """Return the names of a problem's options and their words, and its picture as JSON.

    The picture is left out if the page does not draw it, or if it is too long.
    """
    named = named_problem(examples()[name]().cover())
    options = names_of(named.problem, named.names, range(named.problem.n_options))
    grid = named.drawing
    facts: dict[str, Any] = {"titles": [*map(as_text, options)]}
    if grid is not None:
        facts["words"] = grid.words
    forms = Grid, Pieces, Outlines, Blocks
    if isinstance(grid, Grid) and type(grid) in forms and grid.lattice == "squares":
        view = grid.to_json()
        if len(json.dumps(view)) <= MAX_VIEW:
            facts["view"] = view
    return facts


def write_page(folder: Path) -> None:
    """Write the files of the page to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copy(SOURCE / name, folder)
    module = folder / "dlx.wasm"
    packed = gzip.compress(module.read_bytes(), mtime=0) if module.exists() else b""
    bundle = {
        "gallery": [(name, text, gallery_facts(name)) for name, text in gallery_texts()],
        "collections": COLLECTIONS,
        "keys": [*KEYS.items()],
        "kinds": {name: hasattr(load_kind(name), "parse") for name in KINDS},
        "titles": FIELDS[:2],
        "levels": [*(level[:4] for level in LEVELS), ("nested forcing chain", CASES, 0, 0)],
        "source": (SOURCE / "dlx.js").read_text(encoding="utf-8"),
        "wasm": base64.b64encode(packed).decode(),
    }
    text = f"globalThis.bundle = {json.dumps(bundle)};\n"
    (folder / "data.js").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_page(Path(sys.argv[1]))
