"""A real browser without a screen, for the pages that people open."""

import atexit
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="no browser: needs chromium and chromedriver"
)
# Names of other machines lead nowhere.
NOWHERE = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


def start(folder: Path, hosts: str = NOWHERE) -> webdriver.Chrome:
    """A browser with its files in a folder. hosts: the rules by which it finds machines."""
    options = Options()
    options.binary_location = BROWSER
    for argument in (
        *("--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,900", "--no-first-run"),
        *("--disable-background-networking", f"--host-resolver-rules={hosts}", f"--user-data-dir={folder}"),
    ):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.set_page_load_timeout(60)
    return driver


@cache
def shared() -> webdriver.Chrome:
    """The browser of this test process, which ends with it."""
    folder = TemporaryDirectory(prefix="gradebox-browser-", ignore_cleanup_errors=True)
    driver = start(Path(folder.name))
    atexit.register(folder.cleanup)
    atexit.register(driver.quit)
    return driver


@contextmanager
def tab() -> Iterator[webdriver.Chrome]:
    """The browser with a new tab, in which nothing is known of earlier tests."""
    driver = shared()
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.get_log("browser")
    try:
        yield driver
    finally:
        driver.close()
        driver.switch_to.window(first)


def colours(driver: webdriver.Chrome, scheme: str) -> None:
    """Show pages to who wants them "light" or "dark"."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def wait_for(driver: webdriver.Chrome, condition: str | Callable[[webdriver.Chrome], object]) -> None:
    """Wait until an expression of the page's holds, however slow this machine is."""
    if isinstance(condition, str):
        said = f"return {condition}"
        WebDriverWait(driver, 600).until(lambda page: page.execute_script(said))
    else:
        WebDriverWait(driver, 600).until(condition)


def click(driver: webdriver.Chrome, by: str, element: str) -> None:
    """Click an element, also while a script of the page replaces it."""
    passing = (NoSuchElementException, StaleElementReferenceException)
    WebDriverWait(driver, 600, ignored_exceptions=passing).until(
        lambda page: page.find_element(by, element).click() is None
    )
