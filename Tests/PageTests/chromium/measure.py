"""Measures the page's first visit in Debian's Chromium: prints {"first_quote_ms", "bytes", "requests"}.

PAGE_URL is the gateway's address. The time is the browser's own, from the navigation to the first price in the list;
the bytes are those of the bodies as they came, compressed.
"""

import json
import os
import statistics

os.environ.setdefault("PAGE_SHOTS", "")

import browser  # noqa: E402

RUNS = 5
# Written down by the page itself at the moment, not when a question finds out.
NOTE = """
    const shown = () => [...document.querySelectorAll('.price-text')].some((cell) => /[0-9]/.test(cell.textContent));
    new MutationObserver(() => {
      if (window.firstQuote === undefined && shown()) window.firstQuote = performance.now();
    }).observe(document, { subtree: true, childList: true, characterData: true });
"""
LOADED = """
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter((entry) => !entry.name.includes('/v1/'));
    return { bytes: entries.reduce((sum, entry) => sum + entry.encodedBodySize, 0), requests: entries.length };
"""


def visit():
    driver = browser.open_browser()
    try:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NOTE})
        driver.get(browser.URL + "/")
        time = browser.wait(driver, lambda: driver.execute_script("return window.firstQuote"), "a quote")
        return {"first_quote_ms": time, **driver.execute_script(LOADED)}
    finally:
        driver.quit()


visits = [visit() for _ in range(RUNS)]
print(json.dumps({name: statistics.median(visit[name] for visit in visits) for name in visits[0]}))
