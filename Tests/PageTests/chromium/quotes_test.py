"""A list of quotes: it flashes where a price changes, has a line for each, and is sorted by its columns.

The installation is that of page_test.py.
"""

import unittest
from decimal import Decimal

from browser import find, go, state, text
from page import Page
from still import answer, before, stand_still, tell

def quote(last, bid, ask, change, turnover):
    return {"last": last, "bid": bid, "ask": ask, "change_percent": change, "quote_volume": turnover}


# Numbers that are in another order as text; of the last nothing is known but its name.
QUOTES = {
    "bitmex:BBB": quote("9.5", "9.4", "9.6", "-10.25", "800"),
    "kraken:AAA": quote("100.5", "100.1", "101", "2.5", "70000"),
    "bitmex:DDD": quote("20", "19", "21.5", "-9.75", "1000000"),
    "bitmex:CCC": quote("0.15", "0.149", "0.151", "11", "9"),
    "bitmex:EEE": {},
}
NAMES = list(QUOTES)
# What each column is sorted by: names begin with the first, numbers with the greatest.
COLUMNS = {"name": None, "price": "last", "change": "change_percent", "bid": "bid", "ask": "ask",
    "turnover": "quote_volume"}
ROWS = "return [...document.querySelectorAll('tr.quote')].map((row) => row.dataset.instrument)"
# Each flash of a price: whose, in which colour, and how it ends.
NOTE_FLASHES = """
    window.flashes = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, time) {
      window.flashes.push([this.closest('tr')?.dataset.instrument, this.className, frames[0].backgroundColor,
        frames.at(-1).backgroundColor, this.textContent]);
      return animate.call(this, frames, time);
    };
"""
LINE = """
    const line = document.querySelector(`tr[data-instrument="${arguments[0]}"] .sparkline`);
    return [line.dataset.way, (line.firstChild?.getAttribute('points') ?? '').split(' ').filter(Boolean)
      .map((point) => point.split(',').map(Number))];
"""


def candles(closes):
    start = lambda n: f"2026-01-30T{n // 4:02}:{n % 4 * 15:02}:00Z"
    items = [{"start": start(n), "close": close} for n, close in enumerate(closes)]
    return {"interval": "15m", "items": items}


class Quotes(Page):
    """A market of five that stands still."""

    def show(self):
        stand_still(self.driver, {"ticker": None})
        before(self.driver, NOTE_FLASHES)
        answer(self.driver, {
            "/tickers": {"items": [{"instrument": name, "time": "2026-01-31T00:00:00Z", **quote}
                for name, quote in QUOTES.items()]},
            "/candles/bitmex:BBB": candles([str(n) for n in range(10, 30)]),
            "/candles/bitmex:DDD": candles([str(40 - n) for n in range(20)]),
            "/candles/": {"items": []}, "/instruments/": {},
        })
        go(self.driver, "/")
        # From then on the ages in the last column stand still.
        self.wait(lambda: state(self.driver) == "live", "a connection")
        self.wait(lambda: self.rows() == NAMES, "the list in its own order")

    def rows(self):
        return self.driver.execute_script(ROWS)

    def price_of(self, name):
        return text(self.driver, f'tr[data-instrument="{name}"] .price-text')

    def flashes(self):
        return self.driver.execute_script("return window.flashes")

    def test_a_price_flashes_by_the_way_it_went(self):
        self.show()
        self.wait(lambda: self.price_of("bitmex:DDD") == "20.0", "a price")
        self.assertEqual(self.flashes(), [])
        now = {"time": "2026-01-31T00:00:01Z"}
        for last, colour in (("20.5", "up"), ("20.4", "down")):
            tell(self.driver, "ticker", {**now, "last": last}, "bitmex:DDD")
            self.wait(lambda: self.price_of("bitmex:DDD") == last, "the new price")
            self.assertEqual(self.flashes()[-1],
                ["bitmex:DDD", "price-text", f"var(--{colour}-soft)", "transparent", last])
        # The same price again is no change, and whoever wants nothing to move has it so.
        tell(self.driver, "ticker", {**now, "last": "20.4", "bid": "20.3"}, "bitmex:DDD")
        self.wait(lambda: "20.3" in text(self.driver, 'tr[data-instrument="bitmex:DDD"] .bid'), "another bid")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
        tell(self.driver, "ticker", {**now, "last": "21.0"}, "bitmex:DDD")
        self.wait(lambda: self.price_of("bitmex:DDD") == "21.0", "the new price")
        self.assertEqual(len(self.flashes()), 2)

    def test_a_line_is_drawn_of_the_day_and_ends_with_the_price(self):
        self.show()
        line = lambda name: self.driver.execute_script(LINE, name)
        for name, way, sign in (("bitmex:BBB", "up", -1), ("bitmex:DDD", "down", 1)):
            drawn = self.wait(lambda: line(name)[1] and line(name), f"the line of {name}")
            self.assertEqual(drawn[0], way)
            across, down = zip(*drawn[1])
            self.assertEqual([len(across), across[0], across[-1]], [20, 0, 96])
            # Straight, from one corner to the other: what is greater is higher.
            self.assertEqual([down[0], down[-1]], [2, 26] if way == "down" else [26, 2])
            self.assertEqual(list(down), sorted(down, key=lambda value: sign * value))
        self.assertEqual(line("bitmex:CCC")[1], [])
        tell(self.driver, "ticker", {"last": "60", "time": "2026-01-31T00:00:01Z"}, "bitmex:DDD")
        self.wait(lambda: line("bitmex:DDD")[0] == "up", "a line that ends above its beginning")
        self.assertEqual(line("bitmex:DDD")[1][-1], [96, 2])
        self.assertEqual(len(line("bitmex:DDD")[1]), 20)

    def test_every_column_sorts_both_ways_and_back(self):
        self.show()
        heads = [head.get_attribute("class") for head in
            self.driver.find_elements("css selector", ".quotes th:has(button)")]
        self.assertEqual(heads, list(COLUMNS))
        for column, figure in COLUMNS.items():
            known = [name for name in NAMES if not figure or figure in QUOTES[name]]
            rising = sorted(known, key=lambda name: Decimal(QUOTES[name][figure]) if figure else name)
            unknown = [name for name in NAMES if name not in known]
            ways = [("ascending", rising), ("descending", rising[::-1])]
            for way, order in (ways if not figure else ways[::-1]) + [("none", NAMES)]:
                self.click(f".quotes th.{column} button")
                # What is not known stays at the end, whichever way.
                self.assertEqual(self.rows(), NAMES if way == "none" else order + unknown, f"{column} {way}")
                self.assertEqual(find(self.driver, f".quotes th.{column}").get_attribute("aria-sort"), way)
        # One column at a time.
        self.click(".quotes th.price button")
        self.click(".quotes th.bid button")
        sorts = [head.get_attribute("aria-sort") for head in
            self.driver.find_elements("css selector", ".quotes th[aria-sort]")]
        self.assertEqual([sorts.count("descending"), sorts.count("ascending")], [1, 0])
        # By keys as well.
        self.tab_to(".quotes th.ask button")
        self.press("\n")
        self.assertEqual(self.rows()[0], "kraken:AAA")


if __name__ == "__main__":
    unittest.main(verbosity=2)
