"""An instrument's order book, depth and trades, beside Python's exact decimals.

The installation is that of page_test.py.
"""

import random
import re
import unittest
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from selenium.webdriver import ActionChains
from selenium.webdriver.support.ui import Select

from browser import complaints, find, go, text
from page import INSTRUMENT, Page
from still import answer, stand_still, tell

# Farther and farther apart, so that 80 levels reach from the best price beyond 2 %: an odd size at each.
MID = Decimal("59999.75")
BIDS = [[str(MID - Decimal("0.25") * (1 + n * (n + 1))), f"{7 + n % 9}.{n % 10}37"] for n in range(80)]
ASKS = [[str(MID + Decimal("0.25") * (1 + n * (n + 1))), f"{5 + n % 7}.{n % 8}91"] for n in range(80)]
LEVELS = 20
# What the stream has of it, and what the API has.
NEAR = {"bids": BIDS[:25], "asks": ASKS[:25], "state": "live", "reason": ""}
DEEP = {"bids": BIDS, "asks": ASKS, "state": "live", "reason": ""}

# Rows as they are seen: price, size, total, and where the bar behind them ends.
ROWS = """
    return [...document.querySelectorAll(`.book-side.${arguments[0]} tbody tr`)]
      .filter((row) => row.dataset.price)
      .map((row) => [...[...row.cells].map((cell) => cell.textContent.replaceAll(',', '')),
        getComputedStyle(row).backgroundImage]);
"""
STEPS = """
    return [...document.querySelector(`.depth-chart .depth-${arguments[0]}`).getAttribute('d')
      .matchAll(/H([-0-9.]+)V([-0-9.]+)/g)].slice(0, -1).map((step) => [Number(step[1]), Number(step[2])]);
"""
# Which trades came with a mark, and which lost it.
NOTE_MARKS = """
    window.marks = { came: [], went: [], plain: [] };
    const name = (row) => row.dataset.price;
    new MutationObserver((changes) => {
      for (const { target, type, addedNodes } of changes) {
        const isWithout = type === 'attributes' && !target.classList.contains('fresh');
        if (isWithout) window.marks.went.push(name(target));
        for (const row of addedNodes) {
          window.marks[row.classList.contains('fresh') ? 'came' : 'plain'].push(name(row));
        }
      }
    }).observe(document.querySelector('.trades tbody'),
      { subtree: true, childList: true, attributeFilter: ['class'] });
"""
SHOWN_TRADES = "return [...document.querySelectorAll('.trades tbody tr')].map((row) => row.dataset.price)"
# What the page's own arithmetic makes of a side: joined into steps, then added up.
JOINED = """
    const [cases, done] = arguments;
    import('/app/instrument/book-state.js').then(({ accumulated, grouped }) => done(cases.map(
      ([levels, step, isAsk]) => accumulated(grouped(levels, step, isAsk), 20)
        .map(({ price, size, total }) => [price, size, total]))));
"""


def joined(levels, step, rounding):
    """Levels in steps of price: those of a step together."""
    sums = {}
    for price, size in levels:
        edge = (Decimal(price) / step).to_integral_value(rounding) * step
        sums[edge] = sums.get(edge, 0) + Decimal(size)
    return [list(one) for one in sums.items()]


def added_up(levels, most=LEVELS):
    """The first with what is there up to each."""
    total, found = Decimal(0), []
    for price, size in levels[:most]:
        total += Decimal(size)
        found.append([Decimal(price), Decimal(size), total])
    return found


def within(levels, percent):
    return [level for level in levels if abs(Decimal(level[0]) - MID) <= MID * Decimal(percent) / 100]


class Book(Page):
    """A book and a tape that stand still, so that every digit can be compared."""

    def show(self):
        stand_still(self.driver, {"book": NEAR, "trades": self.trades(0, 28)})
        answer(self.driver, {"/books/": DEEP})
        go(self.driver, f"/instrument/{INSTRUMENT}")
        self.wait(lambda: self.rows("bids"), "a book")

    def trades(self, first, count):
        """Oldest first, as they come: each at a price of its own, all in two moments."""
        return [{"id": str(n), "price": f"{60_000 + n}.0", "amount": "100",
            "side": "buy" if n % 3 else "sell", "time": f"2026-01-31T00:00:0{n // 20}Z"}
            for n in range(first, first + count)]

    def rows(self, side):
        shown = self.driver.execute_script(ROWS, side)
        return [[Decimal(price), Decimal(size), Decimal(total)] for price, size, total, _ in shown]

    def sides(self):
        return [self.rows("bids"), self.rows("asks")]

    def choose_in_book(self, menu, value):
        Select(find(self.driver, f".book select[aria-label='{menu}']")).select_by_value(value)

    def assert_bars(self):
        """Behind each price is a bar as long as its share of the greatest sum that is shown."""
        most = max(total for side in self.sides() for *_, total in side)
        for side in ("bids", "asks"):
            ends = []
            for *_, total, ground in self.driver.execute_script(ROWS, side):
                [share] = set(re.findall(r"([0-9.]+)%", ground))
                self.assertIn("linear-gradient", ground)
                self.assertLessEqual(abs(Decimal(share) - Decimal(total) / most * 100), Decimal("0.051"))
                ends.append(Decimal(share))
            self.assertEqual(ends, sorted(ends))
        self.assertEqual(max(Decimal(re.search(r"([0-9.]+)%", row[-1])[1]) for side in ("bids", "asks")
            for row in self.driver.execute_script(ROWS, side)), 100)

    def test_twenty_levels_of_a_side_with_what_is_accumulated_behind_them(self):
        self.show()
        self.assertEqual(self.sides(), [added_up(BIDS), added_up(ASKS)])
        self.assertEqual([len(side) for side in self.sides()], [LEVELS, LEVELS])
        self.assert_bars()
        # The best bid goes: what was behind it moves up, and a level that was out of sight is shown.
        tell(self.driver, "book", {"bids": [[BIDS[0][0], "0"]], "asks": [[ASKS[0][0], "90.125"]]})
        changed = [added_up(BIDS[1:]), added_up([[ASKS[0][0], "90.125"], *ASKS[1:]])]
        self.wait(lambda: self.sides() == changed, "the book after its change")
        self.assert_bars()

    def test_a_book_in_doubt_says_why(self):
        self.show()
        shown = lambda: find(self.driver, ".book .tag").get_attribute("data-state")
        reason = "a level that nobody knew was taken away"
        for state, why in (("live", None), ("suspect", reason), ("live", None)):
            tell(self.driver, "book", {"state": state, "reason": why or "verified"})
            self.wait(lambda: shown() == state, state)
            # In the words of who says so: English, in a page of any language.
            self.assertEqual(text(self.driver, ".book p [lang=en]"), why)
        tell(self.driver, "book", {"state": "syncing", "reason": "snapshot-pending"})
        self.wait(lambda: shown() == "syncing", "a book that is fetched")
        self.assertIn("The whole book was asked for.", text(self.driver, ".book"))
        self.assertIsNone(text(self.driver, ".book p [lang=en]"), "words of the page's own")

    def test_a_distance_leaves_only_what_is_near(self):
        self.show()
        for percent in ("0.1", "0.5", "2", "5"):
            self.choose_in_book("Distance from the middle", percent)
            wanted = [added_up(within(side, percent)) for side in (BIDS, ASKS)]
            self.wait(lambda: self.sides() == wanted, f"what is within {percent} %")
            self.wait(lambda: self.driver.execute_script(
                "return window.asked.some((path) => path.includes(arguments[0]))", f"within={percent}%25"),
                "the question for all of it")
        self.choose_in_book("Distance from the middle", "0.1")
        self.wait(lambda: len(self.rows("bids")) < LEVELS, "less than there is room for")
        self.assert_bars()
        self.choose_in_book("Distance from the middle", "")
        self.wait(lambda: self.sides() == [added_up(BIDS), added_up(ASKS)], "all levels again")

    def test_prices_are_grouped_and_nothing_is_lost(self):
        self.show()
        for step, percent in (("10", ""), ("100", ""), ("100", "0.5")):
            self.choose_in_book("Distance from the middle", percent)
            self.choose_in_book("Group prices", step)
            some = [within(side, percent) if percent else side for side in (BIDS, ASKS)]
            wanted = [added_up(joined(some[0], Decimal(step), ROUND_FLOOR)),
                added_up(joined(some[1], Decimal(step), ROUND_CEILING))]
            self.wait(lambda: self.sides() == wanted, f"steps of {step}, {percent or 'all'}")
            self.assert_bars()
        # Few steps hold all: their sums are those of every level.
        self.assertEqual([side[-1][2] for side in self.sides()],
            [sum(Decimal(size) for _, size in side) for side in some])

    def test_sums_are_exact_to_the_last_digit(self):
        numbers = random.Random(6)
        size = lambda: f"{numbers.randrange(10 ** 12)}.{numbers.randrange(10 ** 9):09}"
        cases = []
        for is_ask in (False, True):
            prices = sorted(numbers.sample(range(1, 90_000), 300), reverse=not is_ask)
            cases.append([[[f"{price // 100}.{price % 100:02}", size()] for price in prices], "5", is_ask])
        go(self.driver, "/about")
        for (levels, step, is_ask), found in zip(cases, self.driver.execute_async_script(JOINED, cases)):
            wanted = added_up(joined(levels, Decimal(step), ROUND_CEILING if is_ask else ROUND_FLOOR))
            self.assertEqual([[Decimal(text) for text in row] for row in found], wanted)

    def test_the_depth_is_drawn_as_far_as_both_sides_reach(self):
        self.show()
        self.wait(lambda: find(self.driver, ".depth-bids"), "the picture")
        sums = {name: [total for *_, total in added_up(DEEP[name], 80)] for name in ("bids", "asks")}
        most = max(sums["bids"][-1], sums["asks"][-1])
        for name in ("bids", "asks"):
            steps = self.driver.execute_script(STEPS, name)
            heights = [float(200 - total / most * 192) for total in sums[name]]
            self.assertEqual(len(steps), 80)
            for (_, height), wanted in zip(steps, heights):
                self.assertAlmostEqual(height, wanted, delta=0.06)
        self.assertLess(self.driver.execute_script(STEPS, "bids")[-1][0], 1)
        self.assertGreater(self.driver.execute_script(STEPS, "asks")[-1][0], 599)
        label = find(self.driver, ".depth-chart").get_attribute("aria-label").replace(",", "")
        for name in ("bids", "asks"):
            self.assertIn(sums[name][-1], [Decimal(number) for number in re.findall(r"[0-9.]+", label)])
        # Under the pointer: bids on the left, asks on the right, and more the farther from the middle.
        width = find(self.driver, ".depth-chart").rect["width"]
        found = {}
        for share in (-0.45, -0.2, 0.2, 0.45):
            ActionChains(self.driver).move_to_element(find(self.driver, "h1")).perform()
            self.wait(lambda: text(self.driver, ".depth-tip") == "", "nothing under the pointer")
            ActionChains(self.driver).move_to_element_with_offset(
                find(self.driver, ".depth-chart"), int(share * width), 0).perform()
            total, price = self.wait(lambda: re.fullmatch(r"([0-9.,]+)\D* up to ([0-9.,]+)",
                text(self.driver, ".depth-tip")), "what is there").groups()
            side = BIDS if share < 0 else ASKS
            known = {Decimal(row[0]): row[2] for row in added_up(side, 80)}
            self.assertEqual(known[Decimal(price.replace(",", ""))], Decimal(total.replace(",", "")))
            found[share] = Decimal(total.replace(",", ""))
        self.assertGreater(found[-0.45], found[-0.2])
        self.assertGreater(found[0.45], found[0.2])

    def test_new_trades_stand_out_for_a_moment_and_the_oldest_go(self):
        self.show()
        prices = lambda trades: [trade["price"] for trade in reversed(trades)]
        shown = lambda: self.driver.execute_script(SHOWN_TRADES)
        self.wait(lambda: shown() == prices(self.trades(0, 28)), "the trades so far, the newest first")
        self.assertIsNone(find(self.driver, ".trades .fresh"))
        self.driver.execute_script(NOTE_MARKS)
        tell(self.driver, "trades", self.trades(28, 5))
        self.wait(lambda: shown() == prices(self.trades(3, 30)), "thirty, the newest first")
        new = sorted(prices(self.trades(28, 5)))
        marks = lambda: self.driver.execute_script("return window.marks")
        self.wait(lambda: sorted(marks()["went"]) == new, "that each mark goes")
        self.assertEqual([sorted(marks()["came"]), marks()["plain"]], [new, []])
        self.assertIsNone(find(self.driver, ".trades .fresh"))
        self.assertEqual(complaints(self.driver), [])

    def test_a_price_of_the_book_that_is_clicked_is_an_alert(self):
        self.sign_up("bo")
        self.show()
        for row, price in ((".bids tbody tr:nth-child(4)", BIDS[3][0]),
                (".asks tbody tr:nth-child(2)", ASKS[1][0])):
            self.click(f"{row} .size")
            level = self.wait(lambda: find(self.driver, "dialog input[name=level]"), "an alert at that price")
            self.assertEqual(Decimal(level.get_attribute("value")), Decimal(price))
            self.click("dialog button[type=submit]")
            self.wait(lambda: not find(self.driver, "dialog"), "the alert is made")
        made = [Decimal(rule["condition"]["level"]) for rule in self.call("GET", "/alerts")["items"]]
        self.assertEqual(sorted(made), [Decimal(BIDS[3][0]), Decimal(ASKS[1][0])])


if __name__ == "__main__":
    unittest.main(verbosity=2)
