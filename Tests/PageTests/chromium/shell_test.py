"""The page as an app: it installs, opens without a network, and shows what is pushed when it is closed."""

import json
import unittest

import browser
from browser import complaints, find, go, network, state, text, wait
from devtools import Devtools
from page import INSTRUMENT, IS_KEPT, SYMBOL, Page

SHOWN = """
    (async () => (await registration.getNotifications())
      .map(({ title, body, data, tag, dir }) => ({ title, body, url: data.url, tag, dir })))()
"""
CLICK = """
    (async () => {
      const [notification] = await registration.getNotifications();
      dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    })()
"""
RULE = "0199f3a2-6c1e-7d3a-9b1e-2f4c5d6e7f80"


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

    def test_a_push_is_shown_and_leads_to_its_alert(self):
        self.sign_up("pia")
        self.wait(lambda: self.driver.execute_async_script(IS_KEPT), "the worker")
        tools = Devtools(self.driver)
        self.addCleanup(tools.close)
        tools.call("Browser.grantPermissions", origin=browser.URL, permissions=["notifications"])
        page = tools.attach("page", browser.URL)
        tools.call("ServiceWorker.enable", page)
        registration = tools.event("ServiceWorker.workerRegistrationUpdated", lambda told: next(
            (one["registrationId"] for one in told["registrations"] if one["scopeURL"].startswith(browser.URL)), None))
        message = {"title": "XBTUSD", "body": "Last price rose to 61,000.5", "tag": RULE, "lang": "en",
            "url": f"https://elsewhere.example/alert?id={RULE}&epoch=1"}
        tools.call("ServiceWorker.deliverPushMessage", page, origin=browser.URL, registrationId=registration,
            data=json.dumps(message))
        worker = self.wait(lambda: tools.attach("service_worker", browser.URL), "the worker's session")
        shown = self.wait(lambda: tools.evaluate(worker, SHOWN), "the notification")
        self.assertEqual(shown, [{"title": "XBTUSD", "body": message["body"], "tag": RULE, "dir": "auto",
            "url": f"/#/alerts/firings?id={RULE}&epoch=1"}])
        tools.evaluate(worker, CLICK)
        self.wait(lambda: self.driver.current_url == f"{browser.URL}/#/alerts/firings?id={RULE}&epoch=1",
            "the page at the alert")
        self.wait(lambda: find(self.driver, "main h1"), "the view")
        self.assertEqual(complaints(self.driver), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
