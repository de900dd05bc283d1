import Instruments
import MarketData
import Support
import Testing
import Venues

/// Frames are shaped after Kraken's "Book" and "Book checksum" documentation of WebSocket v1 and v2.
@Suite("Kraken's book procedure")
struct KrakenSessionTests {
    private static let askPrices = (0..<10).map { 5_005 + $0 * 5 }
    private static let bidPrices = [5_000, 4_995, 4_990, 4_980, 4_975, 4_970, 4_965, 4_960, 4_955, 4_950]

    /// Ten levels a side, as in the documentation's example: asks from 0.05005, bids from 0.05000 without
    /// 0.04985.
    private var snapshotV1: String {
        func levels(_ prices: [Int]) -> String {
            prices.map { "[\"0.0\($0)\",\"0.00000500\",\"1582905487.684110\"]" }.joined(separator: ",")
        }
        return
            "[0,{\"as\":[\(levels(Self.askPrices))],\"bs\":[\(levels(Self.bidPrices))]},\"book-10\",\"XBT/USD\"]"
    }

    private func updateV1(_ level: String, side: String = "a", checksum: String) -> String {
        "[0,{\"\(side)\":[\(level)],\"c\":\"\(checksum)\"},\"book-10\",\"XBT/USD\"]"
    }

    /// The documented example has the checksum 974947235.
    @Test("the documented checksum is right and any other costs the book")
    func documentedChecksum() throws {
        var driver = try SessionDriver(.replay(of: .kraken))
        driver.receive(snapshotV1)
        // Setting a level to what it is already changes nothing.
        let same = "[\"0.05005\",\"0.00000500\",\"1582905487.684110\"]"
        driver.receive(updateV1(same, checksum: "974947235"))
        #expect(driver.state("XBT/USD") == .live)
        #expect(driver.output.counters.checksumsRight == 1)
        let events = driver.receive(updateV1(same, checksum: "974947236"))
        #expect(states(events) == [.syncing])
        #expect(bookEvents(events) == 0)
    }

    @Test("levels beyond the subscribed depth are dropped, and consumers are told")
    func truncation() throws {
        var driver = try SessionDriver(.replay(of: .kraken))
        driver.receive(snapshotV1)
        let better = "[\"0.05001\",\"0.00000100\",\"1582905488.000000\"]"
        // What is hashed, by hand: the new ask, nine of the old ones, ten bids.
        let asks = ["5001100"] + Self.askPrices.prefix(9).map { "\($0)500" }
        let bids = Self.bidPrices.map { "\($0)500" }
        let text = Array((asks + bids).joined().utf8)
        let checksum = text.withUnsafeBytes { CRC32.checksum($0) }
        let events = driver.receive(updateV1(better, checksum: "\(checksum)"))
        #expect(driver.state("XBT/USD") == .live)
        guard case .book(let book) = try #require(events.first) else {
            return #expect(Bool(false), "no delta")
        }
        #expect(book.summary.askCount == 10)
        // The new level, and the removal of the one that fell out.
        let changes = driver.output.levels[book.levels].map { "\($0.price.rawValue)×\($0.size.rawValue)" }
        #expect(changes == ["5001×100", "5050×0"])
    }

    @Test("an update without a checksum proves nothing")
    func missingChecksum() throws {
        var driver = try SessionDriver(.replay(of: .kraken))
        driver.receive(snapshotV1)
        driver.receive("[0,{\"a\":[[\"0.05005\",\"0.1\",\"1582905487.684110\"]]},\"book-10\",\"XBT/USD\"]")
        #expect(driver.state("XBT/USD") == .syncing)
    }

    @Test("trades without an id have the same one each time the tape is read, equals counted")
    func derivedIDs() throws {
        let frame = """
            [1,[["5541.2","0.158","1534614057.321597","s","l",""],["5541.2","0.158","1534614057.321597","s","l",""],\
            ["6060.0","0.02455000","1534614057.324998","b","l",""]],"trade","XBT/USD"]
            """
        var first = try SessionDriver(.replay(of: .kraken))
        var second = try SessionDriver(.replay(of: .kraken))
        let ids = trades(first.receive(frame)).map(\.id)
        #expect(Set(ids).count == 3)
        #expect(trades(second.receive(frame)).map(\.id) == ids)
        let derived = trades(first.output.events).filter(\.hasDerivedID)
        #expect(derived.count == 3)
    }

    @Test("REST gives more digits of the time and the same derived id")
    func derivedIDsByREST() throws {
        var configuration = VenueConfiguration.replay(of: Kraken.description)
        configuration.krakenInterface = .v1
        var driver = SessionDriver(configuration)
        let live = trades(
            driver.receive(#"[1,[["5541.2","0.158","1534614057.321597","s","l",""]],"trade","XBT/USD"]"#))
        let missed = trades(
            try driver.respond(
                "https://api.kraken.com/0/public/Trades?pair=XBTUSD&since=1",
                #"{"error":[],"result":{"XXBTZUSD":[["5541.20000","0.15800000",1534614057.3215971,"s","l","",7]],"#
                    + #""last":"1534614057321597"}}"#))
        #expect(missed.map(\.id) == live.map(\.id))
        #expect(missed.first?.isBackfill == true)
    }

    @Test("a v2 trade has the venue's id and side")
    func tradesV2() throws {
        var driver = try SessionDriver(.replay(of: .kraken))
        let frame = """
            {"channel":"trade","type":"update","data":[{"symbol":"MATIC/USD","side":"sell","price":0.5117,"qty":40.0,\
            "ord_type":"market","trade_id":4665906,"timestamp":"2023-09-25T07:49:37.708706Z"}]}
            """
        let trade = try #require(trades(driver.receive(frame)).first)
        #expect(trade.id == "4665906")
        #expect(trade.side == .sell)
        #expect(trade.venueTime.iso8601(fractionDigits: 6) == "2023-09-25T07:49:37.708706Z")
    }

    private func trades(_ events: [MarketEvent]) -> [Trade] {
        events.compactMap { event in
            if case .trade(_, let trade) = event { trade } else { nil }
        }
    }
}
