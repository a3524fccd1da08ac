"""Write the pages to which `docs/gallery.md` links: a search of each problem, step by step.

    python -m scripts.live_pages FOLDER

`scripts/docs` runs it.
"""

import sys
from pathlib import Path

from dlx_numba.puzzles.kind import examples


def write_pages(folder: Path) -> None:
    """Write a page for each problem of the gallery, with its default parameters."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, create in examples().items():
        create().cover(algorithm="links").explain(folder / f"{name}.html", title=name)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
