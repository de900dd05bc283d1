"""What the page's worker keeps, and what is shown where the server is silent, or somebody else answers for it."""

import unittest

import browser
from browser import block, find, go, has_charts, state, text
from devtools import Devtools
from page import INSTRUMENT, PATIENT, SYMBOL, Page

# The text of a file that is kept; null for none.
KEPT = "keptFile(%r).then((file) => file?.text())"
# How many versions are kept, or were begun to be.
VERSIONS = "versions().then(({ length }) => length)"
# Takes over what the server has now; what was in the way, else "kept".
KEEP = "keepAll(['/app/main.js']).then(() => 'kept', (error) => error.message)"
KEEP_LITTLE = KEEP.replace("])", "], true)")
# A version that was begun to be kept, by a worker that ended.
BEGUN = """
    caches.open('bitpal-shell-99').then((cache) => cache.put('/app/main.js', new Response('// newer'))).then(() => 1)
"""
# There is no room for one file.
FULL = """
    const put = Cache.prototype.put;
    Cache.prototype.put = async function (path, response) {
      if (path === '/app/newer.js') throw new DOMException('it is full', 'QuotaExceededError');
      return put.call(this, path, response);
    };
    void 0
"""
# A module that only the version has that is kept now, and what a page has of it.
ADD = """
    newest().then((name) => caches.open(name)).then((cache) => cache.put('/app/only.js', new Response(
      'export const version = "former"', { headers: { 'Content-Type': 'text/javascript' } }))).then(() => 1)
"""
ADDED = """
    const [done] = arguments;
    import('/app/only.js').then(({ version }) => done(version), (error) => done(String(error)));
"""
# The worker's network: some paths have an answer of the test's own, a status and a text.
ANSWERS = """
    self.fetched ??= self.fetch;
    self.fetch = async (request) => {
      const answer = (%s)[new URL(request.url ?? request, location.href).pathname];
      if (!answer) return fetched(request);
      const [status, text, type] = answer;
      return new Response(text, { status, headers: { "Content-Type": type ?? "text/javascript" } });
    };
    void 0
"""
DOOR = "<!doctype html><title>Hotel</title><h1>Please log in</h1>"
# The same page for whatever is asked.
HOTEL = f"void (self.fetch = async () => new Response('{DOOR}', {{ headers: {{ 'Content-Type': 'text/html' }} }}))"
GONE = "void (self.fetch = async () => new Response('', { status: 503 }))"
MUTE = "void (self.fetch = () => new Promise(() => {}))"
# The page's network: somebody else answers, with a status, what is asked of the API.
ELSEWHERE = """
    const fetched = window.fetch;
    window.fetch = async (address, options) => !String(address).startsWith("/v1/") ? fetched(address, options)
      : new Response("<h1>Please log in</h1>", { status: %d, headers: { "Content-Type": "text/html" } });
"""
# A server that takes every question and every connection, and never says a word.
SILENCE = """
    const fetched = window.fetch;
    window.fetch = async (address, options) => !String(address).startsWith("/v1/") ? fetched(address, options)
      : new Promise((_, fail) => options.signal.addEventListener("abort", () => fail(options.signal.reason)));
    window.WebSocket = class {
      static OPEN = 1;
      readyState = 0;
      close() {}
    };
"""


class Worker(Page):
    """The page without a server that answers."""

    def test_an_answer_of_somebody_else_is_an_outage(self):
        self.sign_up("walter")
        self.fill()
        go(self.driver, "/portfolio")
        self.wait(lambda: "Savings" in find(self.driver, "main").text, "the portfolio")
        kept = "return localStorage.getItem('bitpal.last./portfolios')"
        before = self.driver.execute_script(kept)
        self.assertIn("Savings", before)
        for status in [200, 401, 403]:
            added = self.driver.execute_cdp_cmd(
                "Page.addScriptToEvaluateOnNewDocument", {"source": ELSEWHERE % status})
            go(self.driver, "/portfolio")
            self.assertIn("Savings", find(self.driver, "main").text, status)
            self.assertTrue(find(self.driver, ".account-link"), status)
            self.assertEqual(self.driver.execute_script(kept), before)
            go(self.driver, "/alerts")
            self.assertIn("server cannot be reached", find(self.driver, "main").text, status)
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)

    def test_the_page_of_somebody_else_is_not_kept(self):
        worker, tools = self.controlled()
        tools.evaluate(worker, HOTEL)
        self.assertNotEqual(tools.evaluate(worker, KEEP), "kept")
        self.driver.get("about:blank")
        self.driver.get(browser.URL)
        self.wait(lambda: text(self.driver, "h1") == "Please log in", "the way into that network")
        tools.evaluate(worker, GONE)
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.assertIn(SYMBOL, find(self.driver, "main h1").text)
        # Somebody who lets the page through, and none of its files.
        tools.evaluate(worker,
            ANSWERS % "new Proxy({}, { get: (_, path) => path !== '/' && [200, '<h1>', 'text/html'] })")
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.assertIn(SYMBOL, find(self.driver, "main h1").text)

    def test_a_version_is_kept_whole_or_not_at_all(self):
        worker, tools = self.controlled()
        self.assertEqual(tools.evaluate(worker, KEEP), "kept")
        newer = "'/app/main.js': [200, 'import \"./dom.js\"; import \"./newer.js\"; // newer'], "
        tools.evaluate(worker, ANSWERS % ("{ %s '/app/newer.js': [503, ''] }" % newer))
        self.driver.get(browser.URL)
        self.assertEqual(tools.evaluate(worker, KEEP), "/app/newer.js")
        self.assertNotIn("// newer", tools.evaluate(worker, KEPT % "/app/main.js"))
        tools.evaluate(worker, ANSWERS % ("{ %s '/app/newer.js': [200, '// all of it'] }" % newer))
        self.assertEqual(tools.evaluate(worker, KEEP), "kept")
        self.assertIn("// newer", tools.evaluate(worker, KEPT % "/app/main.js"))
        self.assertEqual(tools.evaluate(worker, KEPT % "/app/newer.js"), "// all of it")
        self.assertIsNone(tools.evaluate(worker, KEPT % "/app/search.js"), "what the newer one does not have")

    def test_a_version_that_does_not_fit_leaves_the_former_one(self):
        worker, tools = self.controlled()
        tools.evaluate(worker, FULL)
        tools.evaluate(worker, ANSWERS % ("{ '/app/main.js': [200, 'import \"./dom.js\"; import \"./newer.js\"; // newer'],"
            " '/app/newer.js': [200, '// all of it'] }"))
        self.assertEqual(tools.evaluate(worker, KEEP), "it is full")
        self.assertNotIn("// newer", tools.evaluate(worker, KEPT % "/app/main.js"))
        self.assertTrue(tools.evaluate(worker, KEPT % "/app/search.js"))
        self.assertEqual(tools.evaluate(worker, VERSIONS), 1)

    def test_a_version_that_was_only_begun_is_not_shown(self):
        worker, tools = self.controlled()
        tools.evaluate(worker, BEGUN)
        self.assertNotIn("// newer", tools.evaluate(worker, KEPT % "/app/main.js"))
        tools.evaluate(worker, ANSWERS % "{ '/app/main.js': [200, '// newest'] }")
        self.assertEqual(tools.evaluate(worker, KEEP), "kept")
        self.assertEqual(tools.evaluate(worker, KEPT % "/app/main.js"), "// newest")
        self.assertEqual(tools.evaluate(worker, VERSIONS), 1)

    def test_where_data_are_dear_nothing_is_forgotten_of_the_same_version(self):
        worker, tools = self.controlled()
        self.assertEqual(tools.evaluate(worker, KEEP_LITTLE), "kept")
        self.assertTrue(tools.evaluate(worker, KEPT % "/app/search.js"))
        tools.evaluate(worker, ANSWERS % "{ '/app/main.js': [200, '// newer'] }")
        self.assertEqual(tools.evaluate(worker, KEEP_LITTLE), "kept")
        self.assertEqual(tools.evaluate(worker, KEPT % "/app/main.js"), "// newer")
        self.assertIsNone(tools.evaluate(worker, KEPT % "/app/search.js"), "what is of the former one")

    def test_a_page_stays_of_the_version_that_it_was_given_of(self):
        worker, tools = self.controlled()
        tools.evaluate(worker, ADD)
        tools.evaluate(worker, ANSWERS % "{}")
        tools.evaluate(worker, GONE)
        turns = tools.evaluate(worker, "turns")
        go(self.driver, "/about")
        self.wait(lambda: tools.evaluate(worker, "turns") > turns, "that the page would be kept")
        tools.evaluate(worker, ANSWERS % "{ '/app/main.js': [200, '// newer'] }")
        self.assertEqual(tools.evaluate(worker, KEEP), "kept")
        self.assertIsNone(tools.evaluate(worker, KEPT % "/app/only.js"))
        # A browser ends a worker that has nothing to do.
        page = tools.attach("page", browser.URL)
        tools.call("ServiceWorker.enable", page)
        tools.call("ServiceWorker.stopAllWorkers", page)
        tools.event("ServiceWorker.workerVersionUpdated", lambda told: next(
            (True for one in told["versions"] if one["runningStatus"] == "stopped"), None))
        self.assertEqual(self.driver.execute_async_script(ADDED), "former")
        # That question has started the worker again; its new page is to come from the network, however slow that is.
        worker = self.wait(lambda: tools.attach("service_worker", browser.URL), "the worker")
        tools.evaluate(worker, PATIENT)
        go(self.driver, "/")
        # The former one goes before the one that is written now takes its place.
        kept = lambda: tools.evaluate(worker, KEPT % "/app/main.js") or "// newer"
        self.wait(lambda: "// newer" not in kept() and tools.evaluate(worker, VERSIONS) == 1,
            "the end of the former versions")

    def test_modules_that_do_not_fit_say_so(self):
        worker, tools = self.controlled()
        tools.evaluate(worker, PATIENT)
        self.driver.execute_script("localStorage.setItem('bitpal.settings', JSON.stringify({ locale: 'de-AT' }))")
        newer = "{ '/app/main.js': [200, 'import { newest } from \"./dom.js\";'] }"
        for fault in [newer, "{ '/app/main.js': [404, ''] }"]:
            tools.evaluate(worker, ANSWERS % fault)
            self.driver.get("about:blank")
            self.driver.get(browser.URL)
            self.wait(lambda: text(self.driver, "#app h1") == "Das hat nicht geklappt", "words for what went wrong")
            self.assertEqual(find(self.driver, "#app section").get_attribute("lang"), "de")
            tools.evaluate(worker, ANSWERS % "{}")
            self.click("#app button")
            self.wait(lambda: find(self.driver, "main .view"), "the page")

    def test_a_silent_server_is_not_waited_for(self):
        self.sign_up("wilma")
        self.make_list("Majors", [INSTRUMENT])
        go(self.driver, "/")
        self.wait(self.price, "the list")
        worker, tools = self.controlled()
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SILENCE})
        tools.evaluate(worker, MUTE)
        go(self.driver, "/")
        self.assertTrue(find(self.driver, ".account-link"))
        self.wait(self.price, "the last price")
        self.wait(lambda: state(self.driver) in ("reconnecting", "error"), "that nothing is live")
        self.assertTrue(find(self.driver, ".banner").is_displayed())

    @unittest.skipUnless(has_charts(), "the chart library is not there")
    def test_charts_without_a_server(self):
        worker, tools = self.controlled()
        tools.evaluate(worker, GONE)
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: find(self.driver, ".chart-canvas canvas"), "a chart by the library that is kept")
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": True})
        block(self.driver, "*" + browser.CHARTS)
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: "server cannot be reached" in text(self.driver, ".chart"), "why there is no chart")
        block(self.driver)
        self.click(".chart button")
        self.wait(lambda: find(self.driver, ".chart-canvas canvas"), "the chart")

    def controlled(self):
        """A page that its worker keeps whole, and the worker's session."""
        go(self.driver, "/")
        tools = Devtools(self.driver)
        self.addCleanup(tools.close)
        worker = self.wait(lambda: tools.attach("service_worker", browser.URL), "the worker")
        self.wait(lambda: tools.evaluate(worker, KEPT % "/app/search.js"), "the shell is kept")
        self.wait(lambda: self.driver.execute_script("return navigator.serviceWorker.controller !== null"), "its page")
        return worker, tools


if __name__ == "__main__":
    unittest.main(verbosity=2)
