"""Fixtures that show pages of `explain` in Chromium."""

import pytest

from dlx_numba.explain.page import Page
from tests.helpers.browser import browser as browser
from tests.helpers.browser import phone as phone
from tests.helpers.pages import wait_until

IS_READY = "return document.body.classList.contains('ready')"


@pytest.fixture
def open_page(browser, tmp_path):
    """Open the page of a record. After the test, the console must be empty."""

    def open_(record, fragment=""):
        path = tmp_path / "page.html"
        path.write_text(Page(record).html, encoding="utf-8")
        browser.get("about:blank")  # a new fragment alone would not reload the page
        browser.get(path.as_uri() + fragment)
        wait_until(browser, lambda: browser.execute_script(IS_READY))
        return browser

    yield open_
    assert browser.get_log("browser") == []
