"""The page, in Chromium, against a running `bitpal up --profile demo`.

PAGE_URL names it, PAGE_SHOTS is where screenshots are kept, PAGE_BITPAL the command, PAGE_INSTRUMENT what is
traded.
"""

import json
import os
import pathlib
import subprocess
import unittest

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import browser
from browser import block, complaints, find, go, keep, network, shape, state, text, wait

INSTRUMENT = os.environ["PAGE_INSTRUMENT"]
VENUE, SYMBOL = INSTRUMENT.split(":", 1)
AUDIT = pathlib.Path(__file__).with_name("audit.js").read_text()
PASSWORD = "seven quiet otters crossing"
PRICE = f'tr[data-instrument="{INSTRUMENT}"] .price-text'

MARKET_VIEWS = ["/", f"/instrument/{INSTRUMENT}", "/sign-in", "/sign-up", "/settings", "/about"]
OWNED_VIEWS = [
    "/", "/alerts", "/alerts/firings", "/alerts/channels", "/alerts/deliveries", "/portfolio",
    "/portfolio/{id}/transactions", "/portfolio/{id}/lots", "/portfolio/{id}/reports",
    "/portfolio/{id}/import", "/portfolio/{id}/share", "/settings/account", "/settings/security",
    "/settings/tokens", "/settings/data",
]

NOTE_BOOKS = """
    window.shown = new Set();
    const prices = (side) => [...document.querySelectorAll(`.book-side.${side} tbody tr`)]
      .map((row) => row.dataset.price).filter(Boolean).slice(0, 10);
    const note = () => window.shown.add(JSON.stringify([prices("bids"), prices("asks")]));
    note();
    new MutationObserver(note).observe(document.querySelector(".book-sides"),
      { subtree: true, childList: true, characterData: true, attributes: true });
"""
SHOWN_TRADES = """
    return [...document.querySelectorAll('.trades tbody tr')]
      .map((row) => [row.dataset.price, row.dataset.amount]);
"""
KNOWN_TRADES = """
    const [instrument, done] = arguments;
    fetch(`/v1/trades/${instrument}?limit=500`).then((answer) => answer.json())
      .then(({ items }) => done(items.map((trade) => [trade.price, trade.amount])));
"""
IS_KEPT = """
    const done = arguments[0];
    caches.open('bitpal-shell-1').then((cache) => cache.keys())
      .then((keys) => done(keys.some((key) => key.url.endsWith('/app/views/home.js'))));
"""
NOTE_FOCUS = """
    const element = document.activeElement;
    const box = element.getBoundingClientRect();
    window.order.push({ element, isMarked: getComputedStyle(element).outlineStyle !== 'none',
      isSeen: box.width > 0 && box.top >= 0 && box.bottom <= innerHeight + 1 });
"""
FOCUS_FAULTS = """
    const steps = window.order.filter((one, index) =>
      one.element !== document.body && (!index || one.element !== window.order[index - 1].element));
    return steps.flatMap((one, index) => {
      const name = one.element.outerHTML.slice(0, 80);
      const before = steps[index - 1]?.element;
      const isBack = before
        && before.compareDocumentPosition(one.element) & Node.DOCUMENT_POSITION_PRECEDING;
      return [one.isMarked ? null : `no mark: ${name}`, one.isSeen ? null : `out of sight: ${name}`,
        isBack ? `backwards: ${name}` : null].filter(Boolean);
    });
"""
FILL = """
    const [instrument, done] = arguments;
    const post = async (path, body) => {
      const answer = await fetch('/v1' + path, { method: 'POST', body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() } });
      if (!answer.ok) throw new Error(path + ' ' + await answer.text());
      return answer.json();
    };
    (async () => {
      const list = await post('/watchlists', { name: 'Majors' });
      await post(`/watchlists/${list.id}/entries`, { instrument });
      await post('/alerts', { id: crypto.randomUUID(), instrument, note: 'Far away',
        condition: { price: 'last', crosses: 'above', level: '99000000' } });
      await post('/channels', { kind: 'webhook', name: 'mine', settings: { url: 'https://example.org/hook' } });
      const portfolio = await post('/portfolios', { name: 'Savings', base: 'USD' });
      await post(`/portfolios/${portfolio.id}/wallets`, { name: 'main' });
      await post(`/portfolios/${portfolio.id}/transactions`, { kind: 'buy', time: '2026-01-31T00:00:00Z',
        wallet: 'main', asset: 'BTC', amount: '0.5', counter_asset: 'USD', counter_amount: '30000' });
      return portfolio.id;
    })().then((id) => done({ id }), (error) => done({ error: String(error) }));
"""


LIST_THREE = """
    const done = arguments[0];
    const send = (path, body) => fetch('/v1' + path, { method: 'POST', body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() } })
      .then((answer) => answer.json());
    (async () => {
      const list = await send('/watchlists', { name: 'Three' });
      const { items } = await (await fetch('/v1/tickers')).json();
      const names = items.slice(0, 3).map((ticker) => ticker.instrument);
      for (const instrument of names) await send(`/watchlists/${list.id}/entries`, { instrument });
      return names;
    })().then(done);
"""
LADDER = """
    const [instrument, level, done] = arguments;
    const make = (away) => fetch('/v1/alerts', { method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
      body: JSON.stringify({ id: crypto.randomUUID(), instrument, condition: { price: 'last', crosses: 'either',
        level: String(Number(level) + away) } }) });
    Promise.all([-64, -32, -16, -8, -4, -2, 2, 4, 8, 16, 32, 64].map(make))
      .then((answers) => done(answers.every((answer) => answer.ok)));
"""
ROWS = "return [...document.querySelectorAll('tr.quote')].map((row) => row.dataset.instrument)"


class Page(unittest.TestCase):
    """A browser for each test."""

    maxDiff = None

    def setUp(self):
        self.driver = browser.open_browser()
        self.addCleanup(self.driver.quit)

    def audit(self, where):
        self.assertEqual(self.driver.execute_script(AUDIT), [], where)

    def wait(self, condition, what):
        return wait(self.driver, condition, what)

    def price(self):
        """What the list shows as the instrument's price, once there is one."""
        shown = text(self.driver, PRICE)
        return shown if shown not in (None, "–") else None

    def click(self, selector):
        self.wait(lambda: find(self.driver, selector).click() or True, f"a click on {selector}")

    def enter(self, name, value):
        field = self.wait(lambda: self.driver.find_element(By.NAME, name), f"field {name}")
        field.send_keys(value)

    def sign_up(self, address):
        go(self.driver, "/sign-up")
        self.enter("email", address)
        self.enter("password", PASSWORD)
        self.click("form button[type=submit]")
        self.wait(lambda: find(self.driver, ".account-link"), "somebody signed in")

    def look(self, views, prefix):
        """Each view in each shape: audited, kept, without a word in the console."""
        for width, height, scheme in browser.SHAPES:
            shape(self.driver, width, height, scheme)
            for view in views:
                go(self.driver, view)
                self.wait(lambda: state(self.driver) == "live", "a live connection")
                name = view.strip("/").replace("/", "-").replace(":", "-") or "home"
                keep(self.driver, f"{prefix}-{name}-{width}-{scheme}")
                self.audit(f"{view} at {width}, {scheme}")
                self.assertEqual(complaints(self.driver), [], view)


class Market(Page):
    """What needs no account."""

    def test_the_market_moves_at_once(self):
        go(self.driver, "/")
        first = self.wait(self.price, "a price")
        self.wait(lambda: self.price() not in (first, None), "another price")
        self.assertEqual(complaints(self.driver), [])

    def test_every_view_is_sound(self):
        self.look(MARKET_VIEWS, "market")

    def test_the_book_equals_the_commands(self):
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: text(self.driver, ".bids tbody tr .price"), "a book")
        self.driver.execute_script(NOTE_BOOKS)
        command = [os.environ["PAGE_BITPAL"], "book", VENUE, SYMBOL, "--depth", "10", "--json"]

        def is_equal():
            answer = subprocess.run(command, capture_output=True, text=True, check=True)
            book = json.loads(answer.stdout)
            wanted = [[level[0] for level in book[side]] for side in ("bids", "asks")]
            return self.driver.execute_script(
                "return window.shown.has(arguments[0])", json.dumps(wanted, separators=(",", ":")))

        self.wait(is_equal, "the book that the command prints")
        self.wait(
            lambda: self.driver.execute_script("return window.shown.size") > 1, "a book that moves")

    def test_trades_come_and_equal_the_stored(self):
        go(self.driver, f"/instrument/{INSTRUMENT}")
        first = self.wait(lambda: self.driver.execute_script(SHOWN_TRADES), "trades")
        shown = self.wait(
            lambda: [now for now in [self.driver.execute_script(SHOWN_TRADES)] if now != first],
            "another trade")[0]
        self.assertLessEqual(len(shown), 30)

        def are_known():
            known = self.driver.execute_async_script(KNOWN_TRADES, INSTRUMENT)
            return all(trade in known for trade in shown)

        self.wait(are_known, "the trades that are shown, among those that are stored")

    def test_offline_and_back(self):
        go(self.driver, "/")
        self.wait(self.price, "a price")
        self.wait(lambda: self.driver.execute_async_script(IS_KEPT), "the shell is kept")
        kept = "return 'bitpal.last.quotes' in localStorage"
        self.wait(lambda: self.driver.execute_script(kept), "quotes are kept")
        network(self.driver, False)
        self.wait(lambda: state(self.driver) == "offline", "Offline")
        self.wait(lambda: find(self.driver, ".banner:not([hidden])"), "the words that say so")
        self.assertIsNotNone(self.price())
        keep(self.driver, "offline")
        self.audit("offline")
        self.driver.refresh()
        self.wait(self.price, "the last known price, by what the browser kept")
        self.wait(lambda: find(self.driver, f'tr.old[data-instrument="{INSTRUMENT}"]'), "shown as old")
        network(self.driver, True)
        self.wait(lambda: state(self.driver) == "live", "Live again")

    def test_charts_may_be_missing(self):
        block(self.driver, "*/vendor/*")
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: "make web-vendor" in text(self.driver, ".chart"), "what to do about it")
        self.wait(lambda: text(self.driver, ".bids tbody tr .price"), "the book all the same")
        self.audit("without charts")

    def test_a_market_without_web_sockets_is_polled(self):
        go(self.driver, "/about")
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.(), 0); } close() {} };
            window.WebSocket.OPEN = 1;"""})
        go(self.driver, "/")
        self.wait(lambda: state(self.driver) == "polling", "Live, by polling")
        first = self.wait(self.price, "a price")
        self.wait(lambda: self.price() not in (first, None), "another price")

    def test_the_theme_can_be_chosen(self):
        ground = lambda: self.driver.execute_script(
            "return getComputedStyle(document.body).backgroundColor")
        shape(self.driver, 1440, 900, "light")
        go(self.driver, "/settings")
        light = ground()
        shape(self.driver, 1440, 900, "dark")
        self.wait(lambda: ground() != light, "dark as the system")
        self.driver.find_element(By.NAME, "theme").send_keys("Light")
        self.wait(lambda: ground() == light, "light as it was chosen")

    def test_every_language_has_its_words(self):
        heads = {"en": "Market", "es": "Mercado", "de": "Markt", "ja": "マーケット"}
        go(self.driver, "/")
        for language, head in heads.items():
            self.driver.execute_script(
                "localStorage.setItem('bitpal.settings', JSON.stringify({ locale: arguments[0] }))", language)
            go(self.driver, "/")
            self.wait(lambda: text(self.driver, "h1") == head, head)
            spoken = self.driver.execute_script("return document.documentElement.lang")
            self.assertEqual(spoken, language)
            self.audit(language)

    def test_the_focus_goes_as_one_reads(self):
        go(self.driver, "/")
        self.wait(lambda: find(self.driver, "tr.quote"), "a row")
        self.driver.execute_script("document.activeElement.blur(); window.order = []")
        for _ in range(12):
            self.driver.switch_to.active_element.send_keys(Keys.TAB)
            self.driver.execute_script(NOTE_FOCUS)
        self.assertEqual(self.driver.execute_script(FOCUS_FAULTS), [])

    def test_the_search_is_used_by_keys(self):
        go(self.driver, "/")
        self.driver.find_element(By.TAG_NAME, "body").send_keys("/")
        search = self.wait(lambda: find(self.driver, "dialog[open] input[type=search]"), "the search")
        search.send_keys(SYMBOL)
        self.wait(lambda: find(self.driver, ".result[aria-selected=true]"), "a result")
        keep(self.driver, "search")
        self.audit("search")
        search.send_keys(Keys.ESCAPE, Keys.ESCAPE)
        self.wait(lambda: not find(self.driver, "dialog"), "the end of the search")

    def test_the_first_load_is_light(self):
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: find(self.driver, "main h1"), "the view")
        sizes = self.driver.execute_script("""
            return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
              .filter((entry) => !entry.name.includes('/v1/')).map((entry) => entry.encodedBodySize);""")
        print(f"page weight: {sum(sizes)} bytes compressed in {len(sizes)} files")
        self.assertLess(sum(sizes), 250_000)


class Account(Page):
    """From nothing to an alert that fired."""

    def test_sign_up_watch_and_be_told(self):
        self.sign_up("ada@example.org")
        self.wait(lambda: find(self.driver, ".empty button"), "the empty watchlist")
        keep(self.driver, "watchlist-empty")
        self.audit("the empty watchlist")
        self.click(".empty button")
        search = self.wait(lambda: find(self.driver, "dialog input[type=search]"), "the search")
        search.send_keys(SYMBOL)
        self.wait(
            lambda: find(self.driver, ".result[aria-selected=true] .symbol").text == SYMBOL, "the instrument")
        search.send_keys(Keys.ENTER)
        self.wait(self.price, "its price on the list")
        search.send_keys(Keys.ESCAPE, Keys.ESCAPE)
        self.wait(lambda: not find(self.driver, "dialog"), "the end of the search")
        keep(self.driver, "watchlist")
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: text(self.driver, ".big-price") != "–", "its price")
        self.click(".instrument-head .primary")
        level = lambda: self.driver.find_element(By.NAME, "level").get_attribute("value")
        now = self.wait(level, "the level of now")
        self.audit("a price alert")
        self.driver.find_element(By.NAME, "crosses").send_keys("either")
        self.enter("note", "Ada's level")
        self.click("dialog button[type=submit]")
        self.wait(lambda: not find(self.driver, "dialog"), "the alert is made")
        go(self.driver, "/alerts")
        self.wait(lambda: "Ada's level" in find(self.driver, "main").text, "the alert among one's own")
        # A price may stay away from one level for long, but between two it meets one of them soon.
        self.assertTrue(self.driver.execute_async_script(LADDER, INSTRUMENT, now))
        go(self.driver, "/alerts/firings")
        self.wait(lambda: SYMBOL in find(self.driver, ".firings").text, "the alert fired in the page")
        keep(self.driver, "fired")
        go(self.driver, "/alerts")
        self.wait(lambda: find(self.driver, ".rule[data-state=done]"), "an alert that is done")
        self.assertEqual(complaints(self.driver), [])

    def test_the_list_is_put_in_order(self):
        self.sign_up("edith@example.org")
        first, second, third = self.driver.execute_async_script(LIST_THREE)
        go(self.driver, "/")
        rows = lambda: self.driver.execute_script(ROWS)
        self.wait(lambda: rows() == [first, second, third], "the list")
        grip = self.driver.find_elements(By.CSS_SELECTOR, ".grip")[0]
        hand = ActionChains(self.driver).click_and_hold(grip)
        hand.move_by_offset(0, 40).move_by_offset(0, 10).release().perform()
        self.wait(lambda: rows() == [second, first, third], "the row that was dragged")
        self.driver.find_elements(By.CSS_SELECTOR, ".grip")[1].send_keys(Keys.ARROW_DOWN)
        self.wait(lambda: rows() == [second, third, first], "the row that was moved by key")
        go(self.driver, "/")
        self.wait(lambda: rows() == [second, third, first], "the order that was kept")
        self.driver.find_element(By.CSS_SELECTOR, "tr.quote .name a").send_keys(Keys.DELETE)
        self.wait(lambda: rows() == [third, first], "the row that was removed by key")
        self.click(".toast button")
        self.wait(lambda: rows() == [second, third, first], "what was undone")
        self.assertEqual(complaints(self.driver), [])

    def test_every_view_is_sound(self):
        self.sign_up("grace@example.org")
        made = self.driver.execute_async_script(FILL, INSTRUMENT)
        self.assertIn("id", made, made.get("error"))
        self.look([view.format(id=made["id"]) for view in OWNED_VIEWS], "account")


if __name__ == "__main__":
    unittest.main(verbosity=2)
