"""A recorded session, replayed behind the page: what is shown moves with it, and ends as the session did.

The installation is that of page_test.py, with recordings of real sessions in the place of the demo's market:
PAGE_RECORDED names instruments, each with the folder of what its recording must end with. Moving is for an
installation that plays its recording again and again, Replay for one that plays each once.
"""

import gzip
import json
import os
import pathlib
import subprocess
import unittest
from decimal import Decimal

from browser import complaints, find, go, state
from page import Page

RECORDED = dict(json.loads(os.environ["PAGE_RECORDED"]))
LEVELS = 20
TRADES = 30

# Every book and every list of trades that is shown, as it is shown, from the first on.
NOTE = """
    window.books = new Set();
    window.tapes = new Set();
    const rows = (selector) => [...document.querySelectorAll(selector)].map((row) => row.textContent).join();
    new MutationObserver(() => {
      const [book, tape] = [rows('.book-side tbody tr'), rows('.trades tbody tr')];
      if (book) window.books.add(book);
      if (tape) window.tapes.add(tape);
    }).observe(document, { subtree: true, childList: true, characterData: true });
"""
# Both sides as a reader sees them: price, size and what is accumulated, without the marks between thousands.
BOOK = """
    const side = (name) => [...document.querySelectorAll(`.book-side.${name} tbody tr`)]
      .filter((row) => row.dataset.price)
      .map((row) => [...row.cells].map((cell) => cell.textContent.replaceAll(',', '')));
    const { state } = document.querySelector('.book .tag').dataset;
    return { bids: side('bids'), asks: side('asks'), state };
"""
# Price, amount and side, newest first: the arrow and the words for those who do not see it say the same.
TAPE = """
    return [...document.querySelectorAll('.trades tbody tr')].map((row) => {
      const [price, amount] = row.cells;
      const plain = (text) => text.replaceAll(',', '');
      const words = [...price.children].map((one) => one.textContent).join('');
      const side = { '▴bought': 'buy', '▾sold': 'sell' }[words];
      return [plain(price.lastChild.textContent), plain(amount.textContent), side,
        row.classList.contains(side) ? side : 'another colour'];
    });
"""


def levels(side):
    """The best levels of a side with what is accumulated up to each, as numbers."""
    total, found = Decimal(0), []
    for price, size in side[:LEVELS]:
        total += Decimal(size)
        found.append([Decimal(price), Decimal(size), total])
    return found


def told(trades):
    """What the page tells of trades."""
    return [[Decimal(trade["price"]), Decimal(trade["amount"]), trade["side"]] for trade in trades]


def expected(instrument):
    """What another implementation found at the end of the recording: the best levels, and all trades."""
    symbol, folder = instrument.split(":", 1)[1], pathlib.Path(RECORDED[instrument])
    book = json.loads((folder / "summary.json").read_text())["final_book"][symbol]
    with gzip.open(folder / "trades.jsonl.gz", "rt") as lines:
        trades = [trade for trade in map(json.loads, lines) if trade["symbol"] == symbol]
    return {side: levels(book[side]) for side in ("bids", "asks")}, told(reversed(trades))[:TRADES]


class Recorded(Page):
    """Somebody who looks at an instrument of a recording."""

    def shown(self):
        return self.driver.execute_script(BOOK)

    def book(self):
        """Both sides in numbers."""
        shown = self.shown()
        return {side: [[Decimal(text) for text in row] for row in shown[side]] for side in ("bids", "asks")}

    def tape(self):
        found = self.driver.execute_script(TAPE)
        self.assertEqual([side for _, _, side, _ in found], [colour for _, _, _, colour in found])
        return [[Decimal(price), Decimal(amount), side] for price, amount, side, _ in found]


class Moving(Recorded):
    """Somebody who looks on while a recording is played, however long it takes to get there."""

    def test_book_and_trades_move(self):
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NOTE})
        instrument = next(iter(RECORDED))
        go(self.driver, f"/instrument/{instrument}")
        seen = lambda what: self.driver.execute_script(f"return window.{what}.size")
        self.wait(lambda: seen("books") > 2, "books that move")
        # The next rounds bring the trades of the first again, which is no news: late ones see them all at once.
        _, trades = expected(instrument)
        self.wait(lambda: seen("tapes") > 2 or self.tape() == trades, "tapes that move, or all of its trades")
        self.assertEqual(complaints(self.driver), [])


class Replay(Recorded):
    """Somebody who looks on while recordings come to their end."""

    def test_book_and_trades_end_as_the_session_did(self):
        for instrument in RECORDED:
            self.follow(instrument)
        self.assertEqual(complaints(self.driver), [])

    def follow(self, instrument):
        book, trades = expected(instrument)
        self.assertEqual([len(book["bids"]), len(book["asks"])], [LEVELS, LEVELS])
        go(self.driver, f"/instrument/{instrument}")
        self.wait(lambda: self.book() == book, "the book that the session ends with")
        self.wait(lambda: self.tape() == trades, "its trades")
        # A moment's doubt about who says it is no other book, and comes to an end.
        said = self.wait(lambda: self.agreed(instrument), "a live book, here and in the command")
        self.assertEqual(said, book)
        # What is said is stored a moment later, and the command reads what is stored.
        listed = lambda: self.command("trades", instrument, "--limit", str(TRADES)).splitlines()
        self.wait(lambda: told(map(json.loads, listed())) == trades, "its trades in the command")
        self.assertEqual(self.tape(), trades)
        self.wait(lambda: state(self.driver) == "live", "a live connection")
        self.assertIsNone(find(self.driver, ".banner:not([hidden])"))

    def agreed(self, instrument):
        """The live book that the page and the command show alike; None where they do not."""
        said = lambda: json.loads(self.command("book", instrument, "--depth", str(LEVELS)))
        first, shown, book, second = said(), self.shown()["state"], self.book(), said()
        # Nothing came in between: it is the very book that the command speaks of.
        place = lambda answer: [answer["epoch"], answer["sequence"], answer["state"]]
        is_one = place(first) == place(second) and first["state"] == shown == "live"
        return book if is_one and book == {side: levels(first[side]) for side in book} else None

    def command(self, name, instrument, *options):
        arguments = [os.environ["PAGE_BITPAL"], name, *instrument.split(":", 1), *options, "--json"]
        return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    unittest.main(verbosity=2)
