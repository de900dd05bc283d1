"""Alerts together, what one of them did and why, and a channel that is tried.

The installation is that of page_test.py.
"""

import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import complaints, find, go, said, text
from page import INSTRUMENT, Page

# What the dialog says: why, the facts by their names, and what happened, newest first.
STORY = """
    const dialog = document.querySelector('dialog[open]');
    const why = dialog?.querySelector('[lang=en]');
    const facts = [...(dialog?.querySelectorAll('.facts > div') ?? [])]
      .map((one) => [one.querySelector('dt').textContent, one.querySelector('dd').textContent]);
    return why && { why: why.textContent, facts: Object.fromEntries(facts),
      events: [...dialog.querySelectorAll('ul li')].map((one) => [one.querySelector('.tag').textContent,
        one.querySelector('time').dateTime, one.lastChild.textContent]) };
"""


class Rules(Page):
    """Somebody with several alerts."""

    def rule(self, level, **parts):
        return self.call("POST", "/alerts", {"instrument": INSTRUMENT,
            "condition": {"price": "last", "crosses": "above", "level": level}, **parts})["id"]

    def tags(self):
        """The state of each rule, as the list says it."""
        return {row.get_attribute("data-rule"): row.find_element(By.CSS_SELECTOR, ".tag").text
            for row in self.driver.find_elements(By.CSS_SELECTOR, ".rules .rule")}

    def states(self):
        return {rule["id"]: rule["state"] for rule in self.call("GET", "/alerts")["items"]}

    def test_those_that_are_chosen_are_switched_off_and_on(self):
        self.sign_up("berta")
        one, two, three = (self.rule(f"9900000{n}") for n in range(3))
        go(self.driver, "/alerts")
        words = lambda: [button.text for button in self.driver.find_elements(By.CSS_SELECTOR, ".bulk button")]
        self.assertEqual(words(), ["Select all"])
        for rule in (one, three):
            self.click(f"[data-rule='{rule}'] input[type=checkbox]")
        self.assertEqual(words(), ["Select all", "Enable", "Disable", "Delete"])
        self.assertIn("2 selected", find(self.driver, ".bulk").text)
        self.press_button(".bulk", "Disable")
        wanted = {one: "disabled", two: "armed", three: "disabled"}
        self.wait(lambda: self.tags() == wanted, "two that are off")
        self.assertEqual(self.states(), wanted)
        # They are still chosen: what was done is undone by one press.
        self.press_button(".bulk", "Enable")
        self.wait(lambda: set(self.tags().values()) == {"armed"}, "all of them on")
        self.assertEqual(set(self.states().values()), {"armed"})
        self.press_button(".bulk", "Select all")
        self.assertIn("3 selected", find(self.driver, ".bulk").text)
        self.press_button(".bulk", "Disable")
        self.wait(lambda: set(self.tags().values()) == {"disabled"}, "all of them off")
        self.assertEqual(set(self.states().values()), {"disabled"})
        self.press_button(".bulk", "Select all")
        self.assertEqual(words(), ["Select all"])
        self.assertEqual(complaints(self.driver), [])

    def test_what_it_did_and_why_is_told(self):
        self.sign_up("bea")
        rule = self.rule("99000000", note="Far away")
        self.call("POST", f"/alerts/{rule}/disable")
        self.call("POST", f"/alerts/{rule}/enable")
        go(self.driver, "/alerts")
        self.press_button(f"[data-rule='{rule}']", "Test")
        history = lambda: self.call("GET", f"/alerts/{rule}/history")["items"]
        self.wait(lambda: history()[0]["kind"] == "tested", "that it was tested")
        proven = "nothing has passed its level since it was made"
        # A value alone may be one that was stored before the market was heard.
        self.wait(lambda: self.call("GET", f"/alerts/{rule}/explain")["why"].startswith(proven), "an evaluation")
        self.press_button(f"[data-rule='{rule}']", "Why?")
        story = self.wait(lambda: self.driver.execute_script(STORY), "the story")
        self.assertTrue(story["why"].startswith(proven), story["why"])
        facts = story["facts"]
        self.assertEqual(facts["State"], "armed")
        self.assertRegex(facts["Last value"], r"^[0-9]{2},[0-9]{3}(\.[0-9]+)?$")
        self.assertLessEqual({"Time of that value", "As of"}, set(facts))
        events = history()
        self.assertEqual([event["kind"] for event in events], ["tested", "enabled", "disabled", "created"])
        self.assertEqual([kind for kind, *_ in story["events"]], ["tested", "enabled", "disabled", "made"])
        self.assertEqual([time for _, time, _ in story["events"]], [event["time"] for event in events])
        self.assertIn("test", story["events"][0][2])
        self.audit("the story of an alert")
        self.press(Keys.ESCAPE)
        # The same is told of what fired.
        go(self.driver, "/alerts/firings")
        self.press_button(".firing", "Why?")
        self.wait(lambda: self.driver.execute_script(STORY), "the story")
        self.assertEqual(self.driver.execute_script(STORY)["events"], story["events"])
        self.assertEqual(complaints(self.driver), [])

    def test_a_channel_is_tried_by_a_button(self):
        self.sign_up("betty")
        for name in ("other", "mine"):
            self.call("POST", "/channels", {"kind": "webhook", "name": name,
                "settings": {"url": "https://example.org/hook"}})
        go(self.driver, "/alerts/channels")
        self.assertEqual(self.call("GET", "/deliveries")["items"], [])
        number = next(place for place, row in enumerate(
            self.driver.find_elements(By.CSS_SELECTOR, ".rules .rule"), 1) if "mine" in row.text)
        self.press_button(f".rules .rule:nth-child({number})", "Test")
        words = "A test is on its way to mine."
        self.wait(lambda: words in said(self.driver, "good"), "that it is on its way")
        [sent] = self.call("GET", "/deliveries")["items"]
        self.assertEqual([sent["channel"], sent["subject"]], ["mine", "test"])
        # What becomes of it is among the deliveries.
        go(self.driver, "/alerts/deliveries")
        row = self.wait(lambda: find(self.driver, ".rules .rule"), "the delivery").text
        self.assertIn("test", row)
        self.assertIn("mine", row)


if __name__ == "__main__":
    unittest.main(verbosity=2)
