import Instruments
import MarketData
import Support
import Testing
import Venues

/// Frames are shaped after BitMEX's "WebSocket API" documentation.
@Suite("BitMEX's book procedure")
struct BitMEXSessionTests {
    private func book(_ action: String, _ rows: String) -> String {
        "{\"table\":\"orderBookL2\",\"action\":\"\(action)\",\"data\":[\(rows)]}"
    }

    private func row(_ id: Int, _ side: String, _ size: Int?, _ price: String?, symbol: String = "XBTUSD")
        -> String
    {
        var text = "{\"symbol\":\"\(symbol)\",\"id\":\(id),\"side\":\"\(side)\""
        if let size { text += ",\"size\":\(size)" }
        if let price { text += ",\"price\":\(price)" }
        return text + "}"
    }

    private func live() throws -> SessionDriver {
        var driver = try SessionDriver(.replay(of: .bitmex))
        driver.receive(book("partial", "\(row(1, "Sell", 10, "100.5")),\(row(2, "Buy", 20, "100"))"))
        return driver
    }

    /// Source: BitMEX API Explorer, "Instrument": multipliers of XBTUSD, XBTUSDT and ETHUSD.
    @Test(
        "a contract's worth is in its quote asset; of one that is settled in another coin it is not known",
        arguments: [
            ("-100000000", "USD", "XBt", true, "1"), ("1", "USDT", "USDt", false, "0.000001"),
            ("100", "USD", "XBt", false, "0"),
        ])
    func worth(multiplier: String, quote: String, settlement: String, isInverse: Bool, worth: String) throws {
        var driver = try live()
        let events = try driver.respond(
            "https://www.bitmex.com/api/v1/instrument/active",
            """
            [{"symbol":"XBTUSD","typ":"FFWCSX",\
            "underlying":"XBT","quoteCurrency":"\(quote)","settlCurrency":"\(settlement)","tickSize":0.5,\
            "lotSize":100,"multiplier":\(multiplier),"isInverse":\(isInverse)}]
            """)
        let defined = events.compactMap { event -> Instrument? in
            if case .instrument(_, let instrument) = event { instrument } else { nil }
        }
        #expect(try #require(defined.first).contractMultiplier?.description == worth)
    }

    @Test("messages before the partial are dropped")
    func beforePartial() throws {
        var driver = try SessionDriver(.replay(of: .bitmex))
        let events = driver.receive(book("insert", row(9, "Buy", 5, "99")))
        #expect(bookEvents(events) == 0)
        #expect(driver.state("XBTUSD") == .syncing)
    }

    @Test("rows without a price take it from the id")
    func priceFromID() throws {
        var driver = try live()
        driver.receive(book("update", row(2, "Buy", 25, nil)))
        driver.receive(book("insert", row(3, "Buy", 7, "99.5")))
        driver.receive(book("delete", row(1, "Sell", nil, nil)))
        #expect(driver.text("XBTUSD") == "100×25 99.5×7 | ")
        #expect(driver.state("XBTUSD") == .live)
    }

    @Test("rows with a price are checked against the id")
    func statedPrice() throws {
        var driver = try live()
        driver.receive(book("update", row(2, "Buy", 25, "100.0")))
        #expect(driver.state("XBTUSD") == .live)
        driver.receive(book("update", row(2, "Buy", 25, "99")))
        #expect(driver.state("XBTUSD") == .syncing)
    }

    @Test(
        "what contradicts the book costs it",
        arguments: [
            ("update", 77, "Buy", 5 as Int?, "99" as String?), ("delete", 77, "Buy", nil, nil),
            ("insert", 2, "Buy", 5, "99"),
            ("insert", 5, "Buy", 5, "100"), ("update", 1, "Buy", 5, nil),
        ])
    func contradictions(action: String, id: Int, side: String, size: Int?, price: String?) throws {
        var driver = try live()
        let events = driver.receive(book(action, row(id, side, size, price)))
        #expect(states(events) == [.syncing])
        #expect(bookEvents(events) == 0)
        #expect(driver.output.counters.resyncs == 1)
    }

    /// One change of a row on the book of ``live()``.
    struct RowCase: Sendable {
        let action: String
        let id: Int
        let side: String
        let size: Int?
        let price: String?
        /// The book after it; `nil` where it costs the book.
        let book: String?

        init(_ action: String, _ id: Int, _ side: String, _ size: Int?, _ price: String?, _ book: String?) {
            (self.action, self.id, self.side) = (action, id, side)
            (self.size, self.price, self.book) = (size, price, book)
        }
    }

    @Test(
        "a row is judged by what the book has of its id, its side and its price",
        arguments: [
            RowCase("insert", 3, "Buy", 1, "99", "100×20 99×1 | 100.5×10"),
            RowCase("insert", 3, "Buy", 1, "100.25", "100.25×1 100×20 | 100.5×10"),
            RowCase("insert", 3, "Sell", 1, "101", "100×20 | 100.5×10 101×1"),
            // The key is the id with the side.
            RowCase("insert", 1, "Buy", 1, "99", "100×20 99×1 | 100.5×10"),
            RowCase("insert", 2, "Buy", 1, "99", nil), RowCase("insert", 2, "Buy", 20, "100", nil),
            RowCase("insert", 3, "Buy", 1, "100", nil), RowCase("insert", 3, "Sell", 1, "100.50", nil),
            RowCase("insert", 3, "Buy", 0, "99", nil), RowCase("insert", 3, "Buy", -1, "99", nil),
            RowCase("insert", 3, "Buy", nil, "99", nil), RowCase("insert", 3, "Buy", 1, nil, nil),
            RowCase("update", 2, "Buy", 1, nil, "100×1 | 100.5×10"),
            RowCase("update", 2, "Buy", 1, "100.00", "100×1 | 100.5×10"),
            RowCase("update", 2, "Buy", 1, "99.5", nil), RowCase("update", 2, "Buy", 1, "100.5", nil),
            RowCase("update", 2, "Sell", 1, nil, nil), RowCase("update", 3, "Buy", 1, nil, nil),
            RowCase("update", 2, "Buy", 0, nil, nil), RowCase("update", 2, "Buy", -1, nil, nil),
            RowCase("update", 2, "Buy", nil, nil, nil),
            RowCase("delete", 2, "Buy", nil, nil, " | 100.5×10"),
            RowCase("delete", 2, "Buy", nil, "100", " | 100.5×10"),
            RowCase("delete", 2, "Buy", 0, nil, " | 100.5×10"),
            RowCase("delete", 2, "Buy", nil, "99.5", nil), RowCase("delete", 2, "Sell", nil, nil, nil),
            RowCase("delete", 3, "Buy", nil, nil, nil),
        ])
    func rows(change: RowCase) throws {
        var driver = try live()
        let text = row(change.id, change.side, change.size, change.price)
        let events = driver.receive(book(change.action, text))
        #expect(bookEvents(events) == (change.book == nil ? 0 : 1))
        #expect(driver.state("XBTUSD") == (change.book == nil ? .syncing : .live))
        #expect(driver.text("XBTUSD") == change.book ?? " | ")
        #expect(driver.output.counters.resyncs == (change.book == nil ? 1 : 0))
    }

    @Test("an image has each id and each price once, and no row without a size")
    func partials() throws {
        let ask = row(1, "Sell", 10, "100.5")
        for (rows, isTaken) in [
            ([ask, row(2, "Buy", 20, "100")], true), ([ask, row(1, "Buy", 20, "100")], true),
            ([ask, row(1, "Sell", 20, "101")], false), ([ask, row(2, "Sell", 20, "100.5")], false),
            ([ask, row(2, "Buy", 0, "100")], false), ([ask, row(2, "Buy", nil, "100")], false),
            ([ask, row(2, "Buy", 20, nil)], false),
        ] {
            var driver = try live()
            driver.receive(book("partial", rows.joined(separator: ",")))
            #expect(driver.state("XBTUSD") == (isTaken ? .live : .syncing), "\(rows)")
        }
    }

    @Test("a lost book is subscribed to again and whole with the next partial")
    func resubscription() throws {
        var driver = try live()
        driver.receive(book("delete", row(77, "Buy", nil, nil)))
        #expect(
            driver.output.actions == [
                .send(connection: 0, text: #"{"op":"unsubscribe","args":["orderBookL2:XBTUSD"]}"#),
                .send(connection: 0, text: #"{"op":"subscribe","args":["orderBookL2:XBTUSD"]}"#),
            ])
        driver.receive(book("update", row(2, "Buy", 1, nil)))
        #expect(driver.state("XBTUSD") == .syncing)
        driver.receive(book("partial", row(2, "Buy", 3, "100")))
        #expect(driver.state("XBTUSD") == .live)
        #expect(driver.text("XBTUSD") == "100×3 | ")
    }

    @Test("one message may hold several instruments, and a fault of one leaves the others")
    func severalInstruments() throws {
        var driver = try live()
        driver.receive(book("partial", row(1, "Sell", 4, "3000", symbol: "ETHUSD")))
        let rows = [row(77, "Buy", 5, nil), row(1, "Sell", 8, nil, symbol: "ETHUSD")]
        let events = driver.receive(book("update", rows.joined(separator: ",")))
        #expect(driver.state("XBTUSD") == .syncing)
        #expect(driver.state("ETHUSD") == .live)
        #expect(driver.text("ETHUSD") == " | 3000×8")
        #expect(bookEvents(events) == 1)
    }

    @Test("a message that breaks off changes nothing and costs the book that it names")
    func truncated() throws {
        var driver = try live()
        driver.receive(book("partial", row(1, "Sell", 4, "3000", symbol: "ETHUSD")))
        let frame = String(book("update", row(2, "Buy", 25, nil)).dropLast(3))
        let events = driver.receive(frame)
        #expect(bookEvents(events) == 0)
        #expect(driver.output.counters.malformed == 1)
        #expect(driver.state("XBTUSD") == .syncing)
        #expect(driver.state("ETHUSD") == .live)
    }

    @Test("bytes that are no message about a book cost nothing")
    func noise() throws {
        var driver = try live()
        driver.receive("not json at all")
        driver.receive("{\"table\":\"chat\",\"data\":[")
        #expect(driver.output.counters.malformed == 2)
        #expect(driver.state("XBTUSD") == .live)
    }

    @Test("prices in exponent form are exact")
    func exponents() throws {
        var driver = try SessionDriver(.replay(of: .bitmex))
        driver.receive(book("partial", row(1, "Sell", 10, "1.819e-05", symbol: "XRPU21")))
        #expect(driver.text("XRPU21") == " | 0.00001819×10")
    }

    @Test("silence is answered by a ping and then by a reconnect")
    func idle() throws {
        var configuration = VenueConfiguration(BitMEX.description)
        configuration.subscriptions = [("XBTUSD", [.book])]
        var driver = SessionDriver(configuration)
        var time = driver.clock
        driver.session.opened(connection: 0, at: time, into: &driver.output)
        driver.output.removeAll()
        time = time.adding(nanoseconds: 5_100_000_000)
        driver.session.tick(at: time, into: &driver.output)
        #expect(driver.output.actions == [.send(connection: 0, text: "ping")])
        driver.output.removeAll()
        time = time.adding(nanoseconds: 5_100_000_000)
        driver.session.tick(at: time, into: &driver.output)
        #expect(driver.output.actions.contains(.reconnect(connection: 0, reason: "no answer to ping")))
    }

    @Test("a mark price is read where a row of its instrument has one")
    func mark() throws {
        var driver = try live()
        func marks(_ row: String) -> [String] {
            driver.receive("{\"table\":\"instrument\",\"action\":\"update\",\"data\":[\(row)]}").compactMap {
                event in
                if case .mark(_, let mark) = event { "\(mark.price) \(mark.venueTime.iso8601)" } else { nil }
            }
        }
        let time = "\"timestamp\":\"2021-07-22T22:36:05.000Z\""
        #expect(
            marks("{\"symbol\":\"XBTUSD\",\"markPrice\":32298.25,\"fairPrice\":32298.25,\(time)}")
                == ["32298.25 2021-07-22T22:36:05.000000000Z"])
        #expect(marks("{\"symbol\":\"XBTUSD\",\"openValue\":5,\(time)}").isEmpty)
        #expect(marks("{\"symbol\":\"XBTUSD\",\"markPrice\":null,\(time)}").isEmpty)
        #expect(marks("{\"symbol\":\"UNKNOWN\",\"markPrice\":1,\(time)}").isEmpty)
    }
}
