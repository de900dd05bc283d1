"""Debian's Chromium, driven: what every test of the page begins with."""

import functools
import os
import urllib.error
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import SessionNotCreatedException, TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import chromium
from devtools import PATIENCE, Devtools

URL = os.environ["PAGE_URL"].rstrip("/")
SHOTS = os.environ["PAGE_SHOTS"]
CHARTS = "/vendor/lightweight-charts.js"

# What was said in passing is known after it has passed.
NOTE_TOASTS = """
    window.said = [];
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const one of addedNodes) {
          if (one.classList?.contains('toast')) said.push([one.className.slice(6), one.firstElementChild.textContent]);
        }
      }
    }).observe(document, { childList: true, subtree: true });
"""

# Width, height and colours that every view is looked at in.
SHAPES = [(1440, 900, "light"), (1440, 900, "dark"), (360, 740, "light"), (360, 740, "dark")]


def open_browser(is_own=False):
    """A browser without any state, for one test; its console is kept.

    Where PAGE_BROWSER names one that runs, it is a context of that one, which shares nothing with the others; a
    browser of its own takes some seconds to start.
    """
    options = webdriver.ChromeOptions()
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    shared = None if is_own else os.environ.get("PAGE_BROWSER")
    if shared:
        options.debugger_address = shared
    else:
        options.binary_location = chromium.WHOLE
        for flag in ["--headless=new", *chromium.FLAGS]:
            options.add_argument(flag)
    start = lambda: webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        driver = start()
    except SessionNotCreatedException:
        # Of a hundred starts on a busy machine one may take longer than the driver waits.
        note("repeat a start of Chromium that took longer than its driver waits")
        driver = start()
    driver.set_script_timeout(PATIENCE)
    if shared:
        enter_context(driver)
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NOTE_TOASTS})
    return driver


def enter_context(driver):
    """Makes a context of the test's own, which goes with its driver."""
    tools = Devtools(driver)
    context = tools.call("Target.createBrowserContext")["browserContextId"]
    page = tools.call("Target.createTarget", url="about:blank", browserContextId=context, width=1440, height=900,
        newWindow=True)["targetId"]
    driver.switch_to.window(page)
    leave = driver.quit

    def quit():
        tools.call("Target.disposeBrowserContext", browserContextId=context)
        tools.close()
        leave()

    driver.context, driver.quit = context, quit


def note(line):
    """Tells the runner of the tests, which counts what is tried again."""
    if trace := os.environ.get("TEST_TRACE"):
        with open(trace, "a") as file:
            file.write(line + "\n")


def shape(driver, width, height, scheme):
    """Gives the window a size and the system a colour scheme."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})


def network(driver, is_there):
    """Takes the network away, or gives it back."""
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
        "offline": not is_there, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})


def block(driver, *patterns):
    """Lets no request through whose address is like one of the patterns."""
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": list(patterns)})


def wait(driver, state, what):
    """Waits for a state; what it gives when it is there."""
    waiting = WebDriverWait(driver, PATIENCE, 0.1, [Exception])
    failure = None

    def tried(_):
        nonlocal failure
        try:
            came, failure = state(), None
        except Exception as error:
            failure = error
            raise
        return came

    try:
        return waiting.until(tried)
    except TimeoutException:
        shown = driver.execute_script("return `${location.href}: ${document.body.innerText}`")
        why = f"\nlooking for it failed: {failure!r}" if failure else ""
        raise AssertionError(f"never came: {what}{why}\nat {shown[:1000]}\n{complaints(driver)}") from None


# What links from outside lead to has an address of its own; the rest is in the fragment.
OUTSIDE = ("/unsubscribe", "/shared/", "/setup", "/sign-up#", "/alert?")


def go(driver, route):
    """Shows a view, and waits until it is there and what it asks for has come."""
    driver.get("about:blank")
    driver.get(URL + (route if route.startswith(OUTSIDE) else f"/#{route}"))
    is_there = lambda: find(driver, "main .view") and not find(driver, "main[aria-busy]")
    wait(driver, is_there, f"view {route}")


def find(driver, selector):
    """The first element that a selector finds, or None."""
    found = driver.find_elements(By.CSS_SELECTOR, selector)
    return found[0] if found else None


def text(driver, selector):
    """The text of the first element, as it is in the page at this moment."""
    return driver.execute_script(
        "return document.querySelector(arguments[0])?.textContent ?? null", selector)


def said(driver, kind):
    """What this document said in passing, of a kind such as `bad`, also when it has passed."""
    return [words for one, words in driver.execute_script("return window.said") if one == kind]


def state(driver):
    """The state of the connection."""
    return driver.execute_script("return document.documentElement.dataset.connection")


def keep(driver, name):
    """A screenshot, kept."""
    os.makedirs(SHOTS, exist_ok=True)
    driver.save_screenshot(os.path.join(SHOTS, name + ".png"))


@functools.cache
def has_charts():
    """Whether the server has the chart library, which is not ours: without a network it is not fetched."""
    try:
        with urllib.request.urlopen(URL + CHARTS):
            return True
    except urllib.error.HTTPError as error:
        if error.code != 404:
            raise
        return False


def complaints(driver):
    """What the console was told since the last question.

    That the chart library is missing is no fault of the page, which says what to do about it.
    """
    told = [
        entry["message"] for entry in driver.get_log("browser")
        if entry["level"] in ("SEVERE", "WARNING")]
    return [message for message in told if CHARTS not in message or has_charts()]
