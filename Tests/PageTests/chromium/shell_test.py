"""The page as an app: it installs, and opens without a network."""

import datetime
import json
import pathlib
import re
import unittest

from selenium.webdriver.common.by import By

import browser
from browser import block, find, go, network, said, state, text
from devtools import Devtools
from page import INSTRUMENT, IS_KEPT, PATIENT, SYMBOL, Page

WEB = pathlib.Path(__file__).parents[3] / "web"

KEPT = """
    const done = arguments[0];
    caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
      .then((all) => done(all.flat().map((key) => new URL(key.url).pathname)));
"""
# What is asked of the API is answered here, where `answers` has an answer to it.
ANSWERS = """
    const fetched = window.fetch;
    window.fetch = async (address, options) => {
      const answer = (%s)[String(address)];
      if (!answer) return fetched(address, options);
      const [status, body] = await answer(() => fetched(address, options).then((one) => one.json()));
      return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
    };
"""
UNAVAILABLE = "async () => [503, { code: 'unavailable' }]"
OPERATOR = """async (asked) => {
    const { user } = await asked();
    return [200, { user: { ...user, role: "operator" } }];
  }"""
# A server that can be gone; seconds of a countdown pass at once, and minutes when there is hurry.
OUTAGE = """
    const [Socket, every] = [window.WebSocket, window.setInterval];
    window.sockets = [];
    window.WebSocket = class extends Socket {
      constructor(url) {
        super(window.isGone ? url.replace("/v1/stream", "/v1/nowhere") : url);
        window.sockets.push(this);
      }
    };
    window.setInterval = (run, wait) => every(run, wait === 1_000 || window.isHurried ? 5 : wait);
"""
# Which errors the page's questions end in: one that it cannot ask, one that is refused, one that nobody waits for.
ERRORS = """
    const [done] = arguments;
    import('/app/api.js').then(async ({ get }) => {
      const leave = new AbortController();
      const asked = [get('/tickers', { signal: {} }), get('/nowhere'), get('/tickers', { signal: leave.signal }),
        get('/tickers', { signal: AbortSignal.abort() })];
      leave.abort();
      const ends = await Promise.allSettled(asked);
      done(ends.map(({ reason }) => (reason instanceof DOMException ? reason.name : reason?.constructor.name)));
    });
"""
# What the icon was told is noted, and what fired.
NOTE = """
    window.noted = [];
    addEventListener("bitpal:firing", () => noted.push("fired"));
    navigator.setAppBadge = async (count) => noted.push(count);
    navigator.clearAppBadge = async () => noted.push("seen");
    // What fired before is known with the first snapshot: what fires from then on is new.
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (message) {
      const { id, channel } = JSON.parse(message);
      if (channel === "alerts") this.addEventListener("message", ({ data }) => {
        window.isFollowed ||= JSON.parse(data).id === id;
      });
      send.call(this, message);
    };
"""
HIDE = """
    Object.defineProperty(document, "hidden", { configurable: true, value: arguments[0] });
    document.dispatchEvent(new Event("visibilitychange"));
"""
STATUS = json.dumps({"troubles": [], "services": [], "books": {}, "queues": [], "feeds": [{
    "venue": "bitmex", "state": "live", "books_live": 1, "books_total": 1, "messages_received": 7,
    "malformed_messages": 0, "resyncs": 0, "reconnects": 0, "detail": "a long word on how it is " * 20}]})


class Shell(Page):
    """Its manifest, its worker and what both are for."""

    def test_it_can_be_installed(self):
        go(self.driver, "/")
        self.wait(lambda: self.driver.execute_async_script(IS_KEPT), "the worker")
        manifest = self.driver.execute_cdp_cmd("Page.getAppManifest", {})
        self.assertEqual(manifest["errors"], [])
        self.assertEqual(json.loads(manifest["data"])["start_url"], "/")
        found = self.driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})
        self.assertEqual(found["installabilityErrors"], [])

    def test_every_view_opens_without_a_network(self):
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: text(self.driver, ".bids tbody tr .price"), "a book")
        self.wait(lambda: self.driver.execute_async_script(IS_KEPT), "the shell is kept")
        network(self.driver, False)
        for route in [f"/instrument/{INSTRUMENT}", "/settings", "/about", "/"]:
            go(self.driver, route)
            self.wait(lambda: state(self.driver) == "offline", "Offline")
            self.assertTrue(find(self.driver, "main h1").text, route)
            self.audit(f"{route} without a network")
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.assertIn(SYMBOL, find(self.driver, "main h1").text)
        network(self.driver, True)
        self.wait(lambda: state(self.driver) == "live", "Live again")

    def test_every_module_is_kept_before_it_is_needed(self):
        go(self.driver, "/")
        self.wait(lambda: self.driver.execute_async_script(IS_KEPT), "the shell is kept")
        named = {"/" + str((file.parent / name).resolve().relative_to(WEB))
            for file in (WEB / "app").rglob("*.js")
            for name in re.findall(r'import\("(\.[^"]+)"\)', file.read_text())}
        self.assertIn("/app/portfolio/summary.js", named)
        self.wait(lambda: named <= set(self.driver.execute_async_script(KEPT)), "every module that one loads later")

    def test_a_proxy_without_its_server_leaves_what_is_kept(self):
        worker, tools = self.controlled()
        tools.evaluate(worker, "void (self.fetch = async () => new Response('', { status: 502 }))")
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.assertIn(SYMBOL, find(self.driver, "main h1").text)
        tools.evaluate(worker, "void (self.fetch = () => Promise.reject(new TypeError('gone')))")
        go(self.driver, "/")
        self.driver.find_element(By.TAG_NAME, "body").send_keys("/")
        self.wait(lambda: find(self.driver, "dialog[open] input[type=search]"), "the search, which nobody used before")

    def test_a_module_that_does_not_come_is_a_server_that_does_not_answer(self):
        self.sign_up("moira")
        self.fill()
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": True})
        block(self.driver, "*/app/search.js", "*/app/portfolio/*")
        go(self.driver, "/portfolio")
        words = "server cannot be reached"
        self.assertIn(words, find(self.driver, "main").text)
        self.driver.find_element(By.TAG_NAME, "body").send_keys("/")
        self.wait(lambda: words in "".join(said(self.driver, "bad")), "the words for the search")

    def test_a_newer_module_builds_the_page_anew_once(self):
        worker, tools = self.controlled()
        tools.evaluate(worker, PATIENT)
        tools.evaluate(worker, """void (self.fetch = ((fetched) => async (request) =>
            new URL(request.url ?? request, location.href).pathname !== "/app/search.js" ? fetched(request)
              : new Response('import { newest } from "./api.js";', { headers: { "Content-Type": "text/javascript" } })
            )(self.fetch))""")
        go(self.driver, "/")
        self.driver.execute_script("window.isOld = true")
        search = lambda: self.driver.find_element(By.TAG_NAME, "body").send_keys("/")
        search()
        self.wait(lambda: not self.driver.execute_script("return window.isOld"), "the page anew")
        self.wait(lambda: find(self.driver, "main .view") and not find(self.driver, "main[aria-busy]"), "its view")
        search()
        self.wait(lambda: said(self.driver, "bad"), "what went wrong, instead of once more")

    def test_a_server_in_trouble_signs_nobody_out(self):
        self.sign_up("nora")
        go(self.driver, "/portfolio")
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument",
            {"source": ANSWERS % ("{ '/v1/session': %s }" % UNAVAILABLE)})
        go(self.driver, "/portfolio")
        self.assertTrue(find(self.driver, ".account-link"))
        self.assertIn("#/portfolio", self.driver.current_url)

    def test_what_was_known_of_an_ended_session_goes(self):
        self.sign_up("olga")
        go(self.driver, "/portfolio")
        kept = "return Object.keys(localStorage).filter((key) => /last\\.(account|.portfolios)$/.test(key)).length"
        self.assertEqual(self.driver.execute_script(kept), 2)
        # Elsewhere, so to speak: the page hears nothing of it.
        self.call("POST", "/auth/sign-out-everywhere", {})
        go(self.driver, "/")
        self.wait(lambda: find(self.driver, ".header-account a[href='/#/sign-in']"), "nobody")
        self.assertEqual(self.driver.execute_script(kept), 0)

    def test_the_stream_is_tried_for_ever(self):
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": OUTAGE})
        go(self.driver, "/")
        self.wait(lambda: state(self.driver) == "live", "Live")
        self.lose()
        self.assertTrue(find(self.driver, ".connection button").is_displayed())
        self.driver.execute_script("isGone = false; document.dispatchEvent(new Event('visibilitychange'))")
        self.wait(lambda: state(self.driver) == "live", "Live as soon as somebody looks")
        self.driver.execute_script("isHurried = true")
        self.lose()
        count = self.driver.execute_script("return sockets.length")
        self.wait(lambda: self.driver.execute_script("return sockets.length > arguments[0] + 1", count), "more tries")
        self.assertEqual(state(self.driver), "error")
        self.driver.execute_script("isGone = false")
        self.wait(lambda: state(self.driver) == "live", "Live by itself")

    def test_only_what_comes_over_the_line_can_be_an_outage(self):
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "AbortSignal.any = undefined"})
        go(self.driver, "/")
        self.assertTrue(find(self.driver, "main tr.quote"), text(self.driver, "main"))
        self.assertEqual(self.driver.execute_async_script(ERRORS), ["TypeError", "ApiError", "AbortError", "AbortError"])

    def test_alerts_are_shown_as_the_account_wants(self):
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NOTE})
        self.sign_up("quentin")
        rule = self.call("POST", "/alerts", {"instrument": INSTRUMENT,
            "condition": {"price": "last", "crosses": "above", "level": "99000000"}})
        now = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=9)))
        clock = lambda hours: (now + datetime.timedelta(hours=hours)).strftime("%H:%M")
        now_quiet = {"from": clock(-2), "to": clock(2)}
        later_quiet = {"from": clock(2), "to": clock(-2)}
        for alerts, badges, hours, toasts, noted in [
            (False, True, None, 0, ["fired"]), (True, True, now_quiet, 0, [1, "fired"]),
            (True, False, later_quiet, 1, ["fired"]), (True, True, None, 1, [1, "fired"]),
        ]:
            self.call("PATCH", "/account/settings", {"time_zone": "Asia/Tokyo", "quiet_hours": hours,
                "notifications": {"alerts": alerts, "badges": badges}})
            go(self.driver, "/")
            self.wait(lambda: self.driver.execute_script("return window.isFollowed"), "what fired before")
            self.driver.execute_script(HIDE + "noted.length = 0", True)
            self.call("POST", f"/alerts/{rule['id']}/test-fire", {})
            self.wait(lambda: "fired" in self.driver.execute_script("return noted"), "the alert")
            self.assertEqual(self.driver.execute_script("return noted"), noted)
            self.assertEqual(len(said(self.driver, "good")), toasts)
        self.driver.execute_script(HIDE, False)
        self.assertEqual(self.driver.execute_script("return noted.at(-1)"), "seen")

    def test_the_status_stays_where_it_was_scrolled_to(self):
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "window.asked = 0;" + ANSWERS % (
            "{ '/v1/session': %s, '/v1/status': async () => (asked += 1, [200, %s]) }" % (OPERATOR, STATUS))})
        self.sign_up("rita")
        browser.shape(self.driver, 700, 700, "light")
        go(self.driver, "/status")
        self.driver.execute_script("const region = document.querySelector('.scroll:not([hidden])');"
            "region.focus(); region.scrollLeft = 40; window.before = asked;"
            "window.row = region.querySelector('tbody tr')")
        self.wait(lambda: self.driver.execute_script("return asked > before && !row.isConnected"), "newer rows")
        self.assertTrue(text(self.driver, "main td [lang=en]"))
        self.assertEqual(self.driver.execute_script("return [document.activeElement.className,"
            "document.activeElement.scrollLeft]"), ["scroll", 40])

    def test_operators_see_all_users(self):
        page = lambda name, cursor: "async () => [200, %s]" % json.dumps({"next": cursor, "items": [{"id": name,
            "email": f"{name}@example.org", "role": "user", "created": "2026-01-31T00:00:00Z", "disabled": False}]})
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": ANSWERS % (
            "{ '/v1/session': %s, '/v1/operator/users?limit=500': %s, '/v1/operator/users?limit=500&cursor=2': %s }"
            % (OPERATOR, page("one", "2"), page("two", None)))})
        self.sign_up("sonja")
        go(self.driver, "/settings/people")
        self.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, ".settings .rule")) == 2, "both pages of users")

    def lose(self):
        """Takes the server away until the page says Error."""
        self.driver.execute_script("isGone = true; sockets.at(-1).dispatchEvent(new CloseEvent('close'))")
        self.wait(lambda: state(self.driver) == "error", "Error")

    def controlled(self):
        """A page that its worker keeps whole, and the worker's session."""
        go(self.driver, "/")
        self.wait(lambda: self.driver.execute_async_script(IS_KEPT), "the shell is kept")
        tools = Devtools(self.driver)
        self.addCleanup(tools.close)
        go(self.driver, f"/instrument/{INSTRUMENT}")
        return self.wait(lambda: tools.attach("service_worker", browser.URL), "the worker"), tools


if __name__ == "__main__":
    unittest.main(verbosity=2)
