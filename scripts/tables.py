"""Tables as aligned text and as Markdown, and the numbers in their cells.

The first row of a table is its header. Other rows may be shorter: the last cell of a short row is a
remark about the whole row.
"""

from collections.abc import Mapping, Sequence

Row = list[str]


def text_table(rows: Sequence[Row]) -> str:
    """Return the table with aligned columns. Remarks in short rows do not widen the columns."""
    full = [row for row in rows if len(row) == len(rows[0])]
    widths = [max(map(len, column)) for column in zip(*full, strict=True)]
    widths[0] = max(len(row[0]) for row in rows)
    lines = []
    for row in rows:
        align = str.rjust if row in full else str.ljust
        cells = [align(cell, width) for cell, width in zip(row[1:], widths[1:], strict=False)]
        lines.append("  ".join([row[0].ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines) + "\n"


def markdown_table(rows: Sequence[Row]) -> str:
    """Return the table in Markdown, with all columns but the first aligned to the right."""
    n_columns = len(rows[0])
    padded = [row + [""] * (n_columns - len(row)) for row in rows]
    padded.insert(1, ["---", *["---:"] * (n_columns - 1)])
    return "\n".join(f"| {' | '.join(row)} |" for row in padded) + "\n"


def format_machine(machine: Mapping[str, str]) -> str:
    """Return the processor, the system and the versions as one line of text."""
    return ", ".join(f"{key} {value}" for key, value in machine.items())


def format_speedup(ratio: float) -> str:
    """Return a speedup as text.

    >>> format_speedup(1234.5), format_speedup(1.234), format_speedup(0.01234)
    ('1,234×', '1.2×', '0.012×')
    """
    return (
        f"{ratio:.2g}×" if ratio < 0.95 else f"{ratio:.1f}×" if ratio < 9.95 else f"{ratio:,.0f}×"
    )
