"""Sign in with Apple, in a browser: there and back, once for a stranger, once for an account that is there.

PAGE_APPLE is the port at which the gateway believes Apple to be.
"""

import os
import unittest

# Apple's page is of another site than ours, as it is in the world.
os.environ["PAGE_URL"] = os.environ["PAGE_URL"].replace("//127.0.0.1", "//localhost")

from apple import Apple  # noqa: E402
from browser import SHAPES, URL, complaints, find, go, keep, shape, text  # noqa: E402
from page import PASSWORD, Page, person  # noqa: E402

BY_APPLE = "main .by-apple"
LINK = "main .panel:nth-of-type(4) button"
WHO = "fetch('/v1/session').then((answer) => answer.json()).then(({ user }) => arguments[0](user))"


class AppleAccounts(Page):
    """Somebody whom Apple knows."""

    @classmethod
    def setUpClass(cls):
        # One for all tests: the gateway keeps the keys that it was told.
        cls.apple = Apple(int(os.environ["PAGE_APPLE"]))
        cls.addClassCleanup(cls.apple.close)

    def setUp(self):
        super().setUp()
        self.apple.person = None

    def who(self):
        return self.driver.execute_async_script(WHO)

    def come(self, route="/sign-in"):
        go(self.driver, route)
        self.assertEqual(text(self.driver, BY_APPLE), "Sign in with Apple")
        self.click(BY_APPLE)

    def sign_out(self):
        go(self.driver, "/settings/account")
        self.click("main .panel .row button")
        self.wait(lambda: find(self.driver, "header a[href='/#/sign-in']"), "nobody signed in")

    def test_a_stranger_is_given_an_account_and_comes_back_to_it(self):
        self.apple.person = person("apollonia")
        for width, height, scheme in [SHAPES[0], SHAPES[3]]:
            shape(self.driver, width, height, scheme)
            self.come("/sign-in?next=%2Falerts")
            self.wait(lambda: find(self.driver, ".account-link"), "somebody signed in")
            self.wait(lambda: self.driver.current_url == f"{URL}/#/alerts", "what was asked for")
            user = self.who()
            self.assertEqual((user["email"], user["apple"], user["password"]), (self.apple.person, True, False))
            self.sign_out()
            go(self.driver, "/sign-in")
            self.audit(f"sign-in with Apple at {width}")
            keep(self.driver, f"apple-{width}-{scheme}")
        self.assertEqual(complaints(self.driver), [])

    def test_an_account_is_linked_by_who_shows_that_it_is_theirs(self):
        self.sign_up("amy")
        self.apple.person = person("amy")
        go(self.driver, "/settings/security")
        self.audit("the way to link")
        self.click(LINK)
        self.enter("password", PASSWORD)
        self.audit("linking with Apple")
        self.click("main .card button[type=submit]")
        self.wait(lambda: self.driver.current_url == f"{URL}/#/settings/security", "the way back")
        self.assertTrue(self.who()["apple"])
        self.sign_out()
        self.come()
        self.wait(lambda: find(self.driver, ".account-link"), "somebody signed in")
        self.assertTrue(self.who()["password"], "the account that was there")
        go(self.driver, "/settings/security")
        self.click(LINK)
        self.wait(lambda: not self.who()["apple"], "its end")
        self.assertEqual(complaints(self.driver), [])

    def test_who_does_not_go_on_is_nobody_and_is_told_so(self):
        self.come()
        self.wait(lambda: text(self.driver, "main [role=alert]") == "Apple did not confirm who you are.", "that it is so")
        self.audit("Apple refused")
        # What another tab was told, or nobody asked for, is worth nothing.
        self.driver.switch_to.new_window("tab")
        go(self.driver, "/apple?token=eyJhbGciOiJFUzI1NiJ9.e30.c2ln")
        self.wait(lambda: "Begin again." in (text(self.driver, "main [role=alert]") or ""), "that it is of another")
        self.assertIsNone(self.who())
        self.assertEqual(self.driver.current_url, f"{URL}/#/apple")


if __name__ == "__main__":
    unittest.main(verbosity=2)
