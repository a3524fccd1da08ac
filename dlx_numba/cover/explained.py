"""The method of `ExactCover` that leads to the layer `explain`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..explain.page import Page


class Explained:
    """A problem whose search can be shown step by step.

    This is the only place where an import points up: users look for the page of a problem at the
    problem. The layer above is imported when the method is called.
    """

    def explain(
        self: Any,
        path: str | os.PathLike[str] | None = None,
        *,
        steps: int = 1000,
        limit: int | None = None,
        title: str = "Exact cover",
        show_givens: bool = False,
    ) -> Page:
        """Record a search step by step, as a page that notebooks show.

        The search has the branching rule and the given and forbidden options of the problem.
        `presolve`, `algorithm` and costs do not affect it.

        Parameters
        ----------
        path : str or path-like, optional
            A file to which the page is written.
        steps : int, default: 1000
            The largest number of steps. If the search takes more of them to find a cover, the page
            has its beginning and the path to the first cover; other branches are collapsed.
        limit : int, optional
            Stop after this number of covers.
        title : str
            The title of the page.
        show_givens : bool, default: False
            Whether the search chooses the given options first. By default, it starts after them.

        Returns
        -------
        Page

        Raises
        ------
        ValueError
            If the problem is too large for a page, or the givens cannot be shown because it has
            multiplicities.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["a", "b"], ["b"]])
        >>> cover.explain(limit=1)
        <Page: 8 steps, 1 cover>
        """
        from ..explain import explain_cover

        return explain_cover(
            self, path, steps=steps, limit=limit, title=title, show_givens=show_givens
        )
