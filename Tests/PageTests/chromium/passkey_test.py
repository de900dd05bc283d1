"""Passkeys, with Chromium's own authenticator in the place of a fingerprint: made, used, refused and deleted."""

import os
import unittest

# Passkeys belong to names: where the tests are given this machine's address, its name is used (WebAuthn, 5.1.3).
os.environ["PAGE_URL"] = os.environ["PAGE_URL"].replace("//127.0.0.1", "//localhost")

from browser import URL, complaints, find, go, keep, shape, text  # noqa: E402
from page import PASSWORD, Page, person  # noqa: E402

PASSKEYS = "main .panel:nth-of-type(2)"
ADD = f"{PASSKEYS} .row button"
BY_PASSKEY = "main .by-passkey"
ANSWER = "fetch(arguments[0]).then((answer) => answer.json()).then(arguments[1])"


class Passkeys(Page):
    """Somebody whose device can recognize them."""

    def setUp(self):
        super().setUp()
        self.call("enable", enableUI=False)
        self.authenticator = self.call("addVirtualAuthenticator", options={
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserVerified": True, "automaticPresenceSimulation": True})["authenticatorId"]

    def call(self, method, **params):
        return self.driver.execute_cdp_cmd(f"WebAuthn.{method}", params)

    def credentials(self):
        return self.call("getCredentials", authenticatorId=self.authenticator)["credentials"]

    def recognize(self, is_recognized):
        self.call("setUserVerified", authenticatorId=self.authenticator, isUserVerified=is_recognized)

    def answer(self, path):
        return self.driver.execute_async_script(ANSWER, f"/v1{path}")

    def names(self):
        return [one["name"] for one in self.answer("/account/passkeys")["items"]]

    def add(self, name):
        """Asks for a passkey; the dialog is left as it then is."""
        self.click(ADD)
        self.enter("name", name)
        # Who is signed in shows it once more.
        self.enter("password", PASSWORD)
        self.click("dialog button[type=submit]")

    def make(self, who, name):
        self.sign_up(who)
        go(self.driver, "/settings/security")
        self.add(name)
        self.wait(lambda: not find(self.driver, "dialog"), "the passkey is made")
        self.wait(lambda: name in text(self.driver, PASSKEYS), "it is on the list")

    def sign_out(self):
        go(self.driver, "/settings/account")
        self.click("main .panel .row button")
        self.wait(lambda: find(self.driver, "header a[href='/#/sign-in']"), "nobody signed in")

    def said(self):
        return self.driver.execute_script("return [...said.map(([, words]) => words), "
            "...[...document.querySelectorAll('.form-error, dialog .field-about')].map((one) => one.textContent)]")

    def assert_quiet(self):
        """No word in the console, but Chromium's advice to take RSA too, which the server refuses on purpose."""
        self.assertEqual([one for one in complaints(self.driver) if "pubKeyCredParams" not in one], [])

    def test_one_is_made_and_signs_in(self):
        for width, height, scheme in [(1440, 900, "light"), (360, 740, "dark")]:
            shape(self.driver, width, height, scheme)
            before = {one["credentialId"] for one in self.credentials()}
            self.make(f"paula{width}", "My phone")
            keep(self.driver, f"passkeys-{width}-{scheme}")
            self.audit(f"passkeys at {width}")
            self.assertEqual(self.names(), ["My phone"])
            # In which order they are told is Chromium's affair.
            made = next(one for one in self.credentials() if one["credentialId"] not in before)
            self.assertTrue(made["isResidentCredential"], "no address has to be typed")
            self.assertEqual(made["rpId"], "localhost")
            self.sign_out()
            # With two on the device the browser takes the first: this one alone is to answer.
            for other in before:
                self.call("removeCredential", authenticatorId=self.authenticator, credentialId=other)
            go(self.driver, "/sign-in?next=%2Falerts")
            self.audit(f"sign-in by passkey at {width}")
            self.click(BY_PASSKEY)
            self.wait(lambda: find(self.driver, ".account-link"), "somebody signed in")
            self.wait(lambda: self.driver.current_url == f"{URL}/#/alerts", "what was asked for")
            self.assertEqual(self.answer("/session")["user"]["email"], person(f"paula{width}"))
            used = next(one for one in self.credentials() if one["credentialId"] == made["credentialId"])
            self.assertGreater(used["signCount"], made["signCount"])
            self.assert_quiet()
            self.sign_out()

    def test_who_is_not_recognized_is_told_so_and_may_try_again(self):
        self.make("petra", "My key")
        self.add("The same again")
        self.wait(lambda: "This device has a passkey of yours already." in self.said(), "that it is there")
        self.assertEqual(self.names(), ["My key"])
        self.sign_out()
        go(self.driver, "/sign-in")
        self.recognize(False)
        self.click(BY_PASSKEY)
        self.wait(lambda: "No passkey was used: it was cancelled, or took too long." in self.said(), "that it was not")
        self.assertIsNone(find(self.driver, ".account-link"))
        self.recognize(True)
        self.click(BY_PASSKEY)
        self.wait(lambda: find(self.driver, ".account-link"), "the second try")
        self.assert_quiet()

    def test_one_that_was_deleted_no_longer_signs_in(self):
        self.make("pola", "Old phone")
        self.click(f"{PASSKEYS} .danger")
        self.wait(lambda: not find(self.driver, f"{PASSKEYS} .rule"), "its end")
        self.assertEqual(self.names(), [])
        self.sign_out()
        go(self.driver, "/sign-in")
        self.click(BY_PASSKEY)
        self.wait(lambda: "This passkey is not known here. Sign in by your password." in self.said(), "that it is unknown")
        self.assertIsNone(find(self.driver, ".account-link"))

    def test_an_address_of_digits_leads_to_the_name(self):
        self.driver.get(URL.replace("//localhost", "//127.0.0.1") + "/#/sign-in")
        self.wait(lambda: find(self.driver, "main form input[name=password]"), "the sign-in")
        self.assertIsNone(find(self.driver, BY_PASSKEY), "what could not work is not offered")


if __name__ == "__main__":
    unittest.main(verbosity=2)
