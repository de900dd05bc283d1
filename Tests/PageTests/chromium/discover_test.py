"""Discover, the map of the market, pictures of coins, and coins that are found by their names.

The installation is that of page_test.py.
"""

import unittest
from urllib.parse import quote

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import browser
from browser import block, complaints, find, go, keep, shape, text
from page import INSTRUMENT, Page, ask
from still import answer


def coin(symbol, change, price="2", cap=None, **more):
    """A coin as the API tells it; what is None is left out."""
    said = {"id": symbol.lower(), "symbol": symbol, "name": f"The {symbol}", "icon": f"/v1/icons/{symbol}",
        "market": f"kraken:{symbol}/USD", "price": price, "change_percent": change, "market_cap": cap,
        "categories": [], "exchanges": ["kraken"], **more}
    return {name: value for name, value in said.items() if value is not None}


# What is worth most is first, and each has a change of another colour.
MAP = [coin("BTC", "1.5", cap="600000000000"), coin("ETH", "-6.25", cap="200000000000"),
    coin("XRP", "0.1", cap="100000000000"), coin("SOL", "5", cap="60000000000"),
    coin("ADA", "-0.75", cap="30000000000"), coin("DOT", None, cap="9000000000", market=None),
    coin("DUST", "-40", cap="9000")]
WAYS = ["up-1", "down-3", "even", "up-3", "down-1", "even", "down-3"]
TOLD = {
    "coins": 7, "min_volume": "100000", "exchanges": ["binance", "kraken"], "told": "2026-01-31T00:00:00Z",
    "gainers": [coin("SOL", "5", "140.25", origin="proven"), coin("BTC", "1.5", "61000.50", origin="ticker")],
    "losers": [coin("ETH", "-6.25", "3000", origin="aggregated", aggregated=True)],
    "trending": [coin("ETH", "-6.25", "3000", score=412, volume_score=312, price_score=100, scored=True)],
    "newest": [], "heat_map": MAP,
    "categories": [{"name": "Layer 1 (L1)", "coins": 4, "market_cap": "890000000000", "change_percent": "-0.1"},
        {"name": "Meme", "coins": 1, "market_cap": "9000"}],
}
NOTHING = {"coins": 0, "min_volume": "100000", "gainers": [], "losers": [], "trending": [], "newest": [],
    "heat_map": [], "categories": [], "exchanges": []}
# Each coin on the map: its words, its colour, its label, where it leads, and its box within the map's.
CELLS = """
    const map = document.querySelector('.heat-map').getBoundingClientRect();
    return [...document.querySelectorAll('.heat-map li')].map((item) => {
      const [cell, box] = [item.firstElementChild, item.getBoundingClientRect()];
      return { words: [...cell.children].map((one) => one.textContent), way: cell.dataset.way,
        label: cell.getAttribute('aria-label'), href: cell.getAttribute('href'),
        share: box.width * box.height / (map.width * map.height), least: Math.min(box.width, box.height),
        isInside: box.left >= map.left - 1 && box.right <= map.right + 1 && box.top >= map.top - 1
          && box.bottom <= map.bottom + 1 };
    });
"""
ROWS = """
    return [...document.querySelectorAll(`[data-list=${arguments[0]}] li`)].map((row) => ({
      symbol: row.querySelector('.symbol')?.textContent, price: row.querySelector('.coin-price span')?.textContent,
      origin: row.querySelector('.origin')?.textContent ?? null,
      change: row.querySelector('.coin-change').firstChild.textContent,
      way: row.querySelector('.coin-change').dataset.way, href: row.querySelector('a')?.getAttribute('href') }));
"""
# Whether every picture of a coin that is in the page was drawn.
PICTURES = """
    const all = [...document.querySelectorAll(arguments[0] + ' img.coin-icon')];
    return all.length > 0 && all.every((one) => one.complete && one.naturalWidth === 40);
"""
# The example of those who found the way to divide a rectangle so, and the room that the least one needs.
TREEMAP = """
    const [done] = arguments;
    import('/app/discover/treemap.js').then(({ squarified, fitting }) => {
      const weights = [6, 6, 4, 3, 2, 2, 1];
      const box = ({ x, y, width, height }) => [x, y, width, height].map((one) => Math.round(one * 100) / 100);
      done([squarified(weights, 6, 4).map(box), [0, 0.9, 1.3, 1.7, 9].map((least) => fitting(weights, 6, 4, least).length),
        squarified([], 6, 4), squarified([1], 0, 4)]);
    });
"""
BEYOND = "return document.documentElement.scrollWidth - innerWidth"


class Discover(Page):
    """The whole market at a glance."""

    def show(self, told=TOLD, route="/discover"):
        answer(self.driver, {"/discover": told})
        go(self.driver, route)

    def cells(self):
        return self.driver.execute_script(CELLS)

    def rows(self, name):
        return self.driver.execute_script(ROWS, name)

    def wait_for_coins(self):
        """Until the installation has read the list of coins, and knows what they are worth."""
        def are_there():
            told = ask("/v1/discover")
            return told and len(told["heat_map"]) > 5 and told["heat_map"][0].get("market")

        self.wait(are_there, "coins with their values")

    def test_the_demo_is_sound_in_every_shape(self):
        self.wait_for_coins()
        self.look(["/discover"], "discover", self.assert_map)

    def assert_map(self, view):
        cells = self.cells()
        self.assertGreater(len(cells), 3, view)
        self.assertTrue(all(cell["isInside"] for cell in cells), view)
        self.assertLessEqual(self.driver.execute_script(BEYOND), 0, f"{view} goes beyond its edge")

    def test_what_stands_still_is_sound_in_every_shape(self):
        answer(self.driver, {"/discover": TOLD})
        self.look(["/discover"], "discover-still", self.assert_map)

    def test_the_map_is_of_what_coins_are_worth(self):
        self.show()
        cells = self.wait(self.cells, "the map")
        # What is worth a millionth of the rest has no room, and that is said.
        self.assertEqual([cell["label"].split(" ")[1] for cell in cells], [one["symbol"] for one in MAP[:-1]])
        self.assertIn("1 more coin is too small", text(self.driver, ".heat-note"))
        whole = sum(float(one["market_cap"]) for one in MAP[:-1])
        for cell, one, way in zip(cells, MAP, WAYS):
            self.assertAlmostEqual(cell["share"], float(one["market_cap"]) / whole, delta=0.002)
            self.assertEqual(cell["way"], way, one["symbol"])
            self.assertGreaterEqual(cell["least"], 26)
            self.assertEqual(cell["href"], "market" in one and f"/#/instrument/{one['market']}" or None)
        self.assertEqual(cells[0]["words"], ["BTC", "+1.50%"])
        self.assertEqual(cells[0]["label"], "The BTC (BTC): +1.50% in 24 hours, worth 600B USD")
        self.assertIn("–", cells[5]["label"])
        # All alike: room for each, and colours as before.
        self.press_button(".heat-panel", "Equal")
        self.wait(lambda: len(self.cells()) == len(MAP), "all coins")
        for cell, way in zip(self.cells(), WAYS):
            self.assertAlmostEqual(cell["share"], 1 / len(MAP), delta=0.002)
            self.assertEqual(cell["way"], way)
        self.audit("the map of equals")
        self.assertEqual(complaints(self.driver), [])

    def test_a_rectangle_is_divided_as_it_is_known_to_be(self):
        go(self.driver, "/about")
        boxes, counts, *nothing = self.driver.execute_async_script(TREEMAP)
        self.assertEqual(boxes, [[0, 0, 3, 2], [0, 2, 3, 2], [3, 0, 1.71, 2.33], [4.71, 0, 1.29, 2.33],
            [3, 2.33, 1.2, 1.67], [4.2, 2.33, 1.2, 1.67], [5.4, 2.33, 0.6, 1.67]])
        self.assertEqual(counts, [7, 5, 4, 4, 0])
        self.assertEqual(nothing, [[], []])

    def test_the_map_is_used_by_keys_on_a_phone(self):
        shape(self.driver, 360, 740, "dark")
        self.show()
        self.wait(self.cells, "the map")
        self.tab_to(".heat-map a")
        self.assert_focus_was_seen()
        self.press(Keys.ENTER)
        self.wait(lambda: "kraken:BTC/USD" in self.driver.current_url, "the market of the first coin")

    def test_lists_say_what_moved_and_what_stands_behind_a_price(self):
        self.show()
        self.wait(lambda: self.rows("gainers"), "the gainers")
        row = lambda symbol, price, origin, change, way: {"symbol": symbol, "price": price, "origin": origin,
            "change": change, "way": way, "href": f"/#/instrument/kraken:{symbol}/USD"}
        self.assertEqual(self.rows("gainers"), [row("SOL", "140.25", None, "+5.00%", "up"),
            row("BTC", "61,000.50", "ticker", "+1.50%", "up")])
        self.assertEqual(self.rows("losers"), [row("ETH", "3,000", "aggregated", "-6.25%", "down")])
        self.assertEqual(self.rows("trending"), [row("ETH", "3,000", None, "-6.25%", "down")])
        self.assertIn("score 412", text(self.driver, "[data-list=trending]"))
        self.assertIn("No coin has come", text(self.driver, "[data-list=newest] p"))
        self.assertEqual([one["change"] for one in self.rows("categories")], ["-0.10%", "–"])
        self.wait(lambda: self.driver.execute_script(PICTURES, "[data-list=gainers]"), "the pictures")
        self.assertEqual(complaints(self.driver), [])

    def test_a_category_and_an_exchange_are_in_the_address(self):
        self.show()
        asked = lambda: self.driver.execute_script("return window.asked.filter((one) => one.includes('/discover'))")
        self.wait(lambda: asked()[-1] == "/v1/discover", "the first question")
        Select(find(self.driver, "select[name=exchange]")).select_by_value("kraken")
        self.wait(lambda: asked()[-1] == "/v1/discover?exchange=kraken", "what kraken trades")
        self.wait(lambda: not find(self.driver, "main[aria-busy]"), "the view of it")
        self.click("[data-list=categories] li:nth-child(2) a")
        self.wait(lambda: asked()[-1] == "/v1/discover?category=Meme&exchange=kraken", "its meme coins")
        self.assertIn("#/discover?category=Meme&exchange=kraken", self.driver.current_url)
        self.wait(lambda: not find(self.driver, "main[aria-busy]"), "the view of them")
        for name, value in (("category", "Meme"), ("exchange", "kraken")):
            self.assertEqual(find(self.driver, f"select[name={name}]").get_attribute("value"), value)
        Select(find(self.driver, "select[name=category]")).select_by_value("")
        self.wait(lambda: asked()[-1] == "/v1/discover?exchange=kraken", "all categories again")
        self.driver.back()
        self.wait(lambda: "category=Meme" in self.driver.current_url, "the way back")

    def test_it_says_that_there_is_nothing_and_that_nobody_answers(self):
        self.show(NOTHING)
        self.assertEqual(text(self.driver, "main .empty h2"), "No coins yet")
        self.audit("no coins")
        go(self.driver, "/discover?category=Meme")
        self.assertEqual(text(self.driver, "main .empty h2"), "No such coin")
        keep(self.driver, "discover-nothing")

    def test_it_says_that_nobody_answers(self):
        block(self.driver, "*/v1/discover*")
        go(self.driver, "/discover")
        self.assertEqual(text(self.driver, "main .empty h1"), "That did not work")
        block(self.driver)
        self.click("main .empty button")
        self.wait(lambda: find(self.driver, ".discover-filters"), "the view")


class CoinsByName(Page):
    """Somebody who knows coins and no venues."""

    FIVE = {"bitcoin": "Bitcoin", "ETH": "Ethereum", "solana": "Solana", "XRP": "XRP", "dogecoin": "Dogecoin"}

    def test_five_coins_by_name_each_at_a_year(self):
        self.wait(lambda: all((ask(f"/v1/coins?q={quote(word)}") or {"items": []})["items"] for word in self.FIVE),
            "the list of coins")
        self.sign_up("fiona")
        go(self.driver, "/")
        self.click(".view-head .primary")
        search = self.wait(lambda: find(self.driver, "dialog[open] input[type=search]"), "the search")
        for word, name in self.FIVE.items():
            search.send_keys(Keys.CONTROL, "a")
            search.send_keys(word)
            first = ".result[aria-selected=true]"
            self.wait(lambda: text(self.driver, f"{first} .symbol") == name, f"{name} first")
            self.assertIn("best market: ", text(self.driver, first))
            self.wait(lambda: self.driver.execute_script(PICTURES, first), f"the picture of {name}")
            # The other markets are there to choose from.
            self.assertGreater(len(self.driver.find_elements(By.CSS_SELECTOR, ".result")), 1, name)
            search.send_keys(Keys.ENTER)
            self.wait(lambda: find(self.driver, f"{first} .tag"), f"{name} on the list")
        keep(self.driver, "coins-by-name")
        self.audit("the search for coins")
        search.send_keys(Keys.ESCAPE, Keys.ESCAPE)
        entries = self.call("GET", f"/watchlists/{self.call('GET', '/watchlists')['items'][0]['id']}")["entries"]
        names = [entry["instrument"] for entry in entries]
        self.assertEqual(len(names), 5)
        for word, instrument in zip(self.FIVE, names):
            coins = self.call("GET", f"/coins?q={quote(word)}")["items"]
            self.assertIn(instrument, [one.get("market") for one in coins])
        self.wait(lambda: self.driver.execute_script(PICTURES, "tr.quote"), "their pictures on the list")
        self.look_at_lists()
        self.driver.execute_script("localStorage.setItem('bitpal.chart', "
            "JSON.stringify({ range: '1Y', kind: 'candles', indicators: [] }))")
        for instrument in names:
            candles = f"/v1/candles/{quote(instrument, safe=':')}?range=1Y"
            self.wait(lambda: (ask(candles) or {"items": []})["items"], f"candles of {instrument}")
            shape(self.driver, 1440, 900, "light")
            go(self.driver, f"/instrument/{instrument}")
            self.wait(lambda: text(self.driver, ".bids tbody tr .price"), f"the book of {instrument}")
            pressed = [one.text for one in self.driver.find_elements(By.CSS_SELECTOR,
                ".chart-controls [aria-pressed=true]")]
            self.assertIn("1Y", pressed)
            if browser.has_charts():
                self.wait(lambda: find(self.driver, ".chart-legend").get_attribute("data-interval"), "its candles")
            keep(self.driver, f"coins-1Y-{instrument.replace(':', '-').replace('/', '-')}")
        self.assertEqual(complaints(self.driver), [])

    def look_at_lists(self):
        """The list with its pictures, in every shape."""
        for width, height, scheme in browser.SHAPES:
            shape(self.driver, width, height, scheme)
            go(self.driver, "/")
            self.wait(lambda: self.driver.execute_script(PICTURES, "tr.quote"), "the pictures")
            keep(self.driver, f"coins-list-{width}-{scheme}")
            self.audit(f"the list of coins at {width}")
            self.assertLessEqual(self.driver.execute_script(BEYOND), 0, f"the list goes beyond its edge at {width}")

    def test_a_coin_is_added_under_its_own_name_by_the_api(self):
        self.wait(lambda: (ask("/v1/coins/bitcoin") or {}).get("market"), "the coin's market")
        self.sign_up("fritz")
        made = self.make_list("Coins", ["coin:bitcoin", INSTRUMENT])
        entries = self.call("GET", f"/watchlists/{made}")["entries"]
        self.assertEqual(len(entries), 2)
        self.assertNotIn("coin:", entries[0]["instrument"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
