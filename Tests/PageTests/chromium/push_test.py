"""The page as a device: it shows what is pushed when it is closed, and says where it is."""

import json
import time
import unittest

import browser
from browser import block, complaints, find, go, said
from devtools import Devtools
from page import INSTRUMENT, IS_KEPT, PASSWORD, Page, person

SHOWN = """
    (async () => (await registration.getNotifications())
      .map(({ title, body, data, tag, dir, silent }) => ({ title, body, url: data.url, tag, dir, silent })))()
"""
CLICK = """
    (async () => {
      const [notification] = await registration.getNotifications();
      dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    })()
"""
RULE = "0199f3a2-6c1e-7d3a-9b1e-2f4c5d6e7f80"
# A browser with a push service, which may move it, and gives another address to each subscription. What the page
# does at its start ends with a word to its worker.
PUSHED = """
    const post = ServiceWorker.prototype.postMessage;
    ServiceWorker.prototype.postMessage = function (...all) {
      window.isSettled = true;
      return post.apply(this, all);
    };
    // A sign-out waits this long for each step: however slow the machine is, none is given up here.
    const later = window.setTimeout;
    window.setTimeout = (run, wait, ...all) => later(run, wait === 3_000 ? 300_000 : wait, ...all);
    const store = localStorage;
    PushManager.prototype.getSubscription = async () => store.getItem("subscribed") && {
      toJSON: () => ({ endpoint: `https://push.example.org/${store.getItem("moved") ?? store.getItem("count")}`, keys: {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: `${store.getItem("count")}TBZMqHH6r4Tts7J_aSIgg` } }),
      unsubscribe: async () => store.removeItem("subscribed"),
    };
    PushManager.prototype.subscribe = async function () {
      if (!store.getItem("subscribed")) store.setItem("count", Number(store.getItem("count")) + 1);
      store.setItem("subscribed", "yes");
      return await this.getSubscription();
    };
    const fetched = window.fetch;
    window.fetch = async (address, options) => {
      const answer = await fetched(address, options);
      const { endpoint, settings } = answer.ok && options?.body ? JSON.parse(options.body) : {};
      if (endpoint ?? settings?.endpoint) store.setItem("told", endpoint ?? settings.endpoint);
      return answer;
    };
"""
DEVICE = "return localStorage.getItem('bitpal.device')"
TOLD = "return localStorage.getItem('told')"
SUBSCRIBED = "return localStorage.getItem('subscribed')"
# What is done with the device at each start.
RENEW = "import('/app/push.js').then(({ renew }) => renew()).then(arguments[0], arguments[0])"


class Push(Page):
    """What is pushed, and to which browser."""

    # The shared one shows no notifications.
    has_own_browser = True

    def test_a_push_is_shown_and_leads_to_its_alert(self):
        self.sign_up("pia")
        self.wait(lambda: self.driver.execute_async_script(IS_KEPT), "the worker")
        tools = Devtools(self.driver)
        self.addCleanup(tools.close)
        tools.grant(browser.URL, "notifications")
        page = tools.attach("page", browser.URL)
        tools.call("ServiceWorker.enable", page)
        registration = tools.event("ServiceWorker.workerRegistrationUpdated", lambda told: next(
            (one["registrationId"] for one in told["registrations"] if one["scopeURL"].startswith(browser.URL)), None))
        message = {"title": "XBTUSD", "body": "Last price rose to 61,000.5", "tag": RULE, "lang": "en",
            "silent": True, "url": f"https://elsewhere.example/alert?id={RULE}&epoch=1"}
        def deliver():
            tools.call("ServiceWorker.deliverPushMessage", page, origin=browser.URL, registrationId=registration,
                data=json.dumps(message))
            return time.monotonic()

        delivered = deliver()
        worker = self.wait(lambda: tools.attach("service_worker", browser.URL), "the worker's session")

        def shown_so_far():
            nonlocal delivered
            # The browser's tools deliver a message to a worker that a busy machine does not start in time, and say
            # nothing. A push service sends it again.
            if not (shown := tools.evaluate(worker, SHOWN)) and time.monotonic() - delivered > 30:
                print("the push is delivered once more", flush=True)
                delivered = deliver()
            return shown

        shown = self.wait(shown_so_far, "the notification")
        self.assertEqual(shown, [{"title": "XBTUSD", "body": message["body"], "tag": RULE, "dir": "auto",
            "silent": True, "url": f"/#/alerts/firings?id={RULE}&epoch=1"}])
        tools.evaluate(worker, CLICK)
        self.wait(lambda: self.driver.current_url == f"{browser.URL}/#/alerts/firings?id={RULE}&epoch=1",
            "the page at the alert")
        self.wait(lambda: find(self.driver, "main h1"), "the view")
        self.assertEqual(complaints(self.driver), [])

    def test_a_browser_that_moved_is_told_of_and_one_that_is_left_is_not(self):
        self.push_to("paula")
        [device] = self.devices()
        self.driver.execute_script("localStorage.setItem('moved', 'second')")
        go(self.driver, "/")
        self.wait(lambda: self.told() == "second", "where it is now")
        self.assertEqual(self.devices(), [device])
        self.driver.execute_script("localStorage.removeItem('moved')")
        self.sign_out()
        self.assertIsNone(self.driver.execute_script(SUBSCRIBED))
        self.assertIsNone(self.driver.execute_script(DEVICE))
        self.call("POST", "/auth/sign-in", {"email": person("paula"), "password": PASSWORD})
        self.assertEqual(self.devices(), [{**device, "enabled": False}])

    def test_rules_go_on_naming_a_browser_that_was_left(self):
        self.push_to("pia-maria")
        [device] = self.devices()
        rule = self.naming(device)
        self.sign_out()
        # Somebody else signs in here: a device of their own, if they like.
        self.sign_up("priska")
        self.settled()
        self.assertEqual(self.devices(), [])
        self.assertIsNone(self.driver.execute_script(SUBSCRIBED))
        self.add_device()
        [other] = self.devices()
        self.assertNotEqual(other["id"], device["id"])
        self.assertEqual(self.told(), "2")
        self.sign_out()
        self.sign_in("pia-maria")
        self.wait(lambda: self.told() == "3", "where it is now")
        self.wait(lambda: self.devices() == [device], "the same device, which is on")
        self.assertEqual(self.call("GET", f"/alerts/{rule}")["channels"], [device["name"]])
        # One that its user switched off stays off.
        self.call("PATCH", f"/channels/{device['id']}", {"enabled": False})
        self.sign_out()
        self.sign_in("pia-maria")
        self.wait(lambda: self.told() == "4", "where it is now")
        self.wait(lambda: self.driver.execute_script(DEVICE), "the device")
        self.assertEqual(self.devices(), [{**device, "enabled": False}])

    def test_who_signs_in_after_an_ended_session_is_told_nothing_of_it(self):
        self.push_to("pamela")
        self.call("POST", "/auth/sign-out-everywhere", {})
        self.sign_up("philippa")
        self.settled()
        self.assertIsNone(self.driver.execute_script(SUBSCRIBED))
        self.assertEqual(self.devices(), [])

    def test_a_device_that_was_switched_off_stays_so_where_it_is(self):
        self.push_to("petra")
        [device] = self.devices()
        self.call("PATCH", f"/channels/{device['id']}", {"enabled": False})
        self.driver.execute_async_script(RENEW)
        self.assertEqual([one["enabled"] for one in self.devices()], [False])
        # By a page of before, which wrote nothing down.
        self.driver.execute_script("localStorage.removeItem('bitpal.device-endpoint')")
        self.driver.execute_async_script(RENEW)
        self.assertEqual([one["enabled"] for one in self.devices()], [False])
        self.driver.execute_script("localStorage.setItem('moved', 'second')")
        self.driver.execute_async_script(RENEW)
        self.assertEqual([one["enabled"] for one in self.devices()], [True])

    def test_who_could_not_sign_out_is_told_as_before(self):
        self.push_to("pilar")
        [device] = self.devices()
        rule = self.naming(device)
        block(self.driver, "*/auth/sign-out")
        self.driver.execute_script("location.hash = '/settings/account'")
        self.click(".settings .row.wrap button")
        self.wait(lambda: said(self.driver, "bad"), "that nobody was signed out")
        self.assertEqual(self.devices(), [device])
        self.driver.execute_async_script(RENEW)
        self.assertEqual(self.devices(), [device])
        self.assertEqual(self.driver.execute_script(DEVICE), device["id"])
        self.assertEqual(self.call("GET", f"/alerts/{rule}")["channels"], [device["name"]])
        self.assertEqual([self.told(), self.driver.execute_script(SUBSCRIBED)], ["1", "yes"])

    def push_to(self, name):
        """Somebody whose browser is a device."""
        tools = Devtools(self.driver)
        self.addCleanup(tools.close)
        tools.grant(browser.URL, "notifications")
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": PUSHED})
        self.sign_up(name)
        self.settled()
        self.add_device()

    def settled(self):
        self.wait(lambda: self.driver.execute_script("return window.isSettled"), "the end of what a start does")

    def add_device(self):
        self.driver.execute_script("location.hash = '/settings/devices'")
        self.click(".settings button.primary")
        self.wait(lambda: find(self.driver, ".settings .rule"), "the device")

    def devices(self):
        return self.call("GET", "/account/devices")["items"]

    def told(self):
        """Where the server was told last that this browser is."""
        return self.driver.execute_script(TOLD).rpartition("/")[2]

    def naming(self, device):
        """A rule that tells this device alone."""
        return self.call("POST", "/alerts", {"instrument": INSTRUMENT, "channels": [device["name"]],
            "condition": {"price": "last", "crosses": "above", "level": "99000000"}})["id"]

    def sign_out(self):
        go(self.driver, "/settings/account")
        self.settled()
        self.click(".settings .row.wrap button")
        self.wait(lambda: find(self.driver, ".header-account a[href='/#/sign-in']"), "nobody")

    def sign_in(self, name):
        go(self.driver, "/sign-in")
        self.settled()
        self.enter("email", person(name))
        self.enter("password", PASSWORD)
        self.click("form button[type=submit]")
        self.wait(lambda: find(self.driver, ".account-link"), "somebody signed in")


if __name__ == "__main__":
    unittest.main(verbosity=2)
