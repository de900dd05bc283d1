"""The page, in Chromium, against a running `bitpal up --profile demo`.

PAGE_URL names it, PAGE_SHOTS is where screenshots are kept, PAGE_BITPAL the command, PAGE_INSTRUMENT what is
traded, PAGE_SETUP the path that makes the first operator.
"""

import json
import os
import subprocess
import unittest
from decimal import Decimal

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import browser
from browser import block, complaints, find, go, keep, network, shape, state, text
from page import (
    ASKED_TICKERS, FOCUS_FAULTS, INSTRUMENT, IS_KEPT, IS_LAST_CANDLE_OPEN, LASTING, MUTED, NOTE_FOCUS, PASSWORD,
    SYMBOL, UNMARKED, VENUE, Page, person,
)

MARKET_VIEWS = ["/", "/discover", f"/instrument/{INSTRUMENT}", "/sign-in", "/sign-up", "/settings", "/about"]
OWNED_VIEWS = [
    "/", "/alerts", "/alerts/firings", "/alerts/channels", "/alerts/deliveries", "/portfolio",
    "/portfolio/{id}/transactions", "/portfolio/{id}/plan", "/portfolio/{id}/lots", "/portfolio/{id}/reports",
    "/portfolio/{id}/import", "/portfolio/{id}/share", "/settings/account", "/settings/security",
    "/settings/devices", "/settings/tokens", "/settings/data", "/unsubscribe?token=x",
]
OPERATOR_VIEWS = ["/status", "/settings/people", "/settings/flags"]
# Where a dialog opens, and by what.
DIALOGS = [
    ("/", ".view-head .primary"), (f"/instrument/{INSTRUMENT}", ".instrument-head .primary"),
    ("/alerts", ".view-head .primary"), ("/alerts", ".rule .row button:nth-child(3)"),
    ("/alerts", ".rule .row button:nth-child(4)"), ("/alerts/channels", "main .stack > .primary"),
    ("/portfolio", ".view-head .row button"), ("/portfolio/{id}/transactions", ".quick button[type=button]"),
    ("/portfolio/{id}/transactions", "td .small"), ("/settings/security", "main .panel:nth-child(3) button"),
]
TABLE = "Date,What,Quantity,Coin,Total,Price currency\n2026-02-01T10:00:00Z,Purchase,1.25,ETH,2500,USD\n"

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
      .then(({ items }) => done(items.map((trade) => [trade.price, trade.amount]))).catch(() => done([]));
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
# A candle a minute for four hours, in the place of what an installation of a minute has.
CANDLES = """
    const fetched = window.fetch;
    const minute = 60_000;
    const last = Math.floor(Date.now() / minute) * minute;
    const price = (index) => (60_000 + 40 * Math.sin(index / 9) + index / 4).toFixed(1);
    const items = Array.from({ length: 240 }, (_, index) => ({ start: new Date(last - (239 - index) * minute).toISOString(),
      open: price(index), close: price(index + 1), high: price(index + 1), low: price(index), volume: '7', trades: 1,
      complete: index < 239, amended: false }));
    window.fetch = async (address, options) => (!/\\/v1\\/candles\\//.test(String(address)) ? fetched(address, options)
      : Response.json({ interval: '1m', items: /[?&]to=/.test(String(address)) ? [] : items, next: null }));
"""
PANES = """
    return [...document.querySelectorAll('.pane')].map((pane) => [pane.dataset.pane,
      pane.querySelector('.chart-legend').textContent, pane.querySelector('canvas').width > 0]);
"""
UNITS = "return [...document.querySelectorAll(arguments[0] + ' thead th .unit')].map((one) => one.textContent)"
# What an alert that fires does to the list of rules, and somebody who goes elsewhere in the same moment.
LEAVE = """
    const [place, done] = arguments;
    dispatchEvent(new Event('bitpal:firing'));
    location.hash = place;
    setTimeout(done, 300);
"""
# A server without the chart's library.
NO_CHARTS = """
    const known = window.fetch;
    window.fetch = async (address, options) => (String(address).startsWith('/vendor/')
      ? new Response('', { status: 404 }) : known(address, options));
"""
# What is wrong with where a link is: nothing, when all of it can be seen and touched.
IN_SIGHT = """
    const link = document.querySelector(arguments[0]);
    const box = link.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return [box.left >= 0 ? null : `begins at ${box.left}`, box.right <= innerWidth ? null : `ends at ${box.right}`,
      box.height >= 24 ? null : `is ${box.height} high`, link.contains(top) ? null : 'is below something'].filter(Boolean);
"""
ABOUT_FAULT = """
    const fault = document.querySelector('dialog [aria-invalid]');
    const about = fault && document.getElementById(fault.getAttribute('aria-describedby'));
    return about && { text: about.textContent.replaceAll('\u00a0', ' '), lang: about.querySelector('[lang]')?.lang ?? null };
"""
FOREIGN = """
    const [done] = arguments;
    Promise.all([import('/app/api.js'), import('/app/problems.js')]).then(([{ ApiError }, { explained }]) => {
      const error = new ApiError(422, { code: 'invalid-field', field: 'colour', accepted: 'a colour that nobody has named' });
      const pieces = explained(error);
      done([pieces.filter((piece) => typeof piece === 'string').join(''), pieces.find((piece) => piece.lang).textContent,
        pieces.find((piece) => piece.lang).lang]);
    });
"""
HELPS = """
    return [...document.querySelectorAll('dialog .field')].filter((one) => one.checkVisibility()
      && !one.querySelector('[name=id]')).map((one) => one.querySelector('.field-about').textContent);
"""
ROWS = "return [...document.querySelectorAll('tr.quote')].map((row) => row.dataset.instrument)"


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
        # As old as it is, whenever the page was loaded.
        self.driver.execute_script("for (const name of ['quotes', '/tickers']) {"
            "const kept = JSON.parse(localStorage.getItem(`bitpal.last.${name}`)); kept.time -= 3_600_000;"
            "for (const quote of Object.values(kept.data)) if (quote?.seen) quote.seen -= 3_600_000;"
            "localStorage.setItem(`bitpal.last.${name}`, JSON.stringify(kept)); }"
            "localStorage.setItem('bitpal.heard', Date.now() - 3_600_000);")
        self.driver.refresh()
        self.wait(lambda: "1 hour ago" in (text(self.driver, ".banner:not([hidden])") or ""), "the age in the banner")
        self.wait(lambda: "1 hour ago" in text(self.driver, f'tr[data-instrument="{INSTRUMENT}"]'), "the age of a price")
        network(self.driver, True)
        self.wait(lambda: state(self.driver) == "live", "Live again")

    def test_a_book_without_a_connection_is_not_called_live(self):
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: find(self.driver, '.book .tag[data-state="live"]'), "a live book")
        network(self.driver, False)
        self.wait(lambda: find(self.driver, '.book .tag[data-state="lost"]'), "the badge of what was known last")
        self.wait(lambda: self.driver.execute_script(MUTED, ".book .bids td.price"), "prices in the colour of old ones")
        keep(self.driver, "book-offline")
        self.audit("a book without a connection")
        network(self.driver, True)
        self.wait(lambda: find(self.driver, '.book .tag[data-state="live"]'), "a live book again")
        self.wait(lambda: not self.driver.execute_script(MUTED, ".book .bids td.price"), "prices in their colour")

    def test_facts_that_did_not_come_are_asked_for_again(self):
        block(self.driver, "*/v1/instruments/*")
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: text(self.driver, ".bids tbody tr .price"), "the book all the same")
        lists = lambda: len(self.driver.find_elements(By.CSS_SELECTOR, "dl.facts"))
        self.assertEqual(lists(), 1)
        block(self.driver)
        self.wait(lambda: lists() == 2, "what the instrument is")

    def test_charts_may_be_missing(self):
        block(self.driver, "*/vendor/*")
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NO_CHARTS})
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: "make web-vendor" in text(self.driver, ".chart"), "what to do about it")
        self.wait(lambda: text(self.driver, ".bids tbody tr .price"), "the book all the same")
        self.audit("without charts")

    def test_indicators_with_a_scale_of_their_own_have_a_pane(self):
        if not browser.has_charts():
            return
        go(self.driver, "/")
        self.driver.execute_script("localStorage.setItem('bitpal.chart', "
            "JSON.stringify({ range: '1H', kind: 'candles', indicators: ['rsi', 'macd'] }))")
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CANDLES})
        for width, height, scheme in [browser.SHAPES[0], browser.SHAPES[3]]:
            shape(self.driver, width, height, scheme)
            go(self.driver, f"/instrument/{INSTRUMENT}")
            panes = self.wait(lambda: self.complete(self.driver.execute_script(PANES)), "both, drawn and with their values")
            self.assertEqual([name for name, *_ in panes], ["rsi", "macd"])
            keep(self.driver, f"panes-{width}-{scheme}")
            self.audit(f"panes at {width}")
            wide = self.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
            self.assertTrue(wide, "nothing goes beyond the edge")
        for indicator in ("RSI 14", "MACD"):
            self.press_button(".chart-controls", indicator)
        self.wait(lambda: self.driver.execute_script(PANES) == [], "neither of them")
        self.assertEqual(complaints(self.driver), [])

    @staticmethod
    def complete(panes):
        """The panes, once each legend has all its figures and the library, a frame later, a canvas with a size."""
        is_complete = all(is_drawn and "–" not in legend for _, legend, is_drawn in panes)
        return panes if len(panes) == 2 and is_complete else None

    def test_sizes_say_what_they_count(self):
        # An inverse contract of one dollar counts dollars, never the coin; a coin on the spot counts itself.
        for instrument, price, size in [("bitmex:XBTUSD", "USD", "USD"), ("kraken:BTC/USD", "USD", "BTC")]:
            go(self.driver, f"/instrument/{instrument}")
            self.wait(lambda: text(self.driver, ".bids tbody tr .price"), "a book")
            self.assertEqual(self.driver.execute_script(UNITS, ".bids"), [price, size, size])
            self.assertEqual(self.driver.execute_script(UNITS, ".trades"), [price, size])
            facts = self.wait(lambda: text(self.driver, ".facts"), "statistics")
            self.wait(lambda: f"\u00a0{size}" in text(self.driver, ".facts"), f"a volume in {size}: {facts}")

    def test_a_market_without_web_sockets_is_polled(self):
        go(self.driver, "/about")
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.(), 0); } close() {} };
            window.WebSocket.OPEN = 1;"""})
        go(self.driver, "/")
        self.wait(lambda: state(self.driver) == "polling", "Live, by polling")
        first = self.wait(self.price, "a price")
        self.wait(lambda: self.price() not in (first, None), "another price")
        asked = self.driver.execute_script(ASKED_TICKERS)
        self.assertTrue(asked and all("?instruments=" in name for name in asked), f"quotes one by one: {asked}")
        if not browser.has_charts():
            return
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: self.driver.execute_async_script(IS_LAST_CANDLE_OPEN, INSTRUMENT),
            "the candle that is being made")

    def test_letters_end_only_where_the_server_says_so(self):
        go(self.driver, "/unsubscribe?token=x")
        self.driver.execute_script("const real = window.fetch; window.fetch = (...all) => window.isForeign"
            " ? Promise.resolve(new Response('<p>Sign in</p>', { headers: { 'Content-Type': 'text/html' } }))"
            " : real(...all); window.isForeign = true;")
        said = lambda: text(self.driver, "main .form-error")
        self.click("main button.primary")
        # The door of a foreign network answers in the place of the server.
        self.wait(said, "that nothing is known to have ended")
        foreign = said()
        self.driver.execute_script("window.isForeign = false")
        self.click("main button.primary")
        self.wait(lambda: said() not in ("", foreign), "that this link ends nothing")
        self.assertIsNone(find(self.driver, "main [role=status]"))

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

    def test_less_than_a_day_is_not_called_24_hours(self):
        go(self.driver, "/")
        self.wait(self.price, "a price")
        # The demo began minutes ago, and its tickers say so.
        ticker = self.call("GET", f"/tickers/{INSTRUMENT}")
        self.assertIs(ticker["incomplete"], True)
        row = f'tr[data-instrument="{INSTRUMENT}"]'
        for figure in ("change", "range", "turnover"):
            self.wait(lambda: text(self.driver, f"{row} .{figure} .partial") == "< 24 h", f"{figure} with its mark")
        keep(self.driver, "less-than-a-day")
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: text(self.driver, ".price-line .partial") == "< 24 h", "the change with its mark")
        self.wait(lambda: find(self.driver, ".partial-note").is_displayed(), "the words that explain it")
        names = self.driver.execute_script("return [...document.querySelectorAll('.facts dt')].map((one) => one.textContent)")
        self.assertIn("First known price", names)
        self.assertEqual([name for name in names if "24" in name], [])
        keep(self.driver, "less-than-a-day-facts")

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


class Owner(Page):
    """What somebody with a portfolio does in more than one test."""

    def map_a_table(self, portfolio):
        go(self.driver, f"/portfolio/{portfolio}/import")
        self.choose("[name=format]", "Any table, with a mapping")
        self.enter("text", TABLE)
        self.press(Keys.TAB)
        self.wait(lambda: find(self.driver, ".mapping tbody td"), "the columns of the table")


class Account(Owner):
    """From nothing to an alert that fired."""

    def test_sign_up_watch_and_be_told(self):
        self.sign_up("ada")
        self.wait(lambda: find(self.driver, ".empty button"), "the empty watchlist")
        # They come later than the list, and move it.
        self.wait(lambda: find(self.driver, ".first-steps"), "the first steps")
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
        self.sign_up("edith")
        first, second, third = names = self.instruments(3)
        made = self.make_list("Three", names)
        kept = lambda: [one["instrument"] for one in self.call("GET", f"/watchlists/{made}")["entries"]]
        go(self.driver, "/")
        rows = lambda: self.driver.execute_script(ROWS)
        self.wait(lambda: rows() == [first, second, third], "the list")

        def is_dragged():
            # Once more only while nothing has moved: what appears above takes the list away from the hand.
            if rows() == [first, second, third]:
                hand = ActionChains(self.driver).click_and_hold(find(self.driver, ".grip"))
                hand.move_by_offset(0, 40).move_by_offset(0, 10).release().perform()
            return rows() == [second, first, third]

        self.wait(is_dragged, "the row that was dragged")
        self.driver.find_elements(By.CSS_SELECTOR, ".grip")[1].send_keys(Keys.ARROW_DOWN)
        self.wait(lambda: rows() == [second, third, first], "the row that was moved by key")
        self.wait(lambda: kept() == [second, third, first], "the order on the server")
        go(self.driver, "/")
        self.wait(lambda: rows() == [second, third, first], "the order that was kept")
        self.driver.execute_script(LASTING)
        self.driver.find_element(By.CSS_SELECTOR, "tr.quote .name a").send_keys(Keys.DELETE)
        self.wait(lambda: rows() == [third, first], "the row that was removed by key")
        self.click(".toast button")
        self.wait(lambda: rows() == [second, third, first], "what was undone")
        self.assertEqual(complaints(self.driver), [])

    def test_a_session_that_is_over_is_nobody_and_no_error(self):
        self.sign_up("lise")
        self.fill()
        for view, place in [("/", "h1"), ("/alerts", "main input[name=password]"), ("/settings/account", "h1")]:
            self.driver.execute_script("localStorage.setItem('bitpal.signed-in', '1')")
            self.driver.delete_all_cookies()
            go(self.driver, view)
            self.wait(lambda: state(self.driver) == "live", "a live connection")
            self.wait(lambda: find(self.driver, place), f"what nobody sees of {view}")
            self.assertIsNone(find(self.driver, ".account-link"))
            self.assertEqual(complaints(self.driver), [], view)

    def test_a_browser_that_forgot_what_pages_keep_still_knows_who_is_signed_in(self):
        self.sign_up("agnes")
        self.driver.execute_script("localStorage.clear()")
        go(self.driver, "/")
        self.wait(lambda: find(self.driver, ".account-link"), "who is signed in, by the cookie alone")
        self.assertEqual(complaints(self.driver), [])

    def test_a_view_that_is_left_says_nothing(self):
        self.sign_up("emmy")
        self.fill()
        for section in ("", "/firings", "/channels", "/deliveries"):
            go(self.driver, f"/alerts{section}")
            self.wait(lambda: find(self.driver, "main h1"), "the view")
            for place in ("/alerts/firings", "/alerts", "/portfolio", "/alerts/channels", "/"):
                self.driver.execute_async_script(LEAVE, place)
        self.assertEqual(complaints(self.driver), [])

    def test_a_password_is_judged_in_words_of_the_page(self):
        easy = "Too easy to guess: no common password, row of keys, repetition or part of your address."
        shown = lambda: self.driver.execute_script("return [...document.querySelectorAll('form p')]"
            ".filter((one) => one.checkVisibility() && one.textContent).map((one) => one.textContent)")
        colour = lambda selector: self.driver.execute_script(
            "return getComputedStyle(document.querySelector(arguments[0])).color", selector)
        go(self.driver, "/sign-up")
        button = lambda: self.driver.execute_script("return document.querySelector('form button[type=submit]')"
            ".getBoundingClientRect().top + scrollY")
        place = button()
        self.enter("email", person("dora"))
        self.enter("password", "short")
        self.wait(lambda: "Too short: 15 characters or more." in shown(), "that it is short")
        # Words that come while somebody is about to click move nothing away.
        self.assertEqual(button(), place)
        bad = colour(".strength")
        self.driver.find_element(By.NAME, "password").clear()
        self.enter("password", "a" * 16)
        self.wait(lambda: shown().count(easy) == 1, "that it is easy")
        self.click("form button[type=submit]")
        self.wait(lambda: find(self.driver, "[aria-invalid]"), "what was refused")
        self.assertEqual(shown(), [easy])
        self.driver.find_element(By.NAME, "password").clear()
        self.enter("password", PASSWORD)
        self.assertIsNone(find(self.driver, "[aria-invalid]"))
        self.wait(lambda: "Very strong" in shown(), "that it is strong")
        self.assertNotEqual(colour(".strength"), bad)
        self.assertEqual(button(), place)
        self.assertNotIn(easy, shown())
        keep(self.driver, "password-strong")
        self.audit("a strong password")

    def test_lines_are_typed_as_fast_as_one_likes(self):
        self.sign_up("iris")
        made = self.fill()
        go(self.driver, f"/portfolio/{made['id']}/transactions")
        line = self.wait(lambda: find(self.driver, ".quick-input"), "the line")
        line.send_keys("".join(f"deposit {n} BTC 2026-04-0{n} fast{n}\n" for n in (1, 2, 3)))
        self.wait(lambda: all(f"fast{n}" in text(self.driver, "main tbody") for n in (1, 2, 3)), "all three")
        # What is refused while the next is being typed is not lost.
        self.driver.execute_script("const real = window.fetch; window.fetch = async (...all) => {"
            "if (all[1]?.method === 'POST' && String(all[0]).endsWith('/transactions'))"
            "await new Promise((done) => { window.letGo = done; }); return real(...all); };")
        line.send_keys("deposit 1 QQQQX\ndeposit 4")
        self.wait(lambda: self.driver.execute_script("return window.letGo && !window.letGo()"), "the answer may come")
        back = "main .panel .row.wrap button"
        self.wait(lambda: "deposit 1 QQQQX" in (text(self.driver, back) or ""), "the line that was refused")
        self.assertEqual(line.get_attribute("value"), "deposit 4")
        self.audit("a line that was refused")
        self.click(back)
        self.wait(lambda: line.get_attribute("value") == "deposit 1 QQQQX", "it is taken back")
        self.assertIsNone(find(self.driver, back))

    def test_a_table_is_mapped_looked_at_and_added(self):
        self.sign_up("hedy")
        made = self.fill()
        self.map_a_table(made["id"])
        self.assertIsNone(find(self.driver, "fieldset select"))
        self.choose('[aria-label="Meaning of the column What"]', "Kind")
        self.choose("fieldset select", "Buy")
        self.click("form button[type=submit]")
        self.wait(lambda: find(self.driver, "main .facts"), "what would be added")
        self.click("main [aria-live] button.primary")
        self.wait(lambda: find(self.driver, "main p.good"), "what was added")
        go(self.driver, f"/portfolio/{made['id']}/transactions")
        self.assertIn("1.25 ETH", find(self.driver, "main").text)
        self.assertEqual(complaints(self.driver), [])

    def test_the_crosshair_goes_by_keys_too(self):
        if not browser.has_charts():
            return
        self.sign_up("vera")
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CANDLES})
        go(self.driver, f"/instrument/{INSTRUMENT}")
        pointed = lambda: self.driver.execute_script(
            "return document.querySelector('.chart-legend').dataset.start ?? null")
        spoken = lambda: text(self.driver, ".chart [role=status]")
        newest = self.wait(pointed, "the last candle")
        find(self.driver, ".chart-panel").send_keys(Keys.SHIFT + Keys.ARROW_LEFT)
        self.wait(lambda: spoken(), "the candle in words")
        # A minute may have begun meanwhile.
        newest = pointed()
        starts = []
        for _ in range(3):
            find(self.driver, ".chart-panel").send_keys(Keys.SHIFT + Keys.ARROW_LEFT)
            starts.append(pointed())
        self.assertEqual(len({newest, *starts}), 4)
        self.assertEqual([newest, *starts], sorted([newest, *starts], reverse=True))
        find(self.driver, ".chart-panel").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT)
        self.assertEqual(pointed(), starts[1])
        keep(self.driver, "crosshair-by-keys")
        # The chart goes with it where it would go out of sight.
        find(self.driver, ".chart-panel").send_keys("++++")
        for _ in range(200):
            find(self.driver, ".chart-panel").send_keys(Keys.SHIFT + Keys.ARROW_LEFT)
        far = pointed()
        self.assertLess(far, starts[2])
        keep(self.driver, "crosshair-by-keys-far")
        close = self.driver.execute_script("return [...document.querySelectorAll('.chart-legend > span')]"
            ".map((one) => one.textContent.trim().split(' ').pop())[4]")
        find(self.driver, ".chart-panel").send_keys(Keys.ENTER)
        level = self.wait(lambda: find(self.driver, "dialog input[name=level]"), "an alert at that price")
        tick = Decimal(self.call("GET", f"/instruments/{INSTRUMENT}")["tick_size"])
        self.assertEqual(Decimal(level.get_attribute("value")), Decimal(close.replace(",", "")) // tick * tick)
        self.press(Keys.ESCAPE)
        self.wait(lambda: not find(self.driver, "dialog"), "its end")
        self.assertEqual(pointed(), far)
        find(self.driver, ".chart-panel").send_keys(Keys.ESCAPE)
        self.wait(lambda: pointed() >= newest, "the last candle again")
        self.assertEqual(spoken(), "")
        # It does not stay where nobody sees it.
        find(self.driver, ".chart-panel").send_keys(Keys.SHIFT + Keys.ARROW_LEFT)
        self.wait(spoken, "the last candle in sight in words")
        find(self.driver, ".chart-panel").send_keys(*[Keys.ARROW_LEFT] * 12)
        self.wait(lambda: spoken() == "", "out of sight")
        self.assertEqual(complaints(self.driver), [])

    def test_the_first_steps_are_shown_until_they_are_dismissed(self):
        self.sign_up("mary")
        self.wait(lambda: find(self.driver, ".first-steps"), "the first steps")
        self.audit("first steps")
        self.click(".first-steps .panel-head button")
        self.wait(lambda: not find(self.driver, ".first-steps"), "their end")
        go(self.driver, "/")
        self.assertIsNone(find(self.driver, ".first-steps"))
        self.driver.execute_script("localStorage.clear(); localStorage.setItem('bitpal.signed-in', '1')")
        go(self.driver, "/")
        self.wait(lambda: find(self.driver, ".empty"), "the list")
        self.assertIsNone(find(self.driver, ".first-steps"), "the account remembers it, not the browser")
        self.assertEqual(complaints(self.driver), [])


    def test_each_first_step_notices_that_it_is_done(self):
        done = lambda: self.driver.execute_script("return [...document.querySelectorAll('.first-steps li')]"
            ".filter((one) => one.dataset.done === 'true').map((one) => one.dataset.step)")
        remembered = lambda: sorted(self.driver.execute_async_script(
            "fetch('/v1/account/settings').then((answer) => answer.json()).then(arguments[0])")["onboarding"])
        self.sign_up("grete")
        self.wait(lambda: find(self.driver, ".first-steps"), "the first steps")
        self.assertEqual(done(), [])
        self.make_list("Three", self.instruments(3))
        go(self.driver, "/")
        self.wait(lambda: done() == ["watch"], "that something is watched")
        self.wait(lambda: remembered() == ["first-steps-watch"], "that the account knows it")
        keep(self.driver, "first-steps")
        self.audit("a step that is done")
        made = self.fill()
        go(self.driver, "/")
        self.wait(lambda: not find(self.driver, ".first-steps"), "nothing left to do")
        names = ["first-steps", *(f"first-steps-{step}" for step in ("alert", "hold", "tell", "watch"))]
        self.wait(lambda: remembered() == names, "that the account knows all of it")
        self.assertIn("id", made)
        self.assertEqual(complaints(self.driver), [])


class OwnViews(Owner):
    """Everything that somebody has, in every shape."""

    def test_every_view_is_sound(self):
        self.sign_up("grace")
        made = self.fill()
        self.look([view.format(**made) for view in OWNED_VIEWS], "account")

    def test_every_dialog_is_sound(self):
        self.sign_up("karen")
        made = self.fill()
        for width, height, scheme in [browser.SHAPES[0], browser.SHAPES[3]]:
            shape(self.driver, width, height, scheme)
            for view, opener in DIALOGS:
                go(self.driver, view.format(**made))
                self.click(opener)
                self.wait(lambda: find(self.driver, "dialog[open]"), f"the dialog of {opener}")
                self.audit(f"{view} {opener} at {width}")
                self.press(Keys.ESCAPE)
                self.wait(lambda: not find(self.driver, "dialog"), "its end")
            self.map_a_table(made["id"])
            self.audit(f"the mapping at {width}")
            keep(self.driver, f"account-mapping-{width}-{scheme}")
        self.assertEqual(complaints(self.driver), [])

    def test_every_part_of_a_portfolio_is_reached_on_a_phone(self):
        self.sign_up("philippa")
        made = self.fill()
        shape(self.driver, 360, 740, "light")
        for language in ("de", "es", "en", "ja"):
            self.call("PATCH", "/account/settings", {"locale": language})
            go(self.driver, f"/portfolio/{made['id']}")
            parts = self.driver.execute_script("return document.querySelectorAll('main .tabs a').length")
            self.assertEqual(parts, 7)
            # By Tab, each comes into sight; by a finger, each is where it can be touched.
            for number in range(1, parts + 1):
                link = f"main .tabs a:nth-child({number})"
                self.tab_to(link)
                self.wait(lambda: self.driver.execute_script(IN_SIGHT, link) == [], f"{language}: the focus on {number} in sight")
                self.press(Keys.ENTER)
                self.wait(lambda: find(self.driver, f"{link}[aria-current]") and not find(self.driver, "main[aria-busy]"),
                    f"part {number}")
                self.wait(lambda: self.driver.execute_script(IN_SIGHT, link) == [], f"{language}: part {number} in sight")
                beyond = self.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
                self.assertLessEqual(beyond, 0, f"{language} {number}: the page goes beyond its edge")
        self.assert_focus_was_seen()
        self.assertEqual(complaints(self.driver), [])


class Languages(Page):
    """Somebody who reads another language, or from right to left."""

    def test_every_view_reads_from_right_to_left_in_words_of_the_catalogue(self):
        self.speak_pseudo()
        self.sign_up("nadia")
        made = self.fill()
        views = [view.format(**made) for view in [*MARKET_VIEWS, *OWNED_VIEWS, "{shared}"]]
        self.look(views, "rtl", self.assert_pseudo, shapes=[browser.SHAPES[0], browser.SHAPES[3]])

    def assert_pseudo(self, view):
        self.assertEqual(self.driver.execute_script("return getComputedStyle(document.body).direction"), "rtl", view)
        self.assertEqual(self.driver.execute_script(UNMARKED), [], view)

    def test_a_rule_is_read_back_in_a_sentence_of_every_language(self):
        once = {"en": "Tells you once when ", "es": "Te avisa una vez cuando ", "de": "Sagt dir einmal Bescheid, wenn ",
            "ja": "KrakenのBTC/USDの直近の約定価格が61,000.50 USDを上回ったとき、一度だけお知らせします。"}
        level = {"en": "61,000.50", "es": "61.000,50", "de": "61.000,50", "ja": "61,000.50"}
        sentence = lambda: text(self.driver, ".sentence").replace("\u00a0", " ")
        self.sign_up("rosa")
        for language, words in once.items():
            self.call("PATCH", "/account/settings", {"locale": language})
            go(self.driver, "/alerts")
            self.click("main .primary")
            self.enter("instrument", "kraken:BTC/USD")
            self.enter("level", level[language].replace(".", "") if language in ("es", "de") else level[language])
            self.wait(lambda: sentence().startswith(words) and f"{level[language]} USD" in sentence(),
                f"the sentence in {language}")
            kinds = [one.get_attribute("value") for one in Select(find(self.driver, "[name=kind]")).options]
            self.assertEqual(len(kinds), 19)
            said = set()
            for kind in kinds:
                Select(find(self.driver, "[name=kind]")).select_by_value(kind)
                said.add(sentence())
                helps = self.driver.execute_script(HELPS)
                for line in [sentence(), *helps]:
                    self.assertNotRegex(line, r"[{}]|alert\.|undefined|null", f"{language} {kind}")
                self.assertNotIn("", helps, f"{language} {kind}")
            self.assertEqual(len(said), len(kinds), f"{language}: each kind has a sentence of its own")
            self.audit(f"the editor in {language}")
        self.assertEqual(complaints(self.driver), [])

    def test_what_is_refused_is_said_in_the_language_of_the_page(self):
        words = {"de": ("Die Adresse oder das Passwort ist falsch.", "von 1 Min. bis 1 Tg.", "erlaubt ist"),
            "es": ("La dirección o la contraseña no es correcta.", "de 1 min a 1 d", "se acepta"),
            "ja": ("メールアドレスまたはパスワードが違います。", "1 分から1 日の範囲", "使用できる値は"),
            "en": ("The address or the password is wrong.", "from 1 min to 1 day", "accepted is")}
        self.sign_up("tove")
        for language, (wrong, length, accepted) in words.items():
            self.call("PATCH", "/account/settings", {"locale": language})
            cookies = self.driver.get_cookies()
            self.driver.delete_all_cookies()
            self.driver.execute_script("localStorage.removeItem('bitpal.signed-in');"
                "localStorage.setItem('bitpal.settings', JSON.stringify({ locale: arguments[0] }))", language)
            go(self.driver, "/sign-in")
            # Each another one: who is refused twice has to wait.
            self.enter("email", person(f"nobody-{language}"))
            self.enter("password", "not the password at all")
            self.click("main form button[type=submit]")
            self.wait(lambda: text(self.driver, ".form-error") == wrong, wrong)
            for cookie in cookies:
                self.driver.add_cookie(cookie)
            self.driver.execute_script("localStorage.setItem('bitpal.signed-in', '1')")
            go(self.driver, "/alerts")
            self.click("main .primary")
            self.enter("instrument", INSTRUMENT)
            Select(find(self.driver, "dialog [name=kind]")).select_by_value("change")
            self.enter("within", "soon")
            self.click("dialog button[type=submit]")
            about = lambda: self.driver.execute_script(ABOUT_FAULT)
            self.wait(lambda: about() and length in about()["text"], length)
            self.assertIsNone(about()["lang"], f"{language}: all of it is the page's own")
            # What only the API has words for is told from what is the page's.
            before, foreign, lang = self.driver.execute_async_script(FOREIGN)
            self.assertIn(accepted, before)
            self.assertEqual((foreign, lang), ("a colour that nobody has named", "en"))


class Operator(Page):
    """Who runs the installation, from the link that was printed on."""

    def test_the_first_operator_sees_every_view(self):
        go(self.driver, os.environ["PAGE_SETUP"])
        self.enter("email", person("olga"))
        self.enter("password", PASSWORD)
        self.click("form button[type=submit]")
        self.wait(lambda: find(self.driver, ".account-link"), "the operator")
        go(self.driver, "/settings/flags")
        self.click(".empty button")
        self.enter("name", "new-chart")
        self.audit("a new flag")
        self.click("dialog button[type=submit]")
        self.wait(lambda: find(self.driver, ".rule"), "the flag")
        self.look(OPERATOR_VIEWS, "operator")


if __name__ == "__main__":
    unittest.main(verbosity=2)
