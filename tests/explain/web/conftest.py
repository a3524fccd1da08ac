"""Fixtures that show pages in Chromium."""

import shutil

import pytest

from dlx_numba.explain.page import Page
from tests.helpers.pages import wait_until

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

IS_READY = "return document.body.classList.contains('ready')"
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)


@pytest.fixture(scope="package")
def browser(tmp_path_factory):
    """A browser in which all tests of the pages run, one after another."""
    if BROWSER is None or DRIVER is None:
        pytest.skip("requires Chromium and its driver: apt-get install chromium chromium-driver")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    profile = tmp_path_factory.mktemp("profile")
    for flag in (*FLAGS.split(), f"--user-data-dir={profile}", "--window-size=1200,1000"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


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


@pytest.fixture
def phone(browser):
    """The browser with the screen of a phone, 390 pixels wide, and touch events."""
    screen = {"width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    yield browser
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
