"""Tables as text and in Markdown. The first row is the head; the others may be shorter."""

from collections.abc import Sequence

Row = list[str]


def text_table(rows: Sequence[Row]) -> str:
    """Aligned; a row that is too short, because it only says why, does not widen the columns."""
    full = [row for row in rows if len(row) == len(rows[0])]
    widths = [max(map(len, column)) for column in zip(*full, strict=True)]
    lines = []
    for row in rows:
        align = str.rjust if row in full else str.ljust
        cells = [align(cell, width) for cell, width in zip(row[1:], widths[1:], strict=False)]
        lines.append("  ".join([row[0].ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)


def markdown_table(rows: Sequence[Row]) -> str:
    n_columns = len(rows[0])
    padded = [row + [""] * (n_columns - len(row)) for row in rows]
    padded.insert(1, ["---", *["---:"] * (n_columns - 1)])
    return "\n".join(f"| {' | '.join(row)} |" for row in padded)
