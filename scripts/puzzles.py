"""The Sudoku puzzles of the benchmarks: the four sets of data/, and the mixed set.

    python -m scripts.puzzles [--boards 20000] [--seed 2014]    prints the mixed set

Each set of data/ has 200 puzzles of one difficulty, made by qqwing. The mixed set has 20,000
different puzzles of all four difficulties in random order. They are derived from those of data/ by
random transformations that keep a puzzle valid: a permutation of the digits, of the bands, of the
rows in each band, of the stacks, of the columns in each stack, and a transposition. The seed
determines the set.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DATA = Path(__file__).resolve().parents[1] / "data"
SETS = ("simple", "easy", "intermediate", "expert")
MIXED_BOARDS, MIXED_SEED = 20_000, 2014


def main() -> None:
    parser = argparse.ArgumentParser(description="Print the mixed set, one puzzle per line.")
    parser.add_argument("--boards", type=int, default=MIXED_BOARDS)
    parser.add_argument("--seed", type=int, default=MIXED_SEED)
    options = parser.parse_args()
    sys.stdout.buffer.write(encode_boards(mixed_boards(options.boards, options.seed)))


def read_boards(path: Path) -> NDArray[np.uint8]:
    """Read a file of one-line 9×9 puzzles as an array (N, 81), 0 for an empty cell.

    Lines that begin with # are comments.
    """
    lines = [line for line in path.read_text(encoding="ascii").split("\n") if line]
    lines = [line for line in lines if line[0] != "#"]
    if not lines or any(len(line) != 81 for line in lines):
        raise SystemExit(f"{path}: expected one puzzle of 81 characters per line")
    return decode_boards("".join(lines))


def decode_boards(text: str) -> NDArray[np.uint8]:
    """Return the boards (N, 81) of a string of 81 characters per board; `.` or 0 is empty."""
    symbols = np.frombuffer(text.replace(".", "0").encode("ascii"), np.uint8)
    return (symbols - ord("0")).reshape(-1, 81)


def encode_boards(boards: NDArray[np.uint8]) -> bytes:
    """Return boards (N, 81) as text, one per line."""
    symbols = np.frombuffer(b".123456789", np.uint8)
    newlines = np.full((len(boards), 1), ord("\n"), np.uint8)
    return np.hstack([symbols[boards], newlines]).tobytes()


def repeat_boards(boards: NDArray[np.uint8], n_boards: int) -> NDArray[np.uint8]:
    """Return exactly `n_boards` boards: the given ones, repeated in order."""
    return np.tile(boards, (-(-n_boards // len(boards)), 1))[:n_boards]


def mixed_boards(n_boards: int = MIXED_BOARDS, seed: int = MIXED_SEED) -> NDArray[np.uint8]:
    """Return the mixed set, (n_boards, 81). All boards are different."""
    originals = np.concatenate([read_boards(DATA / f"{name}.txt") for name in SETS])
    random = np.random.RandomState(seed)  # its streams are the same in all versions of NumPy
    boards: dict[bytes, NDArray[np.uint8]] = {}
    while len(boards) < n_boards:
        for index in random.permutation(len(originals)):
            board = transform(originals[index], random)
            boards.setdefault(board.tobytes(), board)
    return np.stack(list(boards.values())[:n_boards])


def transform(board: NDArray[np.uint8], random: np.random.RandomState) -> NDArray[np.uint8]:
    """Return a random puzzle (81,) that is equivalent to `board` under the Sudoku symmetries."""
    digits = np.concatenate([[0], 1 + random.permutation(9)]).astype(np.uint8)
    rows, columns = permute_lines(random), permute_lines(random)
    grid = digits[board].reshape(9, 9)[np.ix_(rows, columns)]
    return (grid.T if random.randint(2) else grid).ravel()


def permute_lines(random: np.random.RandomState) -> NDArray[np.int64]:
    """Return a random order of the nine rows (or columns) that keeps each band together."""
    lines = [3 * band + random.permutation(3) for band in random.permutation(3)]
    return np.concatenate(lines)


if __name__ == "__main__":
    main()
