"""Portfolios, where an answer is lost, somebody else changes one, or the reader is far from Greenwich."""

import unittest
from decimal import Decimal

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import block, complaints, find, go, said, text
from page import Page

LINE_CHART = """
    const done = arguments[0];
    import('/app/portfolio/line-chart.js').then(({ lineChart }) => done(lineChart(
      [{ time: '2026-01-30', value: '1' }, { time: '2026-01-31', value: '2' }], 'Days', 'USD').textContent));
"""
# The server does what is asked, and its first answer to a POST there comes, or is lost, once there is a release.
HOLD = """
    const [path, isLost] = arguments;
    const fetched = window.fetch;
    let isHeld = false;
    window.fetch = async (address, options) => {
      const answer = await fetched(address, options);
      if (isHeld || options?.method !== 'POST' || String(address) !== path) return answer;
      isHeld = true;
      await new Promise((done) => { window.release = done; });
      if (isLost) throw new TypeError('Failed to fetch');
      return answer;
    };
"""
# The time of a transaction comes: another amount without another change.
COSTS = """
    const done = arguments[0];
    let asked = 0;
    const holdings = (amount) => ({ items: [{ asset: 'BTC', amount, cost_basis: `${amount}00` }], assumed: [] });
    window.fetch = async (address) => {
      asked += String(address) === '/v1/portfolios/mine/holdings';
      return Response.json(holdings('3'));
    };
    import('/app/portfolio/costs.js').then(async ({ Costs }) => {
      const costs = new Costs('/portfolios/mine', undefined);
      costs.take(holdings('2'), 7);
      const now = { change: 7, positions: [{ asset: 'BTC', amount: '3.0' }] };
      const cost = () => costs.get(now.positions[0])?.cost_basis ?? null;
      const before = cost();
      done([before, await costs.follow(now), cost(), await costs.follow(now), asked]);
    });
"""
# The figures of the summary by their names, and the shares of the legend.
SUMS = """
    const facts = [...document.querySelectorAll('.portfolio-grid .facts > div')];
    return { ...Object.fromEntries(facts.map((one) => [one.querySelector('dt').textContent,
      one.querySelector('dd').textContent])), value: document.querySelector('.big-price').textContent,
      shares: [...document.querySelectorAll('.legend b')].map((one) => one.textContent) };
"""
BUY = {"kind": "buy", "time": "2026-01-31T00:00:00Z", "wallet": "main", "asset": "BTC", "amount": "0.5",
    "counter_asset": "USD", "counter_amount": "30000"}
LIST = "main tbody tr"
COST = "main td[data-head='Cost']"


class Portfolios(Page):
    """Somebody with a portfolio in dollars."""

    def make(self, name, *transactions, base="USD"):
        """A portfolio of somebody new, with a wallet; its path."""
        self.sign_up(name)
        made = self.call("POST", "/portfolios", {"name": "Savings", "base": base})
        path = f"/portfolios/{made['id']}"
        self.call("POST", f"{path}/wallets", {"name": "main"})
        for one in transactions:
            self.call("POST", f"{path}/transactions", one)
        return path

    def show(self, path, section=""):
        go(self.driver, f"{path.replace('portfolios', 'portfolio')}{section}")

    def rows(self):
        return self.driver.find_elements(By.CSS_SELECTOR, LIST)

    def save_dialog(self):
        self.click("dialog form button[type=submit]")

    def test_what_no_field_shows_survives_an_edit(self):
        sell = {**BUY, "kind": "sell", "time": "2026-02-01T00:00:00Z", "amount": "0.1", "counter_amount": "7000",
            "external_id": "two", "tags": ["old", "cold"], "price_source": "bank", "lots": ["one=0.1"]}
        path = self.make("ada", {**BUY, "external_id": "one"}, sell)
        before = self.call("GET", f"{path}/transactions/2")
        self.show(path, "/transactions")
        number = next(place for place, row in enumerate(self.rows(), 1) if "Sell" in row.text)
        edit = f"main tbody tr:nth-child({number}) td .small"
        self.click(edit)
        self.enter("note", "mine")
        self.save_dialog()
        self.wait(lambda: "mine" in (text(self.driver, "main tbody") or ""), "the note")
        after = self.call("GET", f"{path}/transactions/2")
        self.assertEqual(after, {**before, "note": "mine", "revision": 2})
        # Somebody else changes it while it is open: that is not written over, and shown when the dialog is left.
        self.click(edit)
        self.enter("note", " and only mine")
        self.call("PUT", f"{path}/transactions/2", {**sell, "note": "theirs"})
        self.save_dialog()
        self.wait(lambda: text(self.driver, "dialog .form-error"), "the refusal")
        self.press(Keys.ESCAPE)
        self.wait(lambda: "theirs" in (text(self.driver, "main tbody") or ""), "what they wrote")
        self.assertEqual(self.call("GET", f"{path}/transactions/2")["note"], "theirs")

    def test_a_link_shows_ranges(self):
        path = self.make("dita", {"kind": "deposit", "time": "2026-01-31T00:00:00Z", "wallet": "main",
            "asset": "USD", "amount": "1000"})
        token = self.call("POST", f"{path}/shares", {"days": 3})["token"]
        go(self.driver, f"/shared/{token}")
        self.assertIn("USD", self.wait(lambda: text(self.driver, ".legend"), "the legend"))
        self.assertIn("75% or more", text(self.driver, ".legend"))
        drawn = find(self.driver, "circle.hue-0").get_attribute("stroke-dasharray")
        self.assertGreater(float(drawn.split()[0]), 99)

    def test_a_line_books_where_the_latest_did(self):
        path = self.make("dagmar", BUY)
        self.call("POST", f"{path}/wallets", {"name": "Kraken"})
        self.call("POST", f"{path}/transactions", {**BUY, "wallet": "Kraken", "time": "2026-02-01T00:00:00Z"})
        self.show(path, "/transactions")
        find(self.driver, ".quick-input").send_keys("sell 0.1 BTC 6000 USD")
        self.assertIn("Kraken", text(self.driver, "#quick-about"))
        find(self.driver, ".quick-input").send_keys("\n")
        self.wait(lambda: len(self.rows()) == 3, "it is kept")
        self.assertEqual(self.call("GET", f"{path}/transactions/3")["wallet"], "Kraken")
        self.show(path, "/plan")
        self.enter("lines", "sell 0.4 BTC 24000 USD")
        self.click("form:has(textarea) button[type=submit]")
        self.wait(lambda: find(self.driver, "[aria-live=polite] *"), "what would come of it")

    def test_a_transaction_that_is_to_come_waits(self):
        path = self.make("frieda", BUY, {**BUY, "time": "2130-01-01T00:00:00Z", "amount": "1",
            "counter_amount": "60000"})
        self.show(path, "/transactions")
        first, second = [row.text for row in self.rows()]
        self.assertIn("waits until then", first)
        self.assertNotIn("waits", second)
        line = find(self.driver, ".quick-input")
        line.send_keys("deposit 1 BTC 2130-02-01 14:30")
        self.assertIn("Feb 1, 2130, 14:30", text(self.driver, "#quick-about"))
        self.assertIn("waits until then", text(self.driver, "#quick-about"))
        self.show(path)
        self.wait(lambda: "30,000.00" in (text(self.driver, COST) or ""), "what it cost")
        self.assertEqual(text(self.driver, "main td[data-head='Amount']"), "0.5")
        held = self.call("GET", f"{path}/holdings")
        self.assertEqual([one["amount"] for one in held["items"] if one["asset"] == "BTC"], ["0.5"])

    def test_costs_are_those_of_the_amounts_beside_them(self):
        go(self.driver, "/")
        self.assertEqual(self.driver.execute_async_script(COSTS), [None, True, "300", False, 1])

    def test_a_line_says_enter_once_it_can_be_entered(self):
        path = self.make("gitta", BUY)
        self.show(path, "/transactions")
        line = find(self.driver, ".quick-input")
        about = lambda: text(self.driver, "#quick-about")
        self.assertNotIn("Enter", about())
        for start in ("withdraw", " 0.1", " BTC"):
            line.send_keys(start)
            self.assertEqual("Enter keeps it" in about(), start == " BTC", about())
        line.clear()
        for start in ("buy 0.5 BTC @ ", "60000", " USD", " 2026-02-0", "1", " 14:", "30"):
            line.send_keys(start)
            self.assertEqual("Enter keeps it" in about(), start in (" USD", "1", "30"), about())
        self.assertIn("30,000 USD", about())
        line.send_keys("\n")
        self.wait(lambda: len(self.rows()) == 2, "it is kept")
        kept = self.call("GET", f"{path}/transactions/2")
        self.assertEqual([kept["counter_amount"], kept["time"]], ["30000", "2026-02-01T14:30:00Z"])
        line.send_keys("reward 0.1 BTC @ 60000 USD 2026-02-02\n")
        self.wait(lambda: len(self.rows()) == 3, "it is kept")
        self.assertEqual(self.call("GET", f"{path}/transactions/3")["kind"], "staking")

    def test_what_is_shown_adds_up(self):
        path = self.make("hedda", {**BUY, "counter_amount": "30000.005"}, {"kind": "deposit", "wallet": "main",
            "time": "2026-01-30T00:00:00Z", "asset": "USD", "amount": "20000.333"})
        self.show(path)
        self.wait(lambda: "30,000.00" in (text(self.driver, COST) or ""), "what it cost")
        figures = self.driver.execute_script(SUMS)
        number = lambda name: Decimal(figures[name].split("\u00a0")[0].replace(",", ""))
        self.assertEqual(number("Value of coins") - number("Cost of coins"), number("Unrealized gain"))
        self.assertEqual(number("Value of coins") + number("Value of money"), number("value"))
        price = self.driver.find_element(By.CSS_SELECTOR, "main td[data-head='Price']")
        self.assertRegex(price.text, r"^[0-9,]+\.[0-9]{2}$")
        self.assertTrue(price.get_attribute("title").endswith("USD"))
        # Money that is owed lowers the whole: the shares of the plan and of the legend sum to it.
        shares = [Decimal(share.rstrip("%").replace("\u2212", "-")) for share in figures["shares"]]
        self.assertAlmostEqual(sum(shares), 100, delta=Decimal("0.2"))
        self.assertLess(min(shares), 0)
        self.call("PUT", f"{path}/targets", {"targets": [{"asset": "BTC", "share": "0.9"}]})
        drifts = self.call("GET", f"{path}/targets")["rebalancing"]["drifts"]
        self.assertEqual(sum(Decimal(one["share"]) for one in drifts), 1)
        self.assertEqual(sum(Decimal(one["target"]) for one in drifts), 1)

    def test_what_is_sent_again_is_done_once(self):
        path = self.make("bella", BUY)
        self.show(path, "/transactions")
        lose = lambda: self.lose_answer(f"{path}/transactions")
        line = find(self.driver, ".quick-input")
        lose()
        line.send_keys("deposit 1 BTC twice?\n")
        self.wait(lambda: line.get_attribute("value") == "deposit 1 BTC twice?", "the line, given back")
        line.send_keys("\n")
        self.wait(lambda: len(self.rows()) == 2, "it is kept")
        # The same once more is meant.
        line.send_keys("deposit 1 BTC twice?\n")
        self.wait(lambda: len(self.rows()) == 3, "it is kept as well")
        lose()
        self.click(".quick button[type=button]")
        for name, value in {"amount": "2", "asset": "BTC", "counter_amount": "100", "counter_asset": "USD"}.items():
            self.enter(name, value)
        self.save_dialog()
        self.wait(lambda: text(self.driver, "dialog .form-error"), "nothing was heard")
        self.save_dialog()
        self.wait(lambda: not find(self.driver, "dialog"), "it is kept")
        self.assertEqual(len(self.call("GET", f"{path}/transactions")["items"]), 4)
        self.show(path, "/share")
        self.lose_answer(f"{path}/shares")
        self.click("form button[type=submit]")
        self.wait(lambda: text(self.driver, "form .form-error"), "nothing was heard")
        self.click("form button[type=submit]")
        self.wait(lambda: find(self.driver, "code"), "the link")
        self.assertEqual(len(self.call("GET", f"{path}/shares")["items"]), 1)
        # The link is there before the list, which the form waits for.
        self.click("form button[type=submit]:enabled")
        self.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, ".rules li")) == 2, "another link")

    def hold(self, path, is_lost, line):
        """Enters a line whose answer is held back."""
        self.driver.execute_script(HOLD, f"/v1{path}/transactions", is_lost)
        find(self.driver, ".quick-input").send_keys(line + "\n")
        self.wait(lambda: self.driver.execute_script("return Boolean(window.release)"), "an answer that is held back")

    def booked(self, path):
        """In which wallet each amount is."""
        items = self.call("GET", f"{path}/transactions")["items"]
        return sorted((one["amount"], one["wallet"]) for one in items)

    def test_a_line_that_came_back_is_booked_where_it_was_said_and_once(self):
        path = self.make("berta", BUY)
        self.call("POST", f"{path}/wallets", {"name": "cold"})
        self.show(path, "/transactions")
        self.hold(path, True, "deposit 1 BTC 2026-02-01")
        line = find(self.driver, ".quick-input")
        line.send_keys("deposit 2 BTC 2026-02-02 @cold")
        self.driver.execute_script("window.release()")
        self.wait(lambda: find(self.driver, "section > .row.wrap button"), "the line that was refused")
        line.send_keys("\n")
        self.wait(lambda: len(self.rows()) == 3, "the next line")
        self.click("section > .row.wrap button")
        self.assertIn("main", text(self.driver, "#quick-about"))
        line.send_keys("\n")
        line.send_keys("deposit 3 BTC 2026-02-03\n")
        self.wait(lambda: "3 BTC" in text(self.driver, LIST), "the line after it")
        self.assertEqual(self.booked(path), [("0.5", "main"), ("1", "main"), ("2", "cold"), ("3", "cold")])

    def test_a_line_that_waits_is_booked_where_it_was_said(self):
        path = self.make("bruna", BUY)
        self.call("POST", f"{path}/wallets", {"name": "cold"})
        self.show(path, "/transactions")
        self.hold(path, False, "deposit 1 BTC 2026-02-01 @cold")
        line = find(self.driver, ".quick-input")
        line.send_keys("deposit 2 BTC 2026-02-02")
        self.assertIn("main", text(self.driver, "#quick-about"))
        line.send_keys("\n")
        self.driver.execute_script("window.release()")
        self.wait(lambda: len(self.rows()) == 3, "both lines")
        self.assertEqual(self.booked(path), [("0.5", "main"), ("1", "cold"), ("2", "main")])

    def test_costs_follow_a_change_from_elsewhere(self):
        path = self.make("cora", BUY)
        self.show(path)
        self.wait(lambda: "30,000.00" in (text(self.driver, COST) or ""), "what it cost")
        self.driver.execute_script("window.region = document.querySelector('main .scroll'); window.region.focus()")
        self.call("POST", f"{path}/transactions", {**BUY, "amount": "1", "counter_amount": "10000"})
        self.wait(lambda: "40,000.00" in (text(self.driver, COST) or ""), "what it costs now")
        self.assertTrue(self.driver.execute_script("return document.activeElement === window.region"))

    def test_costs_that_did_not_come_are_asked_for_again(self):
        path = self.make("carla", BUY)
        self.show(path)
        self.wait(lambda: "30,000.00" in (text(self.driver, COST) or ""), "what it cost")
        block(self.driver, "*/holdings")
        self.call("POST", f"{path}/transactions", {**BUY, "amount": "1", "counter_amount": "10000"})
        self.wait(lambda: said(self.driver, "bad"), "that they did not come")
        block(self.driver)
        self.wait(lambda: "40,000.00" in (text(self.driver, COST) or ""), "what it costs now")

    def test_lots_go_with_what_they_were_chosen_for(self):
        sell = {**BUY, "kind": "sell", "time": "2026-02-01T00:00:00Z", "amount": "0.2", "counter_amount": "7000",
            "lots": ["one=0.2"]}
        path = self.make("agnes", {**BUY, "external_id": "one"}, sell)
        self.show(path, "/transactions")
        number = next(place for place, row in enumerate(self.rows(), 1) if "Sell" in row.text)
        self.click(f"main tbody tr:nth-child({number}) td .small")
        self.wait(lambda: find(self.driver, "dialog [name=amount]"), "the amount").clear()
        self.enter("amount", "0.1")
        self.save_dialog()
        self.wait(lambda: "without the lots" in "".join(said(self.driver, "good")), "what became of the lots")
        after = self.call("GET", f"{path}/transactions/2")
        self.assertEqual([after["amount"], after["lots"]], ["0.1", []])

    def test_an_error_is_no_empty_portfolio(self):
        path = self.make("dora", BUY)
        block(self.driver, "*/valuation", "*/holdings")
        self.show(path)
        self.assertEqual(text(self.driver, "main .empty h1"), "That did not work")
        block(self.driver)
        self.click("main .empty button")
        self.wait(lambda: "30,000.00" in (text(self.driver, COST) or ""), "the portfolio")

    def test_more_pressed_twice_is_more_once(self):
        path = self.make("edith")
        lines = [f"2026-01-31T00:00:00Z,deposit,main,BTC,{n}" for n in range(1, 121)]
        file = {"format": "csv", "text": "\n".join(["time,kind,wallet,asset,amount", *lines])}
        self.call("POST", f"{path}/import", file)
        self.show(path, "/transactions")
        self.assertEqual(len(self.rows()), 100)
        self.press_more_twice("main section + button")
        self.wait(lambda: len(self.rows()) != 100, "the rest")
        self.assertEqual(len(self.rows()), 120)

    def test_days_are_those_of_the_reports_wherever_one_is(self):
        self.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "America/New_York"})
        sell = {**BUY, "kind": "sell", "time": "2026-01-01T00:30:00Z", "amount": "0.1", "counter_amount": "7000"}
        path = self.make("flora", {**BUY, "time": "2025-12-31T00:00:00Z"}, sell)
        self.show(path, "/transactions")
        self.assertEqual(text(self.driver, "main thead th"), "Time (UTC)")
        self.assertEqual({row.find_element(By.CSS_SELECTOR, "td").text for row in self.rows()},
            {"Dec 31, 2025, 00:00", "Jan 1, 2026, 00:30"})
        find(self.driver, ".quick-input").send_keys("deposit 1 BTC 2026-01-31")
        self.assertIn("Time (UTC) Jan 31, 2026, 00:00", text(self.driver, "#quick-about"))
        self.show(path, "/reports")
        self.choose("main select[aria-label='Year']", "2026")
        self.assertEqual([row.find_element(By.CSS_SELECTOR, "td").text for row in self.rows()], ["Jan 1, 2026"])
        self.show(path, "/lots")
        self.assertEqual(self.rows()[0].find_element(By.CSS_SELECTOR, "td").text, "Dec 31, 2025")
        self.assertEqual(self.driver.execute_async_script(LINE_CHART), "Jan 30, 2026 – Jan 31, 2026")

    def test_a_form_in_dollars_is_offered_for_dollars(self):
        path = self.make("gerda")
        is_offered = lambda: find(self.driver, "main a[href*='form=8949']") is not None
        self.show(path, "/reports")
        self.assertTrue(is_offered())
        other = self.call("POST", "/portfolios", {"name": "Erspartes", "base": "EUR"})
        self.show(f"/portfolios/{other['id']}", "/reports")
        self.assertTrue(find(self.driver, "main a[href*='form=generic']"))
        self.assertFalse(is_offered())

    def test_a_link_that_no_page_may_copy_is_selected(self):
        path = self.make("hilda")
        self.show(path, "/share")
        days = find(self.driver, "[name=days]")
        days.clear()
        days.send_keys("30 days")
        self.click("form button[type=submit]")
        self.wait(lambda: days.get_attribute("aria-invalid"), "the refusal")
        days.clear()
        days.send_keys("30")
        self.click("form button[type=submit]")
        link = self.wait(lambda: text(self.driver, "main code"), "the link")
        self.driver.execute_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        self.click("main [aria-live] button")
        self.wait(lambda: "Selected" in "".join(said(self.driver, "plain")), "what became of it")
        self.assertEqual(self.driver.execute_script("return getSelection().toString()"), link)
        self.assertEqual(complaints(self.driver), [])

    def test_a_length_that_is_no_number_is_refused_at_its_field(self):
        self.sign_up("irma")
        go(self.driver, "/settings/tokens")
        self.enter("name", "mine")
        for wrong in ["90 days", "0", "99999"]:
            days = find(self.driver, "[name=days]")
            days.clear()
            days.send_keys(wrong)
            self.click("form button[type=submit]")
            self.wait(lambda: days.get_attribute("aria-invalid"), wrong)
            about = text(self.driver, f"[id='{days.get_attribute('aria-describedby')}']")
            self.assertEqual(about, "A number from 1 to 36,500.", wrong)
        self.assertEqual(complaints(self.driver), [])

    def test_reasons_of_the_server_are_marked_as_english(self):
        path = self.make("jutta", {**BUY, "external_id": "one"})
        self.show(path, "/import")
        row = {**BUY, "external_id": "one"}
        self.enter("text", f"{','.join(row)}\n{','.join(row.values())}\n")
        self.click("form button[type=submit]")
        self.wait(lambda: find(self.driver, ".skipped li"), "the line that is skipped")
        self.assertTrue(text(self.driver, ".skipped li [lang=en]"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
