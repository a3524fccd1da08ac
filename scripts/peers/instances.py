"""Read instances of public libraries by the names of their files.

- `scp*`: set covering of the OR-Library, by rows: costs, and the columns that cover each row.
- `rail*`: set covering of the OR-Library, by columns: the cost of each, and the rows it covers.
- `*.cats`, `auction*`: combinatorial auctions of CATS: the price of each bid, and its goods.
- `binpack*`, `*.bpp`: bin packing: the first problem of the OR-Library's file, as patterns.
- Other `*.txt`: set partitioning of the OR-Library.
- All others are read by `ExactCover.read`.
"""

from pathlib import Path

from dlx_numba import ExactCover

from .plans import patterns


def read_instance(path: Path) -> ExactCover:
    """Return the problem in a file."""
    name = path.name
    if name.startswith("scp"):
        return read_rows(path)
    if name.startswith("rail"):
        return read_columns(path)
    if name.startswith("auction") or path.suffix == ".cats":
        return read_auction(path)
    if name.startswith("binpack") or path.suffix == ".bpp":
        return read_bins(path)
    return ExactCover.read(path, "orlib" if path.suffix == ".txt" else None)


def read_rows(path: Path) -> ExactCover:
    numbers = [int(word) for word in path.read_text("utf-8").split()]
    n_rows, n_columns, *numbers = numbers
    costs, at = numbers[:n_columns], n_columns
    options: list[list[int]] = [[] for _ in costs]
    for row in range(n_rows):
        end = at + 1 + numbers[at]
        for column in numbers[at + 1 : end]:
            options[column - 1].append(row)
        at = end
    return ExactCover.covering(options, costs=costs)


def read_columns(path: Path) -> ExactCover:
    _, *lines = path.read_text("utf-8").splitlines()
    rows = [[int(word) for word in line.split()] for line in lines if line.strip()]
    return ExactCover.covering([row[2:] for row in rows], costs=[row[0] for row in rows])


def read_auction(path: Path) -> ExactCover:
    bids, prices = list[list[int]](), list[float]()
    for line in path.read_text("utf-8").splitlines():
        words = line.split()
        if words[-1:] == ["#"]:
            prices.append(float(words[1]))
            bids.append([int(word) for word in words[2:-1]])
    return ExactCover.packing(bids, weights=prices)


def read_bins(path: Path) -> ExactCover:
    words = path.read_text("utf-8").split()
    capacity, n_things = float(words[2]), int(words[3])
    sizes = sorted(float(word) for word in words[5 : 5 + n_things])
    scale = 1 if capacity.is_integer() and all(size.is_integer() for size in sizes) else 10
    options = patterns([round(scale * size) for size in sizes], round(scale * capacity))
    return ExactCover.covering(options, costs=[1] * len(options))
