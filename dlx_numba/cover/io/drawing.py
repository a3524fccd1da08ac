"""Drawing of the 0/1 matrix of an exact cover problem as text."""

from collections.abc import Sequence

from ...runtime.text import plural

MAX_NAME_LENGTH = 16


def draw_matrix(
    items: Sequence[str],
    n_primary: int,
    rows: Sequence[Sequence[tuple[int, str]]],
    *,
    width: int | None = None,
    max_rows: int | None = None,
) -> str:
    """Draw a matrix as lines of text, the last one without a line end.

    Names of items are written vertically; below each is the number of options that contain the
    item. A bar separates the secondary items. The last lines of the drawing state how many options
    and items were left out.

    Parameters
    ----------
    items : sequence of str
        Names of the items, the primary ones first.
    n_primary : int
        Number of primary items.
    rows : sequence of sequences of pairs
        For each option, its items as pairs of an item number and the character to draw.
    width : int, optional
        Maximum width of the matrix in characters; further items are left out.
    max_rows : int, optional
        Maximum number of options; further options are left out.

    Examples
    --------
    >>> print(draw_matrix(["a", "b1", "s"], 2, [[(0, "1"), (2, "x")], [(1, "1")]]))
        a b | s
          1 |
        1 1 | 1
    ------------
    0 | 1 . | x
    1 | . 1 | .
    >>> print(draw_matrix(["a", "b", "c"], 3, [[(0, "1")], [(2, "1")]], width=6, max_rows=1))
        ab
        10
    -------
    0 | 1.
    … 1 more option
    … 1 more item
    """
    shown_rows = rows[:max_rows]
    number_width = len(str(max(0, len(shown_rows) - 1)))
    n_shown_items = len(items)
    separator = " "
    if width is not None:
        n_columns = width - number_width - 3 - 2 * (n_primary < len(items))
        separator = " " if 2 * len(items) - 1 <= n_columns else ""
        if not separator:
            n_shown_items = min(n_shown_items, max(1, n_columns))
    sizes = [0] * len(items)
    for row in rows:
        for item, _ in row:
            sizes[item] += 1
    bar_column = n_primary if 0 < n_primary < n_shown_items else None

    def draw_line(label: str, cells: Sequence[str]) -> str:
        parts = list(cells[:n_shown_items])
        if bar_column is not None:
            parts.insert(bar_column, "|" if separator else " | ")
        return f"{label} {separator.join(parts)}".rstrip()

    header = _transpose([_truncate(name) for name in items], align_bottom=False)
    header += _transpose([str(size) for size in sizes], align_bottom=True)
    lines = [draw_line(" " * (number_width + 2), cells) for cells in header]
    body = []
    for number, row in enumerate(shown_rows):
        cells = ["."] * len(items)
        for item, character in row:
            cells[item] = character
        body.append(draw_line(f"{number:{number_width}d} |", cells))
    rule_width = max(map(len, [*lines, *body])) if items else number_width + 2
    lines += ["-" * (rule_width + 1), *body]
    lines += _left_out(len(rows) - len(shown_rows), "option")
    lines += _left_out(len(items) - n_shown_items, "item")
    return "\n".join(lines)


def _transpose(texts: Sequence[str], align_bottom: bool) -> list[list[str]]:
    """Return lines in which each text is a column, aligned at the top or at the bottom."""
    height = max(map(len, texts), default=0)
    padded = [text.rjust(height) if align_bottom else text.ljust(height) for text in texts]
    return [[text[k] for text in padded] for k in range(height)]


def _truncate(name: str) -> str:
    """Return the name, shortened to `MAX_NAME_LENGTH` characters."""
    return name if len(name) <= MAX_NAME_LENGTH else name[: MAX_NAME_LENGTH - 1] + "…"


def _left_out(count: int, noun: str) -> list[str]:
    """Return the line that states how many rows or columns are not drawn, if there are any."""
    return [f"… {plural(count, f'more {noun}')}"] if count else []
