"""Lists of quotes: what is followed, what goes to which list, and what is told of it.

The installation is that of page_test.py.
"""

import unittest

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import browser
from browser import block, complaints, find, go, network, said, state, text
from page import INSTRUMENT, LASTING, SYMBOL, Page

# Before the page: which tickers are followed at this moment, how often each request was sent; what a test says may
# be held back, and followed under a name that the server refuses.
WATCHED = """
    window.followed = new Map();
    window.sent = [];
    window.refusedKey = null;
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (message) {
      const { op, id, channel, key } = JSON.parse(message);
      if (op === 'subscribe' && channel === 'ticker') window.followed.set(id, key);
      if (op === 'unsubscribe') window.followed.delete(id);
      send.call(this, key && key === window.refusedKey ? message.replace(`"${key}"`, '"nothing"') : message);
    };
    window.held = null;
    window.passed = 0;
    window.hold = (part) => {
      window.held = { part, gate: new Promise((resolve) => (window.release = resolve)) };
    };
    const fetched = window.fetch;
    window.fetch = async (address, options) => {
      window.sent.push(`${options?.method ?? 'GET'} ${address}`);
      const held = window.held;
      const isHeld = held && String(address).includes(held.part);
      if (isHeld) await held.gate;
      try {
        return await fetched(address, isHeld ? { ...options, signal: undefined } : options);
      } finally {
        if (isHeld) setTimeout(() => setTimeout(() => window.passed += 1));
      }
    };
"""
ROWS = "return [...document.querySelectorAll('tr.quote')].map((row) => row.dataset.instrument)"
FOLLOWED = "return [...new Set(window.followed.values())].sort()"
# More instruments than a connection may follow.
MANY = """
    const known = window.fetch;
    window.fetch = async (address, options) => (/\\/v1\\/tickers$/.test(String(address))
      ? Response.json({ items: Array.from({ length: 300 }, (_, index) => ({ instrument: `bitmex:X${1000 + index}`,
          last: '7', time: new Date().toISOString() })) }) : known(address, options));
"""
# A candle a day, in the place of what there is.
DAYS = """
    const known = window.fetch;
    const day = 86_400_000;
    const last = Math.floor(Date.now() / day) * day;
    const items = Array.from({ length: 90 }, (_, index) => ({ start: new Date(last - (89 - index) * day).toISOString(),
      open: '7', close: '8', high: '9', low: '6', volume: '7', trades: 1, complete: true, amended: false }));
    window.fetch = async (address, options) => (!/\\/v1\\/candles\\//.test(String(address)) ? known(address, options)
      : Response.json({ interval: '1d', items: /[?&]to=/.test(String(address)) ? [] : items, next: null }));
"""
# A few candles, begun at another hour for each range but that of a day.
HALVES = """
    const known = window.fetch;
    const half = 43_200_000;
    const last = Math.floor(Date.now() / (2 * half)) * 2 * half;
    const items = (by) => Array.from({ length: 20 }, (_, index) => ({ open: '7', close: '8', high: '9', low: '6',
      start: new Date(last - (19 - index) * 2 * half - by).toISOString(), volume: '7', trades: 1, complete: true,
      amended: false }));
    window.fetch = async (address, options) => {
      if (!/\\/v1\\/candles\\//.test(String(address))) return known(address, options);
      const isDay = /range=1D/.test(String(address));
      return Response.json({ interval: isDay ? '1d' : '1w', next: null,
        items: /[?&]to=/.test(String(address)) ? [] : items(isDay ? 0 : half) });
    };
"""
DAY = """
    const { start } = document.querySelector('.chart-legend').dataset;
    return [document.querySelector('.chart-legend span').textContent.trim(), new Intl.DateTimeFormat('en',
      { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(start))];
"""
DOUBT = """
    const [instrument, done] = arguments;
    import('/app/quotes.js').then(({ note }) => {
      note({ instrument, last: '7', stale: 'nothing is heard' }, instrument, Date.now() + 1000);
      const said = document.querySelector('.instrument-head [lang=en]');
      done([said?.textContent ?? null, said?.parentElement.textContent ?? null]);
    });
"""
# Another text and Enter in the same moment.
TYPE_AND_ENTER = """
    const input = document.querySelector('dialog input[type=search]');
    input.value = arguments[0];
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    return Boolean(document.querySelector('dialog[open]'));
"""
# The same value twice, and another.
QUEUE = """
    const [done] = arguments;
    const sent = [];
    import('/app/newest.js').then(async ({ newest }) => {
      const keep = newest(async (value) => sent.push(value) > 0);
      for (const value of ['a', 'a', 'b']) await keep(value);
      done(sent);
    });
"""
BIDS = "return [...document.querySelectorAll('.bids tbody tr')].map((row) => row.textContent).join()"


class Watchlists(Page):
    """Lists, and the tables that show them."""

    def prepare(self, *scripts):
        for script in (WATCHED, *scripts):
            self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def rows(self):
        return self.driver.execute_script(ROWS)

    def kept(self, made):
        return [entry["instrument"] for entry in self.call("GET", f"/watchlists/{made['id']}")["entries"]]

    def two_lists(self, name):
        """Somebody with two lists without an instrument in common, of which the first is shown."""
        self.prepare()
        self.sign_up(name)
        names = self.instruments(4)
        first, second = ({"id": self.make_list(name, some), "names": some}
            for name, some in [("First", names[:3]), ("Second", names[3:])])
        self.driver.execute_script("localStorage.setItem('bitpal.watchlist', arguments[0])", first["id"])
        go(self.driver, "/")
        self.wait(lambda: self.rows() == first["names"], "the first list")
        self.wait(lambda: state(self.driver) == "live", "a live connection")
        return first, second

    def open_list(self, name):
        """By a click, whether or not its answer comes."""
        self.driver.execute_script("[...document.querySelectorAll('.tabs [role=tab]')]"
            ".find((tab) => tab.textContent === arguments[0]).click()", name)

    def test_a_list_that_is_left_is_not_followed(self):
        first, second = self.two_lists("maria")
        followed = lambda: self.driver.execute_script(FOLLOWED)
        self.wait(lambda: followed() == sorted(first["names"]), "what is on the first list")
        self.open_list("Second")
        self.wait(lambda: self.rows() == second["names"], "the second list")
        self.wait(lambda: followed() == sorted(second["names"]), "what is on the second alone")
        self.assertEqual(complaints(self.driver), [])

    def test_the_lists_themselves_are_put_in_order(self):
        self.two_lists("olga")
        tabs = lambda: self.driver.execute_script(
            "return [...document.querySelectorAll('.tabs [role=tab]')].map((tab) => tab.textContent)")
        offered = lambda: self.driver.execute_script(
            "return [...document.querySelectorAll('.menu option:not([hidden])')].map((one) => one.value)")
        self.assertEqual(offered(), ["", "new", "rename", "later", "delete"])
        Select(find(self.driver, ".menu")).select_by_value("later")
        self.wait(lambda: tabs() == ["Second", "First"], "the other order")
        self.assertEqual(offered(), ["", "new", "rename", "earlier", "delete"])
        self.assertEqual(text(self.driver, ".tabs [aria-selected=true]"), "First")
        go(self.driver, "/")
        self.wait(lambda: tabs() == ["Second", "First"], "the order that is kept")
        Select(find(self.driver, ".menu")).select_by_value("earlier")
        self.wait(lambda: tabs() == ["First", "Second"], "the order as it was")
        Select(find(self.driver, ".menu")).select_by_value("rename")
        self.enter("name", " of all")
        self.click("dialog form button[type=submit]")
        self.wait(lambda: tabs() == ["First of all", "Second"], "the other name")
        self.assertEqual(complaints(self.driver), [])

    def test_a_slower_answer_is_not_shown_under_another_name(self):
        first, second = self.two_lists("sophie")
        self.open_list("Second")
        self.wait(lambda: self.rows() == second["names"], "the second list")
        self.driver.execute_script("window.sent = []; window.hold(arguments[0])", f"{first['id']}?quotes")
        self.open_list("First")
        sent = lambda: self.driver.execute_script("return window.sent.join()")
        self.wait(lambda: f"{first['id']}?quotes" in sent(), "the question")
        self.open_list("Second")
        self.driver.execute_script("window.release()")
        self.wait(lambda: self.driver.execute_script("return window.passed") == 1, "the late answer")
        self.assertEqual(text(self.driver, ".tabs [aria-selected=true]"), "Second")
        self.assertEqual(self.rows(), second["names"])

    def test_what_is_undone_goes_back_to_its_list(self):
        first, second = self.two_lists("emmy")
        self.driver.execute_script(LASTING)
        self.driver.find_element(By.CSS_SELECTOR, "tr.quote:nth-child(2) .name a").send_keys(Keys.DELETE)
        self.wait(lambda: find(self.driver, ".toast button.small:not(.icon-only)"), "the offer")
        self.open_list("Second")
        self.wait(lambda: self.rows() == second["names"], "the second list")
        self.click(".toast button.small:not(.icon-only)")
        self.wait(lambda: self.kept(first) == first["names"], "the first list as it was")
        self.assertEqual(self.kept(second), second["names"])
        self.assertEqual(self.rows(), second["names"])

    def test_a_failed_removal_is_not_shown_on_another_list(self):
        first, second = self.two_lists("ida")
        self.driver.execute_script("window.hold('/entries/')")
        self.driver.find_element(By.CSS_SELECTOR, "tr.quote:nth-child(2) .name a").send_keys(Keys.DELETE)
        self.open_list("Second")
        self.wait(lambda: self.rows() == second["names"], "the second list")
        block(self.driver, "*/entries/*")
        self.driver.execute_script("window.release()")
        self.wait(lambda: said(self.driver, "bad"), "the words that say so")
        self.assertEqual(self.rows(), second["names"])

    def test_what_the_server_does_not_send_is_not_called_live(self):
        self.prepare(f"window.refusedKey = '{INSTRUMENT}';")
        go(self.driver, "/")
        self.wait(lambda: state(self.driver) == "live", "a live connection")
        self.wait(lambda: find(self.driver, f'tr.old[data-instrument="{INSTRUMENT}"]'), "a row that stands still")
        self.assertIsNotNone(find(self.driver, "tr.quote:not(.old)"))

    def test_more_than_can_be_followed_is_followed_where_it_is_seen(self):
        self.prepare(MANY)
        go(self.driver, "/")
        self.wait(lambda: "bitmex:X1000" in self.driver.execute_script(FOLLOWED), "the first row")
        self.assertLess(len(self.driver.execute_script(FOLLOWED)), 190)
        self.assertNotIn("bitmex:X1299", self.driver.execute_script(FOLLOWED))
        self.driver.execute_script("document.querySelector('tr.quote:last-child').scrollIntoView()")
        self.wait(lambda: "bitmex:X1299" in self.driver.execute_script(FOLLOWED), "the last row")
        self.assertLess(len(self.driver.execute_script(FOLLOWED)), 190)
        asked = self.driver.execute_script("return window.sent.join()")
        self.assertNotIn("X1150", asked)

    def test_a_key_that_is_held_sends_one_order(self):
        first, _ = self.two_lists("hedy")
        self.driver.execute_script("document.querySelector('.grip').focus(); window.sent = []")
        for kind, repeats in [("rawKeyDown", False), ("rawKeyDown", True), ("keyUp", False)]:
            self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": kind, "key": "ArrowDown",
                "code": "ArrowDown", "windowsVirtualKeyCode": 40, "autoRepeat": repeats})
        order = first["names"][1:] + first["names"][:1]
        self.wait(lambda: self.rows() == order, "the row at the end")
        self.wait(lambda: self.kept(first) == order, "the order that was kept")
        sent = self.driver.execute_script("return window.sent.filter((one) => one.startsWith('PUT'))")
        self.assertEqual(len(sent), 1)

    def test_of_orders_that_wait_only_the_newest_is_sent(self):
        first, _ = self.two_lists("grete")
        self.driver.execute_script("window.sent = []; window.hold('/order')")
        grip = lambda place: self.driver.find_elements(By.CSS_SELECTOR, ".grip")[place]
        for place in (0, 1, 0):
            grip(place).send_keys(Keys.ARROW_DOWN)
        order = first["names"][::-1]
        self.assertEqual(self.rows(), order)
        self.driver.execute_script("window.release()")
        self.wait(lambda: self.kept(first) == order, "the order that was kept")
        sent = self.driver.execute_script("return window.sent.filter((one) => one.startsWith('PUT'))")
        self.assertEqual(len(sent), 2)

    def test_where_an_order_is_refused_the_list_is_shown_as_it_is(self):
        first, _ = self.two_lists("hanna")
        one, two, three = first["names"]
        self.driver.execute_script("window.hold('/order')")
        find(self.driver, ".grip").send_keys(Keys.ARROW_DOWN)
        self.wait(lambda: self.rows() == [two, one, three], "the order that is on its way")
        self.driver.find_element(By.CSS_SELECTOR, "tr.quote:nth-child(3) .name a").send_keys(Keys.DELETE)
        self.wait(lambda: self.kept(first) == [one, two], "the list without what was removed")
        self.driver.execute_script("window.release()")
        self.wait(lambda: said(self.driver, "bad"), "the refusal")
        self.wait(lambda: self.rows() == [one, two], "the order that is kept there")

    def test_what_another_device_did_is_shown_when_one_comes_back(self):
        first, second = self.two_lists("helmut")
        one, two, three = first["names"]
        self.call("DELETE", f"/watchlists/{first['id']}/entries/{one}")
        self.come_back()
        self.wait(lambda: self.rows() == [two, three], "the list without it")
        self.call("DELETE", f"/watchlists/{second['id']}")
        self.come_back()
        self.wait(lambda: not find(self.driver, ".tabs button"), "one list less")
        self.call("DELETE", f"/watchlists/{first['id']}/entries/{two}")
        self.driver.find_element(By.CSS_SELECTOR, "tr.quote .name a").send_keys(Keys.DELETE)
        self.wait(lambda: self.rows() == [three], "what is left there")

    def test_another_page_does_not_choose_what_this_one_shows(self):
        first, second = self.two_lists("henny")
        self.driver.execute_script("localStorage.setItem('bitpal.watchlist', arguments[0])", second["id"])
        self.call("PATCH", f"/watchlists/{second['id']}", {"name": "Third"})
        self.come_back()
        self.wait(lambda: find(self.driver, ".tabs button:last-child").text == "Third", "the other name")
        self.assertEqual(text(self.driver, ".tabs [aria-selected=true]"), "First")
        self.assertEqual(self.rows(), first["names"])

    def test_an_order_that_is_on_its_way_is_not_taken_back(self):
        first, _ = self.two_lists("herta")
        one, two, three = first["names"]
        self.driver.execute_script("window.hold('/order')")
        find(self.driver, ".grip").send_keys(Keys.ARROW_DOWN)
        self.wait(lambda: self.rows() == [two, one, three], "the order that is on its way")
        self.come_back()
        # What would be asked for is answered before these are.
        for _ in range(3):
            self.assertEqual(self.kept(first), first["names"])
        self.assertEqual(self.rows(), [two, one, three])
        self.driver.execute_script("window.sent = []; window.release()")
        caught_up = f"GET /v1/watchlists/{first['id']}"
        self.wait(lambda: caught_up in self.driver.execute_script("return window.sent"), "what was put off")
        self.assertEqual(self.kept(first), [two, one, three])
        self.assertEqual(self.rows(), [two, one, three])

    def test_a_finger_swipes_a_row_away(self):
        first, _ = self.two_lists("hilde")
        one, two, three = first["names"]
        box = find(self.driver, "tr.quote .price").rect
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        touch = lambda kind, *points: self.driver.execute_cdp_cmd("Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": place, "y": y} for place in points]})
        touch("touchStart", x)
        for step in range(1, 11):
            touch("touchMove", x - 15 * step)
        touch("touchEnd")
        self.wait(lambda: self.rows() == [two, three], "the list without the first")
        self.wait(lambda: self.kept(first) == [two, three], "that it is kept")

    def come_back(self):
        self.driver.execute_script("document.dispatchEvent(new Event('visibilitychange'))")

    def test_where_nobody_hears_an_order_the_one_before_is_back(self):
        first, _ = self.two_lists("hertha")
        one, two, three = first["names"]
        self.driver.find_element(By.CSS_SELECTOR, "tr.quote:nth-child(3) .name a").send_keys(Keys.DELETE)
        self.wait(lambda: self.kept(first) == [one, two], "the list without what was removed")
        network(self.driver, False)
        find(self.driver, ".grip").send_keys(Keys.ARROW_DOWN)
        self.wait(lambda: said(self.driver, "bad"), "that nobody answered")
        self.wait(lambda: self.rows() == [one, two], "the order before, without it")

    def test_one_order_twice_stops_no_later_one(self):
        go(self.driver, "/about")
        self.assertEqual(self.driver.execute_async_script(QUEUE)[-1], "b")

    def test_a_row_is_dragged_over_more_than_one(self):
        first, _ = self.two_lists("lise")
        grips = self.driver.find_elements(By.CSS_SELECTOR, ".grip")
        hand = ActionChains(self.driver).click_and_hold(grips[0])
        for grip in grips[1:]:
            hand.move_to_element(grip)
        hand.release().perform()
        order = first["names"][1:] + first["names"][:1]
        self.wait(lambda: self.rows() == order, "the row that was dragged")
        self.wait(lambda: self.kept(first) == order, "the order that was kept")

    def test_enter_takes_nothing_that_was_found_for_another_text(self):
        go(self.driver, "/")
        self.driver.find_element(By.TAG_NAME, "body").send_keys("/")
        search = self.wait(lambda: find(self.driver, "dialog[open] input[type=search]"), "the search")
        search.send_keys(SYMBOL)
        self.wait(lambda: find(self.driver, ".result[aria-selected=true]"), "a result")
        shadow = self.driver.execute_script("document.documentElement.dir = 'rtl';"
            "return getComputedStyle(document.querySelector('.result[aria-selected=true]')).boxShadow")
        self.assertIn("-3px", shadow)
        self.assertTrue(self.driver.execute_script(TYPE_AND_ENTER, "ETH"), "the search is still there")
        self.wait(lambda: "ETH" in text(self.driver, ".result[aria-selected=true]"), "what that text finds")

    def test_what_cannot_be_added_is_said_where_one_looks(self):
        _, second = self.two_lists("rosa")
        block(self.driver, "*/entries")
        self.click(".view-head .primary")
        search = self.wait(lambda: find(self.driver, "dialog[open] input[type=search]"), "the search")
        search.send_keys(second["names"][0].split(":")[1])
        self.wait(lambda: find(self.driver, ".result[aria-selected=true]"), "the instrument")
        told = lambda: text(self.driver, "dialog [role=status]")
        before = told()
        search.send_keys(Keys.ENTER)
        tag = ".result[aria-selected=true] .tag"
        self.wait(lambda: told() != before or find(self.driver, tag), "what became of it")
        self.assertIsNone(find(self.driver, tag))
        self.assertEqual(said(self.driver, "bad"), [])

    def test_two_quick_picks_make_one_list(self):
        self.prepare()
        self.sign_up("vera")
        self.click(".empty button")
        self.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, ".result")) > 1, "something to add")
        self.driver.execute_script("for (const one of [...document.querySelectorAll('.result')].slice(0, 2)) one.click()")
        self.wait(lambda: len(self.rows()) == 2, "both on the list")
        self.assertEqual(len(self.call("GET", "/watchlists")["items"]), 1)
        self.assertEqual(said(self.driver, "bad"), [])

    def test_a_deep_book_that_does_not_come_gives_way_to_the_best_levels(self):
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: text(self.driver, ".bids tbody tr .price"), "a book")
        Select(find(self.driver, ".book select")).select_by_value("5")
        block(self.driver, "*/v1/books/*")
        shown = set()

        def moves():
            shown.add(self.driver.execute_script(BIDS))
            return len(shown) > 4

        self.wait(moves, "a book that moves")

    def test_a_candle_of_a_day_has_the_name_of_its_day(self):
        if not browser.has_charts():
            return
        self.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "America/New_York"})
        self.prepare(DAYS)
        go(self.driver, f"/instrument/{INSTRUMENT}")
        named = self.wait(lambda: self.driver.execute_script(DAY), "a candle")
        self.assertEqual(*named)

    def test_a_candle_that_another_range_lacks_is_pointed_at_no_more(self):
        if not browser.has_charts():
            return
        self.prepare(HALVES)
        go(self.driver, f"/instrument/{INSTRUMENT}")
        interval = lambda: find(self.driver, ".chart-legend").get_attribute("data-interval")
        self.wait(lambda: interval() == "1d", "a candle")
        panel = find(self.driver, ".chart-panel")
        panel.send_keys(Keys.SHIFT, *[Keys.ARROW_LEFT] * 4)
        self.wait(lambda: text(self.driver, ".chart [role=status]"), "the candle under the crosshair")
        self.click(".chart-controls .segmented button:nth-child(3)")
        self.wait(lambda: interval() == "1w", "the candles of the other range")
        for key in (Keys.ARROW_LEFT, Keys.ESCAPE):
            panel.send_keys(key)
        self.assertEqual(complaints(self.driver), [])

    def test_a_doubt_in_english_says_so(self):
        go(self.driver, f"/instrument/{INSTRUMENT}")
        said, whole = self.driver.execute_async_script(DOUBT, INSTRUMENT)
        self.assertEqual(said, "nothing is heard")
        self.assertIn("Not of now: nothing is heard", whole)


if __name__ == "__main__":
    unittest.main(verbosity=2)
