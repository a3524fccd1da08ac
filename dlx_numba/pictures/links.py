"""Links: four arrays that join items and nodes into circular lists."""

from collections.abc import Collection, Mapping, Sequence
from itertools import product

from .document import Svg, label, picture, tag

MAX_NODES = 600
ROW_HEIGHT = 40
BOX_HEIGHT = 20
NODE_WIDTH = 30
CHARACTER_WIDTH = 8
LEFT = 44
TOP = 40
HEAD = tag(  # an arrow head, which has the same size at lines of any width
    "marker",
    tag("path", d="M0 0L8 4L0 8z"),
    id="dlx-head",
    viewBox="0 0 8 8",
    refX=8,
    refY=4,
    markerWidth=7,
    markerHeight=7,
    markerUnits="userSpaceOnUse",
    orient="auto-start-reverse",
)
# The opposite of each array of links, and where the neighbor is: to the right, and below
DIRECTIONS = {"R": ("L", 1, 0), "L": ("R", -1, 0), "D": ("U", 0, 1), "U": ("D", 0, -1)}
UNLINKED_SHIFT = (13, 8)  # of a node, so that lines pass it


def links_picture(
    title: str,
    items: Sequence[str],
    links: Mapping[str, Sequence[int]],
    columns: Sequence[int],
    rows: Sequence[int],
    unlinked: Collection[int] = (),
    chosen: Collection[int] = (),
    bold: Collection[tuple[str, int]] = (),
) -> Svg:
    """Return a picture of links: items in the first row, and below them the nodes of each option.

    Solid lines are links in both directions; those that wrap around end at the edges. The links
    of nodes that no other node links to are dashed.

    Parameters
    ----------
    title
        Plain text for screen readers.
    items
        The names of the items.
    links
        The arrays L, R, U and D: the neighbors of each node. Node 0 is the root, and the items
        follow.
    columns, rows
        The place of each node: its item, counted from 1, and its option, counted from 1, or 0.
    unlinked
        The nodes that are drawn apart.
    chosen
        The nodes to mark.
    bold
        The elements of the arrays, by name and node, whose links are drawn bold.

    Returns
    -------
    Picture
        An SVG document.

    Raises
    ------
    ValueError
        If there are more than `MAX_NODES` nodes.
    """
    n_nodes = len(columns)
    if n_nodes > MAX_NODES:
        raise ValueError(f"{n_nodes:,} nodes are too many for a picture (up to {MAX_NODES:,})")
    item_width = max(NODE_WIDTH, 8 + CHARACTER_WIDTH * max(map(len, items), default=0))
    size = LEFT + (len(items) + 1) * (item_width + 20), TOP + (max(rows) + 1) * ROW_HEIGHT

    def width_of(node: int) -> int:
        return item_width if 0 < node <= len(items) else NODE_WIDTH

    def center(node: int) -> tuple[int, int]:
        x = LEFT + columns[node] * (item_width + 20)
        y = TOP + rows[node] * ROW_HEIGHT
        if node not in unlinked:
            return x, y
        return (x + UNLINKED_SHIFT[0], y + UNLINKED_SHIFT[1]) if rows[node] else (x, y - 22)

    def side(node: int, across: int, down: int) -> list[int]:
        """Return the middle of a side of the box of a node."""
        x, y = center(node)
        return [x + across * width_of(node) // 2, y + down * BOX_HEIGHT // 2]

    def draw_link(node: int, forward: str) -> list[str]:
        """Draw the link of a node in one direction."""
        backward, across, down = DIRECTIONS[forward]
        following = links[forward][node]
        is_mutual = links[backward][following] == node
        if is_mutual and (forward in "LU" or following == node):
            return []  # drawn from the other node
        look: dict[str, object] = {} if is_mutual else {"stroke_dasharray": "3 3"}
        if (forward, node) in bold or (is_mutual and (backward, following) in bold):
            look["stroke_width"] = 3
        start = side(node, across, down)
        end = side(following, -across, -down)
        lines = [(start, end, "start end" if is_mutual else "end")]
        distance = across * (columns[following] - columns[node])
        if distance + down * (rows[following] - rows[node]) <= 0:  # it ends at the edge
            leaving = [*start]
            entering = [*end]
            k = abs(down)
            leaving[k], entering[k] = (size[k], 0) if across + down > 0 else (0, size[k])
            lines = [(start, leaving, "start" if is_mutual else "end")]
            if is_mutual:
                lines.append((entering, end, "end"))
        drawn = []
        for (x1, y1), (x2, y2), heads in lines:
            markers = {f"marker_{head}": "url(#dlx-head)" for head in heads.split()}
            drawn.append(tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="wire", **look, **markers))
        return drawn

    elements = [HEAD]
    for node, forward in product(range(n_nodes), DIRECTIONS):
        elements += draw_link(node, forward)
    for node in range(n_nodes):
        x, y = center(node)
        box = width_of(node)
        kind = "mark" if node in chosen else "paper" if node in unlinked or rows[node] else "shade"
        place = {"x": x - box / 2, "y": y - BOX_HEIGHT / 2, "width": box, "height": BOX_HEIGHT}
        frame = {"stroke_dasharray": "3 2"} if node in unlinked else {}
        elements.append(tag("rect", **place, rx=3, class_=f"{kind} wire", **frame))
        name = "root" if node == 0 else items[node - 1] if node <= len(items) else node
        elements.append(label(name, x, y + 4.5, "over" if node in chosen else "small"))
    description = f"{n_nodes} nodes, {len(unlinked)} of them unlinked."
    return picture(*size, title, description, elements)
