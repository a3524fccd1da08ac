"""A 0/1 matrix drawn as text, with the names and sizes of its items; large ones are cut."""

from collections.abc import Sequence

LONGEST_NAME = 16


def draw_matrix(
    items: Sequence[str],
    n_primary: int,
    rows: Sequence[Sequence[tuple[int, str]]],
    *,
    width: int | None = None,
    most_rows: int | None = None,
) -> str:
    """The matrix as lines of text, the last one without a line end.

    `rows` has for each option its items, from 0, each with the character that stands for it.
    Names are written downwards, above the number of options of each item; a bar stands before
    the secondary items. What is wider than `width` or has more than `most_rows` is cut, and the
    drawing says so.

    >>> print(draw_matrix(["a", "b1", "s"], 2, [[(0, "1"), (2, "x")], [(1, "1")]]))
        a b | s
          1 |
        1 1 | 1
    ------------
    0 | 1 . | x
    1 | . 1 | .
    >>> print(draw_matrix(["a", "b", "c"], 3, [[(0, "1")], [(2, "1")]], width=6, most_rows=1))
        ab
        10
    -------
    0 | 1.
    … 1 more option
    … 1 more item
    """
    shown_rows = rows[:most_rows]
    margin = len(str(max(0, len(shown_rows) - 1)))
    n_shown = len(items)
    blank = " "
    if width is not None:
        room = width - margin - 3 - 2 * (n_primary < len(items))
        blank = " " if 2 * len(items) - 1 <= room else ""
        if not blank:
            n_shown = min(n_shown, max(1, room))
    sizes = [0] * len(items)
    for row in rows:
        for item, _ in row:
            sizes[item] += 1
    bar_at = n_primary if 0 < n_primary < n_shown else None

    def line(label: str, cells: Sequence[str]) -> str:
        parts = list(cells[:n_shown])
        if bar_at is not None:
            parts.insert(bar_at, "|" if blank else " | ")
        return f"{label} {blank.join(parts)}".rstrip()

    lines = _downwards([_cut(name) for name in items], upwards=False)
    lines += _downwards([str(size) for size in sizes], upwards=True)
    drawn = [line(" " * (margin + 2), cells) for cells in lines]
    body = []
    for number, row in enumerate(shown_rows):
        cells = ["."] * len(items)
        for item, character in row:
            cells[item] = character
        body.append(line(f"{number:{margin}d} |", cells))
    length = max(map(len, [*drawn, *body])) if items else margin + 2
    drawn += ["-" * (length + 1), *body]
    drawn += _left_out(len(rows) - len(shown_rows), "option")
    drawn += _left_out(len(items) - n_shown, "item")
    return "\n".join(drawn)


def _downwards(texts: Sequence[str], upwards: bool) -> list[list[str]]:
    """The texts, each a column of characters; all begin at the top, or end at the bottom."""
    height = max(map(len, texts), default=0)
    padded = [text.rjust(height) if upwards else text.ljust(height) for text in texts]
    return [[text[k] for text in padded] for k in range(height)]


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _left_out(number: int, noun: str) -> list[str]:
    return [f"… {number:,} more {noun}{'s' if number > 1 else ''}"] if number else []
