"""A recorded search as a single self-contained HTML file."""

import base64
import html
import json
import os
import zlib
from functools import cached_property
from typing import Any

import numpy as np

from ..cover.named_problem import NamedProblem
from ..kernels.dlx.links import INACTIVE
from ..kernels.problem import Problem
from ..pictures.document import Svg
from ..pictures.palette import COLORS
from ..runtime.arguments import check_integer
from ..runtime.files import replace_file
from ..runtime.text import plural
from .deduction import next_hint
from .encoding import encode_changes
from .frame import algorithm_texts, fill_page
from .picture import draw_sheet, draw_still
from .record import SearchRecord, StopReason
from .trace import trace_effects

MAX_NODES = 40_000  # the page has the links of all nodes; a step then takes a browser 0.5 s
MAX_ASSIGNMENTS = 8_000_000  # which take 200 megabytes in a browser

_VIEW_FIELDS = "summary", "n_primary", "options", "option_starts", "colors", "color_marks"
MAX_HINT_ENTRIES = 1_000_000  # of the problem, times the number of hints
PAGE_MARK = b'id="record"'  # the element with the data


def check_size(problem: Problem) -> None:
    """Raise ValueError if the problem is too large for a page."""
    n_nodes = 1 + problem.n_items + len(problem.items)
    if n_nodes > MAX_NODES:
        raise ValueError(
            f"{n_nodes:,} nodes are too many for a page; the maximum is {MAX_NODES:,}: "
            "use --format text or json"
        )


def _page_data(record: SearchRecord) -> dict[str, Any]:
    """Return the data that the scripts of the page read."""
    view = record.view
    color = view.problem.color
    cost = view.problem.cost
    no_colors = [0] * (1 + view.problem.n_items)  # of the root and the items
    return {
        **{name: getattr(view, name) for name in _VIEW_FIELDS},
        "items": view.item_names(),
        "ending": record.ending,
        "is_complete": record.stop_reason is StopReason.COMPLETE,
        "covered_offset": int(INACTIVE),
        "is_literal": view.rule.is_literal,
        "option_numbers": [view.start + number for number in view.numbers],
        "references": view.references(),
        "n_givens": len(view.given),
        "node_colors": None if color is None else no_colors + color.tolist(),
        "costs": None if cost is None else list(map(view.names.scale.unscale, cost.tolist())),
        # Differences between neighboring cells take less space.
        "arrays": {
            name: np.diff(cells, prepend=0).tolist() for name, cells in record.arrays.items()
        },
        "n_assignments": len(record.assignments),
        "picture": None if view.drawn is None else view.drawn._replace(svg="")._asdict(),
        "palette": COLORS,
        "steps": [
            # The related options are those that the step removes or restores, other than its own.
            step._asdict()
            | {
                "changes": changes,
                "related": sorted({*effects["removed"], *effects["restored"]} - {step.option}),
            }
            for step, changes, effects in zip(
                record.steps, encode_changes(record), trace_effects(record), strict=True
            )
        ],
        "tree": list(map(vars, record.tree)),
        "hints": _hints(record),
    }


def _hints(record: SearchRecord) -> list[str]:
    """Return what follows first at each node of the search tree.

    The nodes after the first ones, which take long if the problem is large, have "".
    """
    view = record.view
    named = NamedProblem(view.problem, view.names, view=view.picture)
    n_hints = MAX_HINT_ENTRIES // (1 + len(view.problem.items))
    chosen_at = {step.tree_node: step.chosen for step in record.steps}
    hints = {node: next_hint(named, chosen_at[node]) for node in sorted(chosen_at)[:n_hints]}
    return [hints.get(node, "") for node in range(len(record.tree))]


class Page:
    """A recorded search as an interactive page, which notebooks show.

    `ExactCover.explain` creates pages.

    Parameters
    ----------
    record : Record

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> page = ExactCover([["a"], ["a", "b"], ["b"]]).explain()
    >>> page
    <Page: 16 steps, 2 covers>
    """

    def __init__(self, record: SearchRecord) -> None:
        self.record = record
        self.view = record.view

    @cached_property
    def html(self) -> str:
        """The text of the HTML file."""
        text = json.dumps(_page_data(self.record), separators=(",", ":"))
        return fill_page(
            "page.html",
            self.view.title,
            picture="" if self.view.drawn is None else self.view.drawn.svg,
            record=base64.b64encode(zlib.compress(text.encode(), 9)).decode(),
            **algorithm_texts(self.record),
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, completely or not at all.

        Parameters
        ----------
        path : str or path-like

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        replace_file(path, self.html.encode(errors="backslashreplace"))

    def svg(
        self,
        step: int | None = None,
        *,
        phase: int | None = None,
        links: bool = False,
        condensed: bool = False,
        steps_per_sheet: int | None = None,
        animated: bool = False,
    ) -> Svg:
        """Return a picture of the matrix or of the links after a step, or of several steps.

        Parameters
        ----------
        step : int, optional
            The number of the step, from 0. By default, this is the step that finds the first
            cover, or the last step if none does.
        phase : int, optional
            The number of a sub-step of the step, from 1, as on the page. The row, the columns and
            the related rows of an option are outlined, and links that the next sub-step changes are
            bold. By default, the step is complete.
        links : bool, default: False
            Whether to draw the links instead of the matrix.
        condensed : bool, default: False
            Whether to draw only the rows and columns that are left.
        steps_per_sheet : int, optional
            Draw this number of steps on one sheet, from `step` or the first step on.
        animated : bool, default: False
            Whether to show the steps of the sheet one after another, for slides. Without a number
            of steps, these are all from `step` or the first step on.

        Returns
        -------
        Picture
            An SVG document, as a string that notebooks show.

        Raises
        ------
        ValueError
            If there is no such step, there are no steps on a sheet, or the problem is too large for
            a picture.
        """
        steps = self.record.steps
        is_sheet = animated or steps_per_sheet is not None
        if step is None:
            visits = (k for k, recorded in enumerate(steps) if recorded.action == "visit")
            step = 0 if is_sheet else next(visits, len(steps) - 1)
        if not 0 <= step < len(steps):
            raise ValueError(f"there is no step {step:,}; the last step is {len(steps) - 1:,}")
        if is_sheet:
            n_steps = steps_per_sheet
            if n_steps is not None:
                n_steps = check_integer(n_steps, "steps_per_sheet", minimum=1)
            return draw_sheet(self.record, step, n_steps, animated, links, condensed)
        return draw_still(self.record, step, phase, links, condensed)

    def __repr__(self) -> str:
        n_covers = plural(len(self.record.covers), "cover")
        return f"<Page: {plural(len(self.record.steps), 'step')}, {n_covers}>"

    def _repr_html_(self) -> str:
        document = html.escape(self.html)
        style = "width: 100%; height: 46rem; border: 1px solid #888"
        return f'<iframe srcdoc="{document}" style="{style}" title="A search"></iframe>'
