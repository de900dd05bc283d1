"""What tests of the page share: somebody who uses it, and what is looked for in every view."""

import os
import pathlib
import unittest

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import browser
from browser import complaints, find, go, keep, shape, state, text, wait

INSTRUMENT = os.environ["PAGE_INSTRUMENT"]
VENUE, SYMBOL = INSTRUMENT.split(":", 1)
AUDIT = pathlib.Path(__file__).with_name("audit.js").read_text()
PASSWORD = "seven quiet otters crossing"
PRICE = f'tr[data-instrument="{INSTRUMENT}"] .price-text'

IS_KEPT = """
    const done = arguments[0];
    caches.open('bitpal-shell-1').then((cache) => cache.keys())
      .then((keys) => done(keys.some((key) => key.url.endsWith('/app/views/home.js'))));
"""
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
      if (!/\\/i18n\\//.test(String(address))) return answer;
      return new Response(JSON.stringify(pseudo(await answer.json())), { headers: answer.headers });
    };
"""
# Texts that the page says in its own words, without those brackets.
UNMARKED = """
    const own = 'h1, h2, h3, h4, label, button, summary, legend, dt, caption, thead th, .tag, .field-about, .small-head, '
      + '.empty p, .nav a, .tabs a, .footer a, .connection-words, .sentence, a.button, p.muted, option';
    // What people, venues and browsers say, not the page.
    const foreign = '[lang], code, time, select[name=time_zone], select[name=locale], select[name=base_currency], '
      + '.venue, .symbol, .foreign, kbd, .brand, datalist, a.symbol, .tabs button';
    const words = /\\p{L}{3,}/u;
    const found = [];
    for (const element of document.querySelectorAll(own)) {
      if (element.closest(foreign) || !element.checkVisibility()) continue;
      for (const node of element.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE) continue;
        const rest = node.textContent.replace(/⟦[^⟧]*⟧/g, '').trim();
        if (words.test(rest) && !/⟦/.test(rest)) found.push(`${element.tagName} ${element.className}: ${rest}`);
      }
    }
    for (const name of ['aria-label', 'title', 'alt']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        const text = element.getAttribute(name);
        if (words.test(text) && !text.includes('⟦') && !element.closest(foreign)) found.push(`${name}: ${text}`);
      }
    }
    return [...new Set(found)];
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
      const id = crypto.randomUUID();
      await post('/alerts', { id, instrument, note: 'Far away',
        condition: { price: 'last', crosses: 'above', level: '99000000' } });
      await post('/alerts', { id: crypto.randomUUID(), instrument, repeat: { cooldown: '1h' },
        condition: { change: { price: 'last', percent: '5', within: '1h' } } });
      await post('/channels', { kind: 'webhook', name: 'mine', settings: { url: 'https://example.org/hook' } });
      await post(`/alerts/${id}/test-fire`, {});
      const portfolio = await post('/portfolios', { name: 'Savings', base: 'USD' });
      await post(`/portfolios/${portfolio.id}/wallets`, { name: 'main' });
      await post(`/portfolios/${portfolio.id}/transactions`, { kind: 'buy', time: '2026-01-31T00:00:00Z',
        wallet: 'main', asset: 'BTC', amount: '0.5', counter_asset: 'USD', counter_amount: '30000' });
      const { path: shared } = await post(`/portfolios/${portfolio.id}/shares`, { days: 30 });
      return { id: portfolio.id, shared };
    })().then(done, (error) => done({ error: String(error) }));
"""
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
      .then(({ items }) => done(items.length > 0 && items[0].closed && start > items[0].start), () => done(false));
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


class Page(unittest.TestCase):
    """A browser for each test."""

    maxDiff = None

    people = set()

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
        def is_clicked():
            element = find(self.driver, selector)
            self.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
            element.click()
            return True

        self.wait(is_clicked, f"a click on {selector}")

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

    def fill(self):
        """Something of everything that a user may have: the portfolio's id, and the path that shares it."""
        made = self.driver.execute_async_script(FILL, INSTRUMENT)
        self.assertIn("id", made, made.get("error"))
        return made

    def look(self, views, prefix, check=lambda view: None, shapes=browser.SHAPES):
        """Each view in each shape: audited, kept, without a word in the console."""
        for width, height, scheme in shapes:
            shape(self.driver, width, height, scheme)
            for view in views:
                go(self.driver, view)
                self.wait(lambda: state(self.driver) == "live", "a live connection")
                name = view.split("?")[0].strip("/").replace("/", "-").replace(":", "-") or "home"
                keep(self.driver, f"{prefix}-{name[:60]}-{width}-{scheme}")
                self.audit(f"{view} at {width}, {scheme}")
                check(view)
                self.assertEqual(complaints(self.driver), [], view)
