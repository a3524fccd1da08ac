"""Draw the pictures of the gallery that the README shows.

    .venv/bin/python scripts/draw_gallery.py

Each is the first solution of `python -m dlx_numba gallery` with these words.
"""

from pathlib import Path

from dlx_numba.gallery import GALLERY
from dlx_numba.gallery.parameters import with_parameters

PICTURES = Path(__file__).parents[1] / "data" / "pictures"
SHOWN = {"polyominoes": [], "macmahon": [], "sudoku": ["windows=yes"]}
SEED = 3  # first solutions are too orderly for a Sudoku


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name, words in SHOWN.items():
        entry = with_parameters(GALLERY[name], words)
        solution = entry.cover(choose="random", seed=SEED).first()
        assert solution is not None
        picture = entry.svg(solution)
        assert picture is not None
        (PICTURES / f"{name}.svg").write_text(picture + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
