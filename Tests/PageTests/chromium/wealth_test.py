"""One's own portfolio: how it is divided and how it did, drawn; and an import that says how far it is.

The installation is that of page_test.py.
"""

import unittest
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from selenium.webdriver import ActionChains

from browser import complaints, find, go, text
from page import Page

# The ring and its legend, of one moment: parts of a hundred, where each begins, names, values and shares.
RING = """
    const arcs = [...document.querySelectorAll('.donut circle:not(.donut-ground)')];
    return { arcs: arcs.map((arc) => [parseFloat(arc.getAttribute('stroke-dasharray')) + 0.4,
        25 - parseFloat(arc.getAttribute('stroke-dashoffset'))]),
      legend: [...document.querySelectorAll('.legend li')].map((one) =>
        [...one.querySelectorAll('.grow, .num')].map((part) => part.textContent.replaceAll(',', ''))) };
"""
POINTS = """
    const line = document.querySelector('.line-chart .line');
    return line && line.getAttribute('d').slice(1).split('L').map((point) => point.split(',').map(Number));
"""
# An import is held back until `letGo()`.
HOLD = """
    const fetched = window.fetch;
    window.fetch = async (address, options) => {
      if (!/[/]import(?:[/]preview)?$/.test(String(address))) return fetched(address, options);
      await new Promise((done) => { window.letGo = () => done(window.letGo = null); });
      return fetched(address, options);
    };
"""
FILE = """time,kind,wallet,asset,amount
2026-01-31T00:00:00Z,deposit,main,BTC,1
2026-02-01T00:00:00Z,deposit,main,BTC,2
"""


def day(ago):
    return (datetime.now(timezone.utc) - timedelta(days=ago)).strftime("%Y-%m-%dT00:00:00Z")


class Wealth(Page):
    """Somebody who paid in twice and bought a coin."""

    def make(self, name):
        self.sign_up(name)
        made = self.call("POST", "/portfolios", {"name": "Savings", "base": "USD"})
        self.call("POST", f"/portfolios/{made['id']}/wallets", {"name": "main"})
        return f"/portfolios/{made['id']}"

    def add(self, path, kind, time, asset, amount, **parts):
        self.call("POST", f"{path}/transactions", {"kind": kind, "time": time, "wallet": "main",
            "asset": asset, "amount": amount, **parts})

    def test_how_it_is_divided_and_how_it_did(self):
        path = self.make("wanda")
        self.add(path, "deposit", day(20), "USD", "1000")
        self.add(path, "deposit", day(10), "USD", "500")
        self.add(path, "buy", day(0), "BTC", "0.01", counter_asset="USD", counter_amount="600")
        go(self.driver, path.replace("portfolios", "portfolio"))
        self.wait(lambda: len(self.driver.execute_script(RING)["arcs"]) == 2, "a ring of two")
        self.assert_divided()
        # Some 600 of 1,500 are in the coin, wherever its price is.
        self.assertEqual([name for name, *_ in self.driver.execute_script(RING)["legend"]], ["USD", "BTC"])
        for name in ("1M", "1W", "ALL"):
            self.press_button(".panel .segmented", {"ALL": "All"}.get(name, name))
            history = self.call("GET", f"{path}/history?range={name}")["items"]
            days = [item for item in history if item["value"]]
            self.wait(lambda: len(self.driver.execute_script(POINTS)) == len(days), f"the days of {name}")
            self.assert_drawn(days)
            pressed = self.driver.find_elements("css selector", ".panel .segmented [aria-pressed=true]")
            self.assertEqual([one.text for one in pressed], [{"ALL": "All"}.get(name, name)])
        facts = text(self.driver, ".panel:has(.line-chart) .facts")
        self.assertIn("USD", facts)
        self.assertEqual(complaints(self.driver), [])

    def assert_divided(self):
        """Each part of the ring is as long as its share of what is held, one behind the other."""
        ring = self.driver.execute_script(RING)
        values = [Decimal(value) for _, value, _ in ring["legend"]]
        begun = Decimal(0)
        for (length, start), value, (*_, share) in zip(ring["arcs"], values, ring["legend"]):
            wanted = value / sum(values) * 100
            self.assertAlmostEqual(length, float(wanted), delta=0.01)
            self.assertAlmostEqual(start, float(begun), delta=0.01)
            self.assertAlmostEqual(float(share.rstrip("%")), float(wanted), delta=0.06)
            begun += wanted
        self.assertEqual(values, sorted(values, reverse=True))

    def assert_drawn(self, days):
        """From edge to edge, and higher where it was worth more."""
        points = self.driver.execute_script(POINTS)
        self.assertEqual([points[0][0], points[-1][0]], [0, 600])
        # Today's is of now, and goes on.
        whole = list(zip([Decimal(item["value"]) for item in days], [height for _, height in points]))[:-1]
        for value, height in whole:
            for other, its in whole:
                self.assertEqual((value > other) - (value < other), (its > height) - (its < height))
        chart = find(self.driver, ".line-chart")
        edge = -int(chart.rect["width"] / 2) + 1
        ActionChains(self.driver).move_to_element_with_offset(chart, edge, 0).perform()
        first = f"{Decimal(days[0]['value']):,.2f}\u00a0USD"
        self.wait(lambda: first in text(self.driver, ".chart-tip"), "the value of the first day")
        # The range, where the pointer is in no place of the chart.
        ActionChains(self.driver).move_to_element(find(self.driver, "h1")).perform()
        self.wait(lambda: " – " in text(self.driver, ".chart-tip"), "the days that are shown")

    def test_an_import_says_how_far_it_is(self):
        path = self.make("wilma")
        go(self.driver, f"{path.replace('portfolios', 'portfolio')}/import")
        self.driver.execute_script(HOLD)
        self.enter("text", FILE)
        self.click("form button[type=submit]")
        self.assert_working("Reading the file")
        self.let_go()
        self.wait(lambda: find(self.driver, "main .facts"), "what would be added")
        self.assertIsNone(find(self.driver, "progress"))
        add = "main [aria-live] button.primary"
        self.click(add)
        self.assert_working("Adding 2 transactions")
        self.assertFalse(find(self.driver, add).is_enabled())
        self.audit("an import that is under way")
        # The answer does not come: nothing goes on, and it can be tried again.
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/import"]})
        self.let_go()
        self.wait(lambda: text(self.driver, "main [aria-live] .form-error"), "that nobody answered")
        self.assertIsNone(find(self.driver, "progress"))
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        self.click(add)
        self.assert_working("Adding 2 transactions")
        self.assertEqual(text(self.driver, "main [aria-live] .form-error"), "")
        self.let_go()
        self.wait(lambda: text(self.driver, "main p.good") == "2 transactions are added.", "what was added")
        self.assertIsNone(find(self.driver, "progress"))
        self.assertEqual(len(self.call("GET", f"{path}/transactions")["items"]), 2)

    def assert_working(self, words):
        self.wait(lambda: find(self.driver, "progress"), "that something goes on")
        self.assertEqual(find(self.driver, "progress").get_attribute("aria-label"), words)
        self.assertIn(words, [one.text for one in self.driver.find_elements("css selector", "[role=status]")])

    def let_go(self):
        self.wait(lambda: self.driver.execute_script("return Boolean(window.letGo)"), "the question")
        self.driver.execute_script("window.letGo()")


if __name__ == "__main__":
    unittest.main(verbosity=2)
