"""Fixtures that show pages of `explain` in Chromium."""

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain import record_search
from dlx_numba.explain.page import Page
from dlx_numba.explain.problem_view import view_search
from tests.helpers.browser import browser as browser
from tests.helpers.browser import phone as phone


def view_of(problem, title):
    """Return the view of a cover, or of a board as text."""
    cover = dlx.read(problem)[0].cover() if isinstance(problem, str) else problem
    return view_search(named_problem(cover), title)


@pytest.fixture
def show(browser, tmp_path):
    """Record a search, and open its page at a fragment. Afterwards, the console must be empty.

    The fragment can name the last step.
    """

    def show_(problem, fragment="", title="page", **limits):
        record = record_search(view_of(problem, title), **limits)
        path = tmp_path / "page.html"
        path.write_text(Page(record).html, encoding="utf-8")
        browser.open_page(path, fragment.replace("last", str(len(record.steps) - 1)))
        return record

    yield show_
    assert browser.get_log("browser") == []
