"""Links: four arrays that join items and nodes into circular lists."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from .document import Svg, label, picture, tag

MAX_NODES = 600
# Lengths in pixels
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
# The opposite of each array of links, and the step to the neighbor: to the right, and down
DIRECTIONS = {"R": ("L", 1, 0), "L": ("R", -1, 0), "D": ("U", 0, 1), "U": ("D", 0, -1)}
UNLINKED_SHIFT = (13, 8)  # of a node, so that lines pass it
UNLINKED_RISE = 22  # of an item, for the same reason


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
    layout = _NodeLayout(items, columns, rows, unlinked)
    elements = [HEAD]
    for node, forward in product(range(n_nodes), DIRECTIONS):
        elements += _draw_link(layout, links, bold, node, forward)
    for node in range(n_nodes):
        elements += _draw_node(layout, node, node in chosen)
    description = f"{n_nodes} nodes, {len(unlinked)} of them unlinked."
    return picture(*layout.size, title, description, elements)


@dataclass(frozen=True)
class _NodeLayout:
    """The places of the nodes in a picture."""

    items: Sequence[str]
    columns: Sequence[int]
    rows: Sequence[int]
    unlinked: Collection[int]

    @cached_property
    def item_width(self) -> int:
        return max(NODE_WIDTH, 8 + CHARACTER_WIDTH * max(map(len, self.items), default=0))

    @cached_property
    def size(self) -> tuple[int, int]:
        width = LEFT + (len(self.items) + 1) * (self.item_width + 20)
        return width, TOP + (max(self.rows) + 1) * ROW_HEIGHT

    def width_of(self, node: int) -> int:
        return self.item_width if 0 < node <= len(self.items) else NODE_WIDTH

    def center(self, node: int) -> tuple[int, int]:
        """Return the middle of the box of a node, in pixels."""
        x = LEFT + self.columns[node] * (self.item_width + 20)
        y = TOP + self.rows[node] * ROW_HEIGHT
        if node not in self.unlinked:
            return x, y
        if not self.rows[node]:  # an unlinked item is above the row of items
            return x, y - UNLINKED_RISE
        return x + UNLINKED_SHIFT[0], y + UNLINKED_SHIFT[1]

    def side(self, node: int, across: int, down: int) -> list[int]:
        """Return the middle of a side of the box of a node: the side to which a step leads."""
        x, y = self.center(node)
        return [x + across * self.width_of(node) // 2, y + down * BOX_HEIGHT // 2]

    def lines(
        self, node: int, following: int, forward: str, is_mutual: bool
    ) -> list[tuple[list[int], list[int], str]]:
        """Return the lines of a link: where they start and end, and which ends have heads.

        There are two if it wraps around: a link to a node that is not in its direction ends at the
        edge of the picture, and comes back from the opposite edge.
        """
        _, across, down = DIRECTIONS[forward]
        start = self.side(node, across, down)
        end = self.side(following, -across, -down)
        distance = across * (self.columns[following] - self.columns[node])
        distance += down * (self.rows[following] - self.rows[node])
        if distance > 0:
            return [(start, end, "start end" if is_mutual else "end")]
        axis = abs(down)  # 0 for x, 1 for y
        leaving = [*start]
        entering = [*end]
        far = leaving if across + down > 0 else entering  # the end at the right or lower edge
        leaving[axis] = entering[axis] = 0
        far[axis] = self.size[axis]
        if is_mutual:
            return [(start, leaving, "start"), (entering, end, "end")]
        return [(start, leaving, "end")]


def _draw_link(
    layout: _NodeLayout,
    links: Mapping[str, Sequence[int]],
    bold: Collection[tuple[str, int]],
    node: int,
    forward: str,
) -> list[str]:
    """Draw the link of a node in a direction; one in both directions, only from its left or upper
    end, and not if it leads to the node itself.
    """
    backward = DIRECTIONS[forward][0]
    following = links[forward][node]
    is_mutual = links[backward][following] == node
    if is_mutual and (forward in "LU" or following == node):
        return []
    look: dict[str, object] = {} if is_mutual else {"stroke_dasharray": "3 3"}
    if (forward, node) in bold or (is_mutual and (backward, following) in bold):
        look["stroke_width"] = 3
    drawn = []
    for (x1, y1), (x2, y2), heads in layout.lines(node, following, forward, is_mutual):
        markers = {f"marker_{head}": "url(#dlx-head)" for head in heads.split()}
        drawn.append(tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="wire", **look, **markers))
    return drawn


def _draw_node(layout: _NodeLayout, node: int, is_chosen: bool) -> list[str]:
    """Draw the box of a node, and its name."""
    x, y = layout.center(node)
    width = layout.width_of(node)
    is_unlinked = node in layout.unlinked
    kind = "paper" if is_unlinked or layout.rows[node] else "shade"
    if is_chosen:
        kind = "mark"
    frame = {"stroke_dasharray": "3 2"} if is_unlinked else {}
    place = {"x": x - width / 2, "y": y - BOX_HEIGHT / 2, "width": width, "height": BOX_HEIGHT}
    name: str | int = node
    if node == 0:
        name = "root"
    elif node <= len(layout.items):
        name = layout.items[node - 1]
    text = label(name, x, y + 4.5, "over" if is_chosen else "small")
    return [tag("rect", **place, rx=3, class_=f"{kind} wire", **frame), text]
