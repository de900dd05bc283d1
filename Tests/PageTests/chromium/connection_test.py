"""The state of the connection in words: what is counted down, and what can be done about it.

The installation is that of page_test.py.
"""

import unittest

from browser import find, go, state, text
from page import Page
from still import before

# A server that can be gone, and a clock whose seconds pass when a test says so.
CLOCK = """
    const [Socket, every, stop] = [window.WebSocket, window.setInterval, window.clearInterval];
    window.sockets = [];
    window.WebSocket = class extends Socket {
      constructor(url) {
        super(window.isGone ? url.replace("/v1/stream", "/v1/nowhere") : url);
        window.sockets.push(this);
      }
    };
    const clocks = new Map();
    window.setInterval = (run, wait, ...rest) => {
      if (wait !== 1_000) return every(run, wait, ...rest);
      const id = every(() => {}, 1e9);
      clocks.set(id, run);
      return id;
    };
    window.clearInterval = (id) => {
      clocks.delete(id);
      stop(id);
    };
    window.pass = () => [...clocks.values()].forEach((run) => run());
"""
# Every word about the connection, and every one that is read out.
NOTE = """
    window.words = [];
    window.spoken = [];
    const note = () => {
      const places = { words: '.connection-words', spoken: '.connection [role=status]' };
      for (const [name, place] of Object.entries(places)) {
        const text = document.querySelector(place).textContent;
        if (text && window[name].at(-1) !== text) window[name].push(text);
      }
    };
    note();
    new MutationObserver(note).observe(document.querySelector('.connection'),
      { subtree: true, childList: true });
"""
# Seconds before each try, and tries until somebody has to decide.
WAITS = [1, 2, 4, 8, 15, 30, 30, 30]


class Connection(Page):
    """Somebody whose server goes away."""

    def test_seconds_are_counted_and_then_somebody_tries_again(self):
        before(self.driver, CLOCK)
        go(self.driver, "/")
        self.wait_for_live()
        self.assertEqual(self.shown(), "Live")
        self.assertFalse(find(self.driver, ".connection button").is_displayed())
        self.driver.execute_script(NOTE)
        self.driver.execute_script("isGone = true; sockets.at(-1).dispatchEvent(new CloseEvent('close'))")
        colour = self.colour()
        for wait in WAITS:
            self.wait(lambda: self.shown() == f"Reconnecting in {wait} s", f"{wait} seconds")
            self.assertEqual(state(self.driver), "reconnecting")
            self.assertFalse(find(self.driver, ".connection button").is_displayed())
            for left in range(wait - 1, 0, -1):
                self.driver.execute_script("window.pass()")
                self.assertEqual(self.shown(), f"Reconnecting in {left} s")
            self.driver.execute_script("window.pass()")
        self.wait(lambda: self.shown() == "Error", "Error, after all these tries")
        self.assertNotEqual(self.colour(), colour)
        words = self.driver.execute_script("return window.words")
        counted = [f"Reconnecting in {left} s" for wait in WAITS for left in range(wait, 0, -1)]
        self.assertEqual([one for one in words if "in" in one.split()], counted)
        # Who hears the page is told of each state, not of each second.
        spoken = self.driver.execute_script("return window.spoken")
        self.assertEqual(spoken, ["Live", "Reconnecting", "Error"])
        self.assertEqual(text(self.driver, ".connection button"), "Try again")
        # Pressed while the server is still gone it begins from the first wait.
        tries = self.driver.execute_script("return sockets.length")
        self.click(".connection button")
        self.wait(lambda: self.driver.execute_script("return sockets.length") > tries, "a try at once")
        self.wait(lambda: self.shown() == "Reconnecting in 1 s", "the first wait again")
        self.driver.execute_script("isGone = false; window.pass()")
        self.wait_for_live()
        self.assertEqual(self.shown(), "Live")
        self.assertFalse(find(self.driver, ".connection button").is_displayed())
        self.wait(self.price, "a price")
        first = self.price()
        self.wait(lambda: self.price() != first, "a market that moves again")

    def wait_for_live(self):
        def is_live():
            # A try that took too long is made again after seconds that pass only here.
            if state(self.driver) == "reconnecting":
                self.driver.execute_script("window.pass()")
            return state(self.driver) == "live"

        self.wait(is_live, "Live")

    def shown(self):
        return text(self.driver, ".connection-words")

    def colour(self):
        return self.driver.execute_script(
            "return getComputedStyle(document.querySelector('.connection .dot')).backgroundColor")


if __name__ == "__main__":
    unittest.main(verbosity=2)
