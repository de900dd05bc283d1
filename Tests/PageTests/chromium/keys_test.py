"""The page by Tab, Enter and the arrow keys alone: nothing is clicked here."""

import unittest

from selenium.webdriver.common.keys import Keys

from browser import complaints, find, go, shape, text
from page import PASSWORD, SYMBOL, Page, person


class Keyboard(Page):
    """Somebody without a pointer, on a wide screen and on a phone's."""

    def test_from_sign_up_to_sign_out_on_a_wide_screen(self):
        shape(self.driver, 1440, 900, "light")
        self.use_everything(person("kay"))

    def test_from_sign_up_to_sign_out_on_a_narrow_screen(self):
        shape(self.driver, 360, 740, "dark")
        self.use_everything(person("kim"))

    def use_everything(self, address):
        go(self.driver, "/")
        self.tab_to("header a[href='/#/sign-in']")
        self.press(Keys.ENTER)
        self.wait(lambda: find(self.driver, "main form input[name=password]"), "the sign-in")
        self.tab_to("main a[href='/#/sign-up']")
        self.press(Keys.ENTER)
        self.wait(lambda: find(self.driver, "main input[autocomplete=new-password]"), "the sign-up")
        self.tab_to("input[name=email]")
        self.press(address)
        self.tab_to("input[name=password]")
        self.press(PASSWORD)
        self.tab_to("main form button[type=submit]")
        self.assert_focus_was_seen()
        self.press(Keys.ENTER)
        self.wait(lambda: find(self.driver, ".account-link"), "somebody signed in")
        self.add_an_instrument()
        self.make_an_alert()
        self.sign_out()
        self.assertEqual(complaints(self.driver), [])

    def add_an_instrument(self):
        self.wait(lambda: find(self.driver, ".empty button"), "the empty list")
        self.wait(lambda: find(self.driver, ".first-steps"), "the first steps, which move it")
        self.tab_to(".empty button")
        self.press(Keys.ENTER)
        self.wait(lambda: find(self.driver, "dialog input[type=search]:focus"), "the search, with the focus")
        self.press(SYMBOL)
        self.wait(
            lambda: find(self.driver, ".result[aria-selected=true] .symbol").text == SYMBOL, "the instrument")
        self.press(Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
        self.wait(lambda: find(self.driver, "tr.quote"), "its row on the list")
        self.press(Keys.ESCAPE, Keys.ESCAPE)
        self.wait(lambda: not find(self.driver, "dialog"), "the end of the search")
        self.assert_focus_was_seen()

    def make_an_alert(self):
        self.tab_to("tr.quote .name a")
        self.press(Keys.ENTER)
        self.wait(lambda: text(self.driver, ".bids tbody tr .price"), "the instrument's book")
        self.tab_to(".instrument-head .primary")
        self.press(Keys.ENTER)
        self.wait(lambda: find(self.driver, "dialog input[name=level]:focus"), "the level, with the focus")
        self.press(Keys.END, *[Keys.BACKSPACE] * 20, "99000000")
        self.tab_to("dialog select[name=repeat]")
        self.press(Keys.ARROW_DOWN)
        self.tab_to("dialog input[name=note]")
        self.press("By keys")
        self.tab_to("dialog button[type=submit]")
        self.assert_focus_was_seen()
        self.press(Keys.ENTER)
        self.wait(lambda: not find(self.driver, "dialog"), "the alert is made")
        self.assertTrue(find(self.driver, ".instrument-head .primary:focus"), "the focus is back where it was")
        self.tab_to("nav.nav a[href='/#/alerts']")
        self.press(Keys.ENTER)
        self.wait(lambda: "By keys" in find(self.driver, ".rule").text, "the alert on the list")
        self.assert_focus_was_seen()

    def sign_out(self):
        self.tab_to("nav.nav a[href='/#/settings']")
        self.press(Keys.ENTER)
        self.wait(lambda: find(self.driver, ".tabs a[href='/#/settings/account']"), "the settings")
        self.tab_to(".tabs a[href='/#/settings/account']")
        self.press(Keys.ENTER)
        self.wait(lambda: find(self.driver, "main .panel .row button"), "one's account")
        self.tab_to("main .panel .row button")
        self.assert_focus_was_seen()
        self.press(Keys.ENTER)
        self.wait(lambda: find(self.driver, "header a[href='/#/sign-in']"), "nobody signed in")


if __name__ == "__main__":
    unittest.main(verbosity=2)
