"""What tests of the page share: somebody who uses it, and what is looked for in every view."""

import functools
import json
import os
import pathlib
import unittest
import urllib.error
import urllib.request
from urllib.parse import quote

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

import browser
from browser import complaints, find, go, keep, shape, state, text, wait

INSTRUMENT = os.environ["PAGE_INSTRUMENT"]
VENUE, SYMBOL = INSTRUMENT.split(":", 1)
AUDIT = pathlib.Path(__file__).with_name("audit.js").read_text()
PASSWORD = "seven quiet otters crossing"
PRICE = f'tr[data-instrument="{INSTRUMENT}"] .price-text'

# One call of the API, by who is signed in.
CALL = """
    const [method, path, body, done] = arguments;
    fetch('/v1' + path, { method, body: body && JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() } })
      .then(async (answer) => done([answer.ok, await answer.text()]));
"""
# The server does what is asked, and its first answer to a POST there is lost on the way.
LOSE = """
    const [path] = arguments;
    const fetched = window.fetch;
    let isLost = false;
    window.fetch = async (address, options) => {
      const answer = await fetched(address, options);
      if (isLost || options?.method !== 'POST' || String(address) !== path) return answer;
      isLost = true;
      throw new TypeError('Failed to fetch');
    };
"""
# A button for more, pressed twice: the answers come together, once two were asked for.
PRESS_MORE_TWICE = """
    const fetched = window.fetch;
    let [gather, count] = [null, 0];
    const both = new Promise((done) => { gather = done; });
    window.told = 0;
    window.fetch = async (address, options) => {
      const answer = await fetched(address, options);
      if (!String(address).includes('cursor=')) return answer;
      if ((count += 1) === 2) gather();
      await both;
      setTimeout(() => { window.told += 1; });
      return answer;
    };
    const more = document.querySelector(arguments[0]);
    more.click();
    more.click();
"""
# The page itself is put last.
IS_KEPT = "caches.match('/').then((file) => arguments[0](Boolean(file)))"
# A language that nobody speaks: English between brackets, from right to left. What is shown without brackets is in
# no catalogue.
PSEUDO = """
    const fetched = window.fetch;
    const marked = (text) => `⟦${text}⟧`;
    const pseudo = (words) => ({ ...Object.fromEntries(Object.entries(words).map(([key, text]) => [key,
      typeof text === 'string' ? marked(text)
        : Object.fromEntries(Object.entries(text).map(([form, one]) => [form, marked(one)]))])),
      'page.direction': 'rtl' });
    window.fetch = async (address, options) => {
      const answer = await fetched(address, options);
      // The server has words as well: those of the kinds of channel.
      if (/\\/channels\\/kinds/.test(String(address)) && answer.ok) {
        const { items, ...rest } = await answer.json();
        const label = (one) => ({ ...one, label: one.label && marked(one.label) });
        const said = items.map((one) => ({ ...one, title: marked(one.title), fields: one.fields.map(label) }));
        return new Response(JSON.stringify({ ...rest, items: said }), { headers: answer.headers });
      }
      if (!/\\/i18n\\//.test(String(address))) return answer;
      return new Response(JSON.stringify(pseudo(await answer.json())), { headers: answer.headers });
    };
"""
# Texts that the page says in its own words, without those brackets.
UNMARKED = """
    const own = 'h1, h2, h3, h4, label, button, summary, legend, dt, caption, thead th, .tag, .field-about, .small-head, '
      + '.empty p, .nav a, .tabs a, .footer a, .connection-words, .sentence, a.button, p.muted, option';
    // What people, venues and browsers say, not the page.
    const foreign = 'body [lang], code, time, select[name=time_zone], select[name=locale], select[name=base_currency], '
      + '.venue, .symbol, .foreign, kbd, .brand, datalist, a.symbol, .tabs button';
    const words = /\\p{L}{3,}/u;
    // What the tests call their own, names of instruments, addresses, browsers, scopes, and days.
    const given = (text) => text.replace(/Majors|Savings|Far away|\\bmine\\b|Bitcoin|XBTUSD/g, '')
      .replace(/\\S+@\\S+|https:\\S+|Mozilla.*|\\b[a-z]+:[\\w/]+|[A-Z][a-z]+ \\d+, \\d{4}/g, '');
    const found = [];
    for (const element of document.querySelectorAll(own)) {
      if (element.closest(foreign) || !element.checkVisibility()) continue;
      for (const node of element.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE) continue;
        const rest = given(node.textContent.replace(/⟦[^⟧]*⟧/g, '')).trim();
        if (words.test(rest) && !/⟦/.test(rest)) found.push(`${element.tagName} ${element.className}: ${rest}`);
      }
    }
    for (const name of ['aria-label', 'title', 'alt']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        const text = given(element.getAttribute(name));
        if (words.test(text) && !text.includes('⟦') && !element.closest(foreign)) found.push(`${name}: ${text}`);
      }
    }
    return [...new Set(found)];
"""
# What a new shape changes is shown, and what flashes in the colours of the old one has faded.
PAINTED = """
    const [done] = arguments;
    const passing = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < Infinity);
    Promise.allSettled(passing.map((one) => one.finished))
      .then(() => requestAnimationFrame(() => requestAnimationFrame(done)));
"""
# An offer stands for ten seconds: in this document, until it is taken.
LASTING = """
    const later = window.setTimeout;
    window.setTimeout = (run, wait, ...all) => later(run, wait === 10_000 ? 300_000 : wait, ...all);
"""
# In a worker: the server is waited for, however slow the machine is.
PATIENT = "void (silence = () => new Promise(() => {}))"
NOTE_FOCUS = """
    const element = document.activeElement;
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = document.elementFromPoint(x, y);
    window.order.push({ element, isMarked: getComputedStyle(element).outlineStyle !== 'none',
      isSeen: box.height > innerHeight || (box.width > 0 && box.top >= 0 && box.bottom <= innerHeight + 1
        && (!top || element.contains(top) || top.contains(element) || element.labels?.[0]?.contains(top)
          || top.closest('.toasts'))) });
"""
MUTED = """
    const muted = document.createElement("i");
    muted.style.color = "var(--muted)";
    document.body.append(muted);
    const wanted = getComputedStyle(muted).color;
    muted.remove();
    return getComputedStyle(document.querySelector(arguments[0])).color === wanted;
"""
# What was asked for quotes since the page was loaded.
ASKED_TICKERS = """return performance.getEntriesByType("resource").map(({ name }) => name)
    .filter((name) => /[/]v1[/]tickers[/?]/.test(name));"""
# Whether the chart's last candle is newer than the newest that is over.
IS_LAST_CANDLE_OPEN = """
    const [instrument, done] = arguments;
    const { start, interval } = document.querySelector(".chart-legend").dataset;
    fetch(`/v1/candles/${encodeURIComponent(instrument)}?interval=${interval}&limit=1`)
      .then((answer) => answer.json())
      .then(({ items }) => done(items.length > 0 && items[0].closed && start > items[0].start))
      .catch(() => done(false));
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


def person(name):
    """Somebody's address, new in each run: an installation can be tested again."""
    return f"{name}-{os.getpid()}@example.org"


@functools.cache
def wait_for_market():
    """A newcomer's page asks once; here it is opened when there is something to ask for, as people do."""
    WebDriverWait(None, browser.PATIENCE, 0.2).until(lambda _: is_market_there(), "a market")


def is_market_there():
    wanted = {name for name, _ in json.loads(os.environ.get("PAGE_RECORDED", "[]"))}
    # In this order: the second question is answered from a catalogue that is made with the first.
    names = [one["instrument"] for one in (ask("/v1/tickers") or {"items": []})["items"]]
    is_there = wanted <= set(names) if wanted else len(names) >= 4
    return is_there and all(ask(f"/v1/instruments/{quote(name, safe=':')}") for name in wanted or names)


def ask(path):
    """What the API answers to nobody in particular; None where it refuses."""
    try:
        with urllib.request.urlopen(browser.URL + path, timeout=60) as answer:
            return json.load(answer)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return None


class Page(unittest.TestCase):
    """A browser without any state for each test."""

    maxDiff = None

    people = set()
    has_own_browser = False

    def setUp(self):
        wait_for_market()
        self.driver = browser.open_browser(self.has_own_browser)
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
        def is_clicked():
            element = find(self.driver, selector)
            self.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
            element.click()
            return True

        self.wait(is_clicked, f"a click on {selector}")

    def press_button(self, place, words):
        """Presses the button of a place that says so, however often the place is drawn anew meanwhile."""
        def is_pressed():
            buttons = self.driver.find_elements(By.CSS_SELECTOR, f"{place} button")
            next(button for button in buttons if button.text == words).click()
            return True

        self.wait(is_pressed, f"{words} in {place}")

    def enter(self, name, value):
        field = self.wait(lambda: self.driver.find_element(By.NAME, name), f"field {name}")
        field.send_keys(value)

    def sign_up(self, name):
        self.assertNotIn(name, Page.people, "a second account of one address")
        Page.people.add(name)
        go(self.driver, "/sign-up")
        self.enter("email", person(name))
        self.enter("password", PASSWORD)
        self.click("form button[type=submit]")
        self.wait(lambda: find(self.driver, ".account-link"), "somebody signed in")

    def choose(self, selector, words):
        """What a choice offers in these words."""
        Select(self.wait(lambda: find(self.driver, selector), selector)).select_by_visible_text(words)

    def press(self, *keys):
        """Keys, where the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def tab_to(self, selector, most=120):
        """Goes on by Tab alone until the focus is on what the selector finds; each step is written down."""
        self.driver.execute_script("window.order ??= []")
        for _ in range(most):
            self.press(Keys.TAB)
            self.driver.execute_script(NOTE_FOCUS)
            if self.driver.execute_script("return document.activeElement.matches(arguments[0])", selector):
                return
        self.fail(f"never reached by Tab: {selector}")

    def assert_focus_was_seen(self):
        """Nothing had the focus without a mark, or where nobody sees it."""
        faults = self.driver.execute_script("const order = window.order ?? []; window.order = [];"
            "return order.filter((one) => one.element !== document.body && !(one.isMarked && one.isSeen))"
            ".map((one) => one.element.outerHTML.slice(0, 120))")
        self.assertEqual(faults, [])

    def speak_pseudo(self):
        """From the next view on in the language that nobody speaks, from right to left."""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": PSEUDO})

    def call(self, method, path, body=None):
        """What the API answers to who is signed in."""
        is_done, said = self.driver.execute_async_script(CALL, method, path, body)
        self.assertTrue(is_done, f"{method} {path}: {said}")
        return json.loads(said) if said else None

    def lose_answer(self, path):
        """The next answer to a POST there is lost."""
        self.driver.execute_script(LOSE, f"/v1{path}")

    def press_more_twice(self, selector):
        """Before either press is answered."""
        self.driver.execute_script(PRESS_MORE_TWICE, selector)
        self.wait(lambda: self.driver.execute_script("return window.told === 2"), "both answers")

    def make_list(self, name, instruments):
        """A watchlist; its id."""
        made = self.call("POST", "/watchlists", {"name": name})
        for instrument in instruments:
            self.call("POST", f"/watchlists/{made['id']}/entries", {"instrument": instrument})
        return made["id"]

    def instruments(self, most):
        """Some that are traded."""
        return [ticker["instrument"] for ticker in self.call("GET", "/tickers")["items"][:most]]

    def fill(self):
        """Something of everything that a user may have: the portfolio's id, and the path that shares it."""
        self.make_list("Majors", [INSTRUMENT])
        rule = self.call("POST", "/alerts", {"instrument": INSTRUMENT, "note": "Far away",
            "condition": {"price": "last", "crosses": "above", "level": "99000000"}})
        self.call("POST", "/alerts", {"instrument": INSTRUMENT, "repeat": {"cooldown": "1h"},
            "condition": {"change": {"price": "last", "percent": "5", "within": "1h"}}})
        self.call("POST", "/channels", {"kind": "webhook", "name": "mine",
            "settings": {"url": "https://example.org/hook"}})
        self.call("POST", f"/alerts/{rule['id']}/test-fire", {})
        portfolio = self.call("POST", "/portfolios", {"name": "Savings", "base": "USD"})
        path = f"/portfolios/{portfolio['id']}"
        self.call("POST", f"{path}/wallets", {"name": "main"})
        self.call("POST", f"{path}/transactions", {"kind": "buy", "time": "2026-01-31T00:00:00Z", "wallet": "main",
            "asset": "BTC", "amount": "0.5", "counter_asset": "USD", "counter_amount": "30000"})
        share = self.call("POST", f"{path}/shares", {"days": 30})
        return {"id": portfolio["id"], "shared": share["path"]}

    def look(self, views, prefix, check=lambda view: None, shapes=browser.SHAPES):
        """Each view in each shape: audited, kept, without a word in the console.

        Loaded once, in another shape each time, and brought into the others as a window or a phone is.
        """
        for number, view in enumerate(views):
            first = number % len(shapes)
            order = shapes[first:] + shapes[:first]
            shape(self.driver, *order[0])
            go(self.driver, view)
            name = view.split("?")[0].strip("/").replace("/", "-").replace(":", "-") or "home"
            for width, height, scheme in order:
                shape(self.driver, width, height, scheme)
                self.driver.execute_async_script(PAINTED)
                self.wait(lambda: state(self.driver) == "live", "a live connection")
                keep(self.driver, f"{prefix}-{name[:60]}-{width}-{scheme}")
                self.audit(f"{view} at {width}, {scheme}")
                check(view)
                self.assertEqual(complaints(self.driver), [], view)
