"""The function behind `ExactCover.explain`. It alone imports from a layer above, when called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..explain.page import Page as Page
    from .exact_cover import ExactCover


def explain(cover: ExactCover, *arguments: Any, **keywords: Any) -> Page:
    """Import the layer above when it is needed, and call its function `explain_cover`."""
    from ..explain import explain_cover

    return explain_cover(cover, *arguments, **keywords)
