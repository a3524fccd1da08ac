"""A 0/1 matrix as a picture."""

from collections.abc import Collection, Sequence

from .document import label, picture, tag

MOST_ENTRIES = 20_000
NAMED = 64  # up to so many items and options have their names written


def matrix_picture(
    title: str,
    items: Sequence[str],
    n_primary: int,
    rows: Sequence[Sequence[tuple[int, str]]],
    chosen: Collection[int] = (),
) -> str:
    """The matrix as SVG: a filled square for each entry, with its character where there is room.

    `rows` is as for `draw_matrix`; the options `chosen` are marked. Raises ValueError where there
    are more entries than a picture should have.
    """
    entries = sum(map(len, rows))
    if entries > MOST_ENTRIES:
        raise ValueError(f"{entries:,} entries are too many for a picture (up to {MOST_ENTRIES:,})")
    named = len(items) <= NAMED and len(rows) <= NAMED
    longest = max(map(len, items), default=0)
    side = (26 if len(items) <= 16 else 14) if named else 6
    upright = longest * 8 > side
    left = 8 + (8 * len(str(len(rows))) + 20 if named else 0)
    top = 8 + ((longest * 8 if upright else 16) + 4 if named else 0)
    gap = side / 2 if 0 < n_primary < len(items) else 0.0

    def x_of(item: int) -> float:
        return left + item * side + (gap if item >= n_primary else 0)

    width = left + len(items) * side + gap + 8
    height = top + len(rows) * side + 8
    parts = [
        tag(
            "rect",
            x=left,
            y=top + number * side,
            width=width - left - 8,
            height=side,
            class_="band",
            opacity=0.6,
        )
        for number in range(0, len(rows), 2)
    ]
    if named:
        parts += [_name(name, x_of(k) + side / 2, top - 5, upright) for k, name in enumerate(items)]
    for number, row in enumerate(rows):
        y = top + number * side
        if named:
            mark = "✓ " if number in chosen else ""
            parts.append(
                label(f"{mark}{number}", left - 6, y + side / 2 + 4.5, "small", text_anchor="end")
            )
        if side > 20:
            empty = set(range(len(items))).difference(item for item, _ in row)
            middles = (x_of(item) + side / 2 for item in sorted(empty))
            parts += [label("0", x, y + side / 2 + 4.5, "soft", opacity=0.6) for x in middles]
        for item, character in row:
            is_chosen = number in chosen
            round_by = {"rx": side / 2} if is_chosen else {}
            parts.append(
                tag(
                    "rect",
                    x=x_of(item) + 1,
                    y=y + 1,
                    width=side - 2,
                    height=side - 2,
                    class_="mark" if is_chosen else "one",
                    **round_by,
                )
            )
            if side > 20:
                kind = "over strong" if is_chosen else "on"
                parts.append(label(character, x_of(item) + side / 2, y + side / 2 + 4.5, kind))
    said = f"{len(rows)} options, {len(items)} items, {entries} entries."
    if chosen:
        said += f" Marked options: {', '.join(map(str, sorted(chosen)))}."
    return picture(width, height, title, said, parts)


def _name(name: str, x: float, y: float, upright: bool) -> str:
    if upright:
        turned = f"rotate(-90 {x + 4:g} {y:g})"
        return label(name, x + 4, y, "small", text_anchor="start", transform=turned)
    return label(name, x, y)
