"""Fixtures for tests in Chromium, which the `conftest.py` of a package of tests imports."""

import shutil

import pytest

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)


@pytest.fixture(scope="package")
def browser(tmp_path_factory):
    """A browser in which all tests of the pages run, one after another."""
    if BROWSER is None or DRIVER is None:
        pytest.skip("requires Chromium and its driver: apt-get install chromium chromium-driver")
    from selenium.webdriver import ChromeOptions, ChromeService

    from .driver import Browser

    options = ChromeOptions()
    options.binary_location = BROWSER
    profile = tmp_path_factory.mktemp("profile")
    for flag in (*FLAGS.split(), f"--user-data-dir={profile}", "--window-size=1280,1000"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Browser(options, ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def phone(browser):
    """The browser with the screen of a phone, 390 pixels wide, and touch events."""
    screen = {"width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    yield browser
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
