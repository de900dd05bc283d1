"""Alerts, in Chromium: what the editor keeps, what is sent once, channels, and dialogs that are left."""

import base64
import hashlib
import hmac
import struct
import time
import unittest

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import block, complaints, find, go, said, text
from page import INSTRUMENT, PASSWORD, Page

# A delivery that was given up, until somebody sends it again.
GIVEN_UP = """
    const fetched = window.fetch;
    const row = { id: '0193a2c4-5b10-7f00-8a00-0000000000aa', channel: 'mine', kind: 'fired', subject: 'BTC',
      reason: '', rule: null, created: '2026-01-31T00:00:00Z', next: null, ended: null, digest: null, epoch: null,
      claims: 3, failures: 3, held: false };
    window.fetch = async (address, options) => {
      if (!/\\/v1\\/deliveries/.test(String(address))) return fetched(address, options);
      if (options?.method === 'POST') return Response.json({ ...row, state: 'waiting', last_error: null });
      return Response.json({ items: [{ ...row, state: 'dead', last_error: 'the host refused' }], next: null });
    };
"""
# The firings are asked for, and their answer is held back until `release()`.
OVERTAKEN = """
    const fetched = window.fetch;
    let isFirst = true;
    window.fetch = async (address, options) => {
      const isHeld = isFirst && /\\/v1\\/firings/.test(String(address));
      if (isHeld) isFirst = false;
      const answer = await fetched(address, options);
      if (!isHeld) return answer;
      // All of it is here already: who asked may lose patience meanwhile.
      const whole = new Response(await answer.text(), answer);
      await new Promise((done) => { window.release = done; });
      setTimeout(() => { window.isLate = true; });
      return whole;
    };
    dispatchEvent(new Event('bitpal:firing'));
"""
# What the stream tells is not heard: only this test says when something fired.
UNHEARD = "addEventListener('bitpal:firing', (event) => event.detail && event.stopImmediatePropagation(), true)"
# From now on such a question fails; that it did is known once its end was dealt with.
FAILING = """
    const answered = window.fetch;
    window.fetch = async (address, options) => {
      if (!/\\/v1\\/firings/.test(String(address))) return answered(address, options);
      setTimeout(() => { window.hasFailed = true; });
      throw new TypeError('Failed to fetch');
    };
    dispatchEvent(new Event('bitpal:firing'));
"""
VALUES = """
    const [done] = arguments;
    Promise.all([import('/app/forms.js'), import('/app/dom.js')]).then(([{ valuesOf }, { h }]) =>
      done(valuesOf(h('form', {}, h('input', { name: 'password', type: 'password', value: ' a b ' }),
        h('input', { name: 'note', type: 'text', value: ' a b ' })))));
"""
# By what each dialog is called, from the outer one to the inner one.
TITLES = """
    return [...document.querySelectorAll('dialog')].map((dialog) =>
      document.getElementById(dialog.getAttribute('aria-labelledby')).textContent);
"""


def code_of(secret):
    """The six digits of this moment (RFC 6238)."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    place = digest[-1] & 15
    return f"{(int.from_bytes(digest[place:place + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


class Alerts(Page):
    """Somebody with rules and channels."""

    def rule(self, condition, **parts):
        return self.call("POST", "/alerts", {"instrument": INSTRUMENT, "condition": condition, **parts})

    def channel(self, name, **parts):
        return self.call("POST", "/channels", {"kind": "webhook", "name": name,
            "settings": {"url": "https://example.org/hook"}, **parts})

    def edit(self, rule):
        """The editor of a rule, with all of it to be seen."""
        self.click(f"[data-rule='{rule['id']}'] .row button:nth-child(3)")
        self.click("dialog summary")

    def save(self):
        self.click("dialog button[type=submit]")

    def is_closed(self):
        return self.wait(lambda: not find(self.driver, "dialog"), "a dialog that is closed") is not None

    def error(self):
        return text(self.driver, "dialog .form-error")

    def test_what_the_editor_does_not_offer_is_kept(self):
        self.sign_up("olga")
        rules = [
            self.rule({"candle": {"interval": "1w", "close": "above", "level": "99000000"}}),
            self.rule({"candle": {"interval": "1s", "close": "above", "level": "99000000"}}),
            self.rule({"change": {"price": "last", "amount": "50000", "within": "1h"}},
                active={"hours": "08:00-22:00", "time_zone": "Asia/Tokyo"}),
        ]
        go(self.driver, "/alerts")
        for rule in rules:
            self.edit(rule)
            self.enter("note", "seen\ntwice")
            self.save()
            self.is_closed()
            kept = self.call("GET", f"/alerts/{rule['id']}")
            self.assertEqual(kept["note"], "seen\ntwice")
            self.assertEqual([kept["condition"], kept.get("active")], [rule["condition"], rule.get("active")])
        self.assertEqual(complaints(self.driver), [])

    def test_the_focus_stays_with_its_row(self):
        self.sign_up("ella")
        rules = [self.rule({"price": "last", "crosses": "above", "level": f"9900000{place}"}) for place in range(2)]
        go(self.driver, "/alerts")
        last = find(self.driver, ".rules li:last-child").get_attribute("data-rule")
        focused = lambda: self.driver.execute_script(
            "return document.activeElement.closest('[data-rule]')?.dataset.rule")
        press = lambda label: next(button for button in self.driver.find_elements(
            By.CSS_SELECTOR, f"[data-rule='{last}'] button") if button.text == label).send_keys(Keys.ENTER)
        press("Disable")
        self.wait(lambda: "Enable" in find(self.driver, f"[data-rule='{last}']").text, "the rule, disabled")
        self.assertEqual(focused(), last)
        # What another page does is shown when one comes back to this one.
        other = next(rule["id"] for rule in rules if rule["id"] != last)
        self.call("DELETE", f"/alerts/{other}")
        self.driver.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
        self.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, ".rules li")) == 1, "one rule less")
        self.assertEqual(focused(), last)

    def test_an_edit_does_not_undo_another(self):
        self.sign_up("edna")
        rule = self.rule({"price": "last", "crosses": "above", "level": "99000000"})
        go(self.driver, "/alerts")
        self.edit(rule)
        self.call("PATCH", f"/alerts/{rule['id']}", {"note": "from elsewhere"})
        self.save()
        self.wait(self.error, "that it was changed")
        self.assertEqual(self.call("GET", f"/alerts/{rule['id']}")["note"], "from elsewhere")

    def test_no_channel_is_not_all_of_them(self):
        self.sign_up("ruth")
        self.channel("one")
        self.channel("two")
        off = self.channel("off")
        self.call("POST", "/channels", {"kind": "email", "name": "letter", "settings": {"to": "x@example.org"}})
        self.call("PATCH", f"/channels/{off['id']}", {"enabled": False})
        rule = self.rule({"price": "last", "crosses": "above", "level": "99000000"}, channels=["one"])
        channels = lambda: self.call("GET", f"/alerts/{rule['id']}").get("channels")
        go(self.driver, "/alerts")
        block(self.driver, "*/v1/channels*")
        self.click(f"[data-rule='{rule['id']}'] .row button:nth-child(3)")
        self.wait(lambda: said(self.driver, "bad"), "that the channels are not known")
        self.assertIsNone(find(self.driver, "dialog"))
        block(self.driver)
        self.edit(rule)
        boxes = self.driver.find_elements(By.CSS_SELECTOR, "dialog [name^=channel-]")
        self.assertEqual([box.get_attribute("name") for box in boxes], ["channel-one", "channel-two"])
        self.click("dialog [name=channel-one]")
        self.save()
        told = "Choose at least one channel. To be told nothing, disable the alert."
        self.assertEqual(text(self.driver, "#channel-about"), told)
        self.wait(lambda: self.driver.switch_to.active_element.get_attribute("name") == "channel-one", "the focus there")
        self.assertEqual(channels(), ["one"])
        self.click("dialog [name=channel-two]")
        self.assertEqual(text(self.driver, "#channel-about"), "")
        self.save()
        self.is_closed()
        self.assertEqual(channels(), ["two"])

    def test_a_rule_whose_answer_was_lost_is_made_once(self):
        self.sign_up("nina")
        levels = lambda: [rule["condition"]["level"] for rule in self.call("GET", "/alerts")["items"]]
        for change, wanted in [("", ["99000000"]), ("1", ["99000000", "990000001"])]:
            go(self.driver, "/alerts")
            self.lose_answer("/alerts")
            self.click(".view-head .primary")
            self.enter("instrument", INSTRUMENT)
            self.enter("level", "99000000")
            self.save()
            self.wait(self.error, "that nobody answered")
            if change:
                self.enter("level", change)
            self.save()
            self.is_closed()
            self.assertEqual(sorted(levels()), wanted)

    def test_a_channel_whose_answer_was_lost_is_made_once_and_its_key_is_shown(self):
        self.sign_up("vera")
        self.call("PATCH", "/account/settings", {"locale": "de", "time_zone": "Europe/Berlin"})
        go(self.driver, "/alerts/channels")
        self.lose_answer("/channels")
        self.click(".empty .primary")
        self.choose("dialog [name=kind]", "Webhook")
        self.enter("name", "mine")
        self.enter("own-url", "https://example.org/hook")
        self.save()
        self.wait(self.error, "that nobody answered")
        self.save()
        self.wait(lambda: (text(self.driver, "dialog .secret") or "").startswith("whsec_"), "the key")
        self.press(Keys.ESCAPE)
        self.wait(lambda: find(self.driver, ".rule [data-state=usable]"), "the channel in the list")
        [made] = self.call("GET", "/channels")["items"]
        self.assertEqual([made["locale"], made["time_zone"]], ["de", "Europe/Berlin"])

    def test_a_mistyped_code_is_not_the_end(self):
        self.sign_up("edda")
        self.call("POST", "/channels", {"kind": "email", "name": "letter", "settings": {"to": "x@example.org"}})
        go(self.driver, "/alerts/channels")
        self.click(".rule .row button")
        self.enter("code", "1")
        self.save()
        self.wait(lambda: (text(self.driver, "dialog .field-about") or "").startswith(
            "This is not the code that was sent last"), "what is wrong with the code")
        self.click("dialog form .row button[type=button]")
        self.wait(lambda: (text(self.driver, "dialog form [role=status]") or "").startswith("Another code"),
            "another code")

    def test_a_channel_is_switched_off_and_on(self):
        self.sign_up("anna")
        self.channel("mine")
        go(self.driver, "/alerts/channels")
        self.click(".rule .row button:nth-of-type(2)")
        self.wait(lambda: find(self.driver, ".rule [data-state=disabled]"), "a channel that is off")
        self.click(".rule .row button")
        self.wait(lambda: find(self.driver, ".rule [data-state=usable]"), "a channel that is on")
        self.assertEqual(complaints(self.driver), [])

    def test_a_dialog_is_left_by_a_click_beside_it_alone(self):
        self.sign_up("ines")
        go(self.driver, "/alerts")
        self.click(".view-head .primary")
        field = self.wait(lambda: find(self.driver, "dialog [name=instrument]"), "the editor")
        hand = ActionChains(self.driver).click_and_hold(field).move_by_offset(-600, 0)
        hand.release().perform()
        self.assertIsNotNone(find(self.driver, "dialog"))
        self.click("dialog .with-suffix button")
        self.wait(lambda: find(self.driver, ".search-dialog"), "the search above the editor")
        self.assertEqual(self.driver.execute_script(TITLES), ["New alert", "Find an instrument"])
        self.press(Keys.ESCAPE)
        self.wait(lambda: not find(self.driver, ".search-dialog"), "the editor alone")
        ActionChains(self.driver).move_to_element_with_offset(field, -600, 0).click().perform()
        self.is_closed()
        self.click(".view-head .primary")
        self.wait(lambda: find(self.driver, "dialog"), "the editor again")
        self.driver.execute_script("location.hash = '/portfolio'")
        self.is_closed()

    def test_recovery_codes_that_are_left_count(self):
        self.sign_up("tara")
        go(self.driver, "/settings/security")
        second = "main .panel:nth-child(3) button"
        self.assertEqual(self.wait(lambda: text(self.driver, second), "the second factor"), "Set up")
        self.click(second)
        self.enter("password", PASSWORD)
        self.save()
        secret = self.wait(lambda: text(self.driver, "dialog code.secret"), "the secret")
        self.enter("code", code_of(secret))
        self.save()
        self.wait(lambda: find(self.driver, "dialog pre.secret"), "the recovery codes")
        self.press(Keys.ESCAPE)
        self.wait(lambda: text(self.driver, second) == "Turn off", "that it is on")

    def test_of_a_password_every_character_is_meant(self):
        go(self.driver, "/about")
        self.assertEqual(self.driver.execute_async_script(VALUES), {"password": " a b ", "note": "a b"})

    def test_more_than_a_page_of_each(self):
        self.sign_up("maud")
        condition = {"price": "last", "crosses": "above", "level": "99000000"}
        one = self.rule(condition)
        for _ in range(101):
            self.call("POST", f"/alerts/{one['id']}/test-fire")
        go(self.driver, "/alerts/firings")
        count = lambda selector: self.driver.execute_script(
            "return document.querySelectorAll(arguments[0]).length", selector)
        self.assertEqual(count(".firing"), 100)
        self.press_more_twice("main .stack > button")
        self.wait(lambda: count(".firing") > 100, "the rest")
        self.assertEqual(count(".firing"), 101)
        self.call("POST", f"/alerts/{one['id']}/test-fire")
        self.driver.execute_script("dispatchEvent(new Event('bitpal:firing'))")
        self.wait(lambda: count(".firing") == 102, "the newest beside the oldest")
        self.call("POST", "/alerts/import", {"enabled": False,
            "rules": [{"instrument": INSTRUMENT, "condition": condition}] * 500})
        go(self.driver, "/alerts")
        self.click(".bulk button")
        self.click(".bulk .danger")
        self.click("dialog .danger")
        self.wait(lambda: find(self.driver, ".empty"), "no rule")
        self.assertEqual(complaints(self.driver), [])

    def test_of_answers_that_overlap_the_newer_counts(self):
        self.sign_up("thea")
        one = self.rule({"price": "last", "crosses": "above", "level": "99000000"})
        self.call("POST", f"/alerts/{one['id']}/test-fire")
        go(self.driver, "/alerts/firings")
        self.driver.execute_script(OVERTAKEN)
        self.wait(lambda: self.driver.execute_script("return Boolean(window.release)"), "an answer that is held back")
        self.call("POST", f"/alerts/{one['id']}/test-fire")
        self.driver.execute_script("dispatchEvent(new Event('bitpal:firing'))")
        rows = lambda: self.driver.find_elements(By.CSS_SELECTOR, ".firing")
        self.wait(lambda: len(rows()) == 2, "the newest")
        newest = rows()[0]
        self.driver.execute_script("window.release()")
        self.wait(lambda: self.driver.execute_script("return window.isLate"), "the answer of before")
        self.assertEqual(rows()[0], newest)

    def test_an_answer_counts_although_a_later_question_failed(self):
        self.sign_up("thora")
        one = self.rule({"price": "last", "crosses": "above", "level": "99000000"})
        self.call("POST", f"/alerts/{one['id']}/test-fire")
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": UNHEARD})
        go(self.driver, "/alerts/firings")
        self.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, ".firing")) == 1, "the first firing")
        self.call("POST", f"/alerts/{one['id']}/test-fire")
        self.driver.execute_script(OVERTAKEN)
        self.wait(lambda: self.driver.execute_script("return Boolean(window.release)"), "an answer that is held back")
        self.driver.execute_script(FAILING)
        self.wait(lambda: self.driver.execute_script("return window.hasFailed"), "the question that fails")
        self.driver.execute_script("window.release()")
        self.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, ".firing")) == 2, "the good answer")

    def test_what_was_given_up_is_sent_again(self):
        self.sign_up("zita")
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": GIVEN_UP})
        go(self.driver, "/alerts/deliveries")
        self.assertEqual(text(self.driver, ".rule [lang=en]"), "the host refused")
        self.click(".rule button")
        self.wait(lambda: find(self.driver, ".rule [data-state=waiting]"), "a delivery that waits again")
        self.assertIsNone(find(self.driver, ".rule button"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
