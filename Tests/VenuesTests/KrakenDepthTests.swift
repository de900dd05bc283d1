import Instruments
import MarketData
import Testing
import Venues

/// Frames are shaped after Kraken's "Book" and "Book checksum" documentation of WebSocket v2.
@Suite("Kraken's ten hashed levels, and its depth")
struct KrakenDepthTests {
    /// The book as the venue has it, in whole units.
    private struct Levels {
        /// Prices and sizes, the best first.
        private(set) var asks: [(price: Int, size: Int)]
        private(set) var bids: [(price: Int, size: Int)]

        /// Asks from 101 up, bids from 100 down.
        init(aSide count: Int) {
            asks = (0..<count).map { (101 + $0, $0 + 1) }
            bids = (0..<count).map { (100 - $0, $0 + 1) }
        }

        mutating func set(_ side: BookSide, _ price: Int, _ size: Int) {
            var levels = (side == .ask ? asks : bids).filter { $0.price != price }
            if size > 0 { levels.append((price, size)) }
            levels.sort { side == .ask ? $0.price < $1.price : $0.price > $1.price }
            if side == .ask { asks = levels } else { bids = levels }
        }

        /// By hand: the digits of ten asks, then of ten bids, each the price with one place and the size with
        /// two.
        var checksum: UInt32 {
            var digits = (asks.prefix(10) + bids.prefix(10)).map { "\($0.price)0\($0.size)00" }.joined()
            return digits.withUTF8 { CRC32.checksum(UnsafeRawBufferPointer($0)) }
        }

        var snapshot: String { message("snapshot", bids: bids, asks: asks) }

        func update(_ side: BookSide, _ price: Int, _ size: Int, isWrong: Bool = false) -> String {
            let level = [(price: price, size: size)]
            return message(
                "update", bids: side == .bid ? level : [], asks: side == .ask ? level : [], isWrong: isWrong)
        }

        private func message(
            _ type: String, bids: [(price: Int, size: Int)], asks: [(price: Int, size: Int)],
            isWrong: Bool = false
        ) -> String {
            func text(_ levels: [(price: Int, size: Int)]) -> String {
                levels.map { #"{"price":\#($0.price).0,"qty":\#($0.size).00}"# }.joined(separator: ",")
            }
            return
                #"{"channel":"book","type":"\#(type)","data":[{"symbol":"BTC/USD","bids":[\#(text(bids))],"#
                + #""asks":[\#(text(asks))],"checksum":\#(isWrong ? checksum ^ 1 : checksum),"#
                + #""timestamp":"2026-01-01T00:00:00.000000Z"}]}"#
        }
    }

    private func live(_ levels: Levels) throws -> SessionDriver {
        var driver = SessionDriver(.replay(of: Kraken.description))
        driver.receive(levels.snapshot)
        try #require(driver.state("BTC/USD") == .live)
        return driver
    }

    @Test("a side of nine, ten and eleven levels is hashed as far as ten", arguments: 9...11)
    func hashed(count: Int) throws {
        var levels = Levels(aSide: count)
        var driver = try live(levels)
        // The worst and the best of each side, then those gone: the eleventh rises.
        let changes: [(BookSide, Int, Int)] = [
            (.ask, 100 + count, 70), (.bid, 101 - count, 70), (.ask, 101, 80), (.bid, 100, 80),
            (.ask, 101, 0), (.bid, 100, 0), (.ask, 100 + count, 0), (.bid, 101 - count, 0),
        ]
        for (side, price, size) in changes {
            levels.set(side, price, size)
            #expect(bookEvents(driver.receive(levels.update(side, price, size))) == 1)
            #expect(driver.state("BTC/USD") == .live, "\(side) \(price) \(size)")
        }
        let counters = driver.output.counters
        #expect(
            counters.checksums == UInt64(changes.count + 1) && counters.checksumsRight == counters.checksums)
        #expect(bookEvents(driver.receive(levels.update(.ask, 200, 1, isWrong: true))) == 0)
        #expect(driver.state("BTC/USD") == .syncing)
    }

    /// The hash is kept from message to message, and with it which prices it looked at.
    @Test("a trade with more places than any level changes no hash, and changes after it count")
    func finerTrade() throws {
        for (price, size) in [("100.55", "1.00"), ("100.5", "1.0001")] {
            var levels = Levels(aSide: 11)
            var driver = try live(levels)
            driver.receive(
                #"{"channel":"trade","type":"update","data":[{"symbol":"BTC/USD","side":"buy","price":\#(price),"#
                    + #""qty":\#(size),"trade_id":1,"timestamp":"2026-01-01T00:00:00.000000Z"}]}"#)
            for (side, price, size) in [
                (BookSide.ask, 105, 50), (.bid, 95, 50), (.ask, 111, 7), (.ask, 101, 0),
            ] {
                levels.set(side, price, size)
                driver.receive(levels.update(side, price, size))
                #expect(driver.state("BTC/USD") == .live, "\(side) \(price)")
            }
        }
    }

    @Test("an unseen change within the ten costs the book, at whichever rank", arguments: 0..<10)
    func unseen(rank: Int) throws {
        for side in [BookSide.ask, .bid] {
            var levels = Levels(aSide: 11)
            var driver = try live(levels)
            let price = side == .ask ? 101 + rank : 100 - rank
            levels.set(side, price, 90)
            // The next message is about another level, of the other side.
            let (other, otherPrice) = side == .ask ? (BookSide.bid, 95) : (.ask, 105)
            levels.set(other, otherPrice, 50)
            driver.receive(levels.update(other, otherPrice, 50))
            #expect(driver.state("BTC/USD") == .syncing, "\(side) \(price)")
        }
    }

    @Test("what falls out of the depth is told, and what just fits stays", arguments: [(9, 1), (10, 2)])
    func depth(count: Int, changes: Int) throws {
        for side in [BookSide.ask, .bid] {
            var levels = Levels(aSide: count)
            var driver = try live(levels)
            let worst = side == .ask ? 101 + count : 100 - count
            levels.set(side, worst, 5)
            let events = driver.receive(levels.update(side, worst, 5))
            guard case .book(let book) = try #require(events.first) else {
                Issue.record("no change of the book")
                continue
            }
            let told = driver.output.levels[book.levels]
            #expect(told.count == changes)
            #expect(told.allSatisfy { $0.side == side && $0.price == told.first?.price })
            #expect((told.last?.size.rawValue == 0) == (changes == 2))
            #expect((side == .ask ? book.summary.askCount : book.summary.bidCount) == 10)
            #expect(driver.state("BTC/USD") == .live)
        }
    }

    @Test(
        "a level needs a price above zero and a size that is not below",
        arguments: [("0.0", "1.00"), ("-1.0", "1.00"), ("102.0", "-1.00"), ("0.0", "0.00")])
    func level(price: String, size: String) throws {
        let levels = Levels(aSide: 3)
        var driver = try live(levels)
        let update = levels.update(.ask, 102, 2)
        let text = #"{"price":102.0,"qty":2.00}"#
        try #require(update.contains(text))
        let events = driver.receive(update.replacing(text, with: #"{"price":\#(price),"qty":\#(size)}"#))
        #expect(bookEvents(events) == 0)
        #expect(driver.output.counters.malformed == 1 && driver.state("BTC/USD") == .syncing)
    }
}
