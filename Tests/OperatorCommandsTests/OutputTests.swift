import Foundation
import Instruments
import JSON
import MarketData
import MarketStore
import Support
import Testing
import Wire

@testable import OperatorCommands

@Suite("Output")
struct OutputTests {
    @Test("JSON lines escape what JSON forbids and keep everything else")
    func escapes() throws {
        let text = "a\"b\\c\n\u{01}\u{1F}/é"
        var line = JSONWriter()
        line.beginObject()
        line.key(text)
        line.string(text)
        line.endObject()
        let object = try JSONSerialization.jsonObject(with: Data(line.bytes)) as? [String: String]
        #expect(object == [text: text])
    }

    @Test("a page goes over the one before, and every line is cleared to its end")
    func redraw() {
        let lines = [StyledLine("one", .bid), StyledLine("two"), StyledLine("three")]
        let first = Terminal.page(lines, rows: 2, isColoured: false, isFirst: true)
        #expect(
            String(decoding: first, as: UTF8.self)
                == "\u{1B}[?1049h\u{1B}[?25l\u{1B}[Hone\u{1B}[K\r\ntwo\u{1B}[K\u{1B}[J")
        let second = Terminal.page(lines, rows: nil, isColoured: true, isFirst: false)
        #expect(
            String(decoding: second, as: UTF8.self)
                == "\u{1B}[H\u{1B}[32mone\u{1B}[0m\u{1B}[K\r\ntwo\u{1B}[K\r\nthree\u{1B}[K\u{1B}[J")
    }

    @Test("a line that is too long ends in an ellipsis")
    func clipping() {
        var line = StyledLine("abc", .bid)
        line.append("defgh")
        #expect(line.clipped(to: 8).text == "abcdefgh")
        #expect(line.clipped(to: 6).text == "abcde…")
        #expect(line.clipped(to: 3).text == "ab…")
    }

    @Test("a table is as wide as its widest cells")
    func table() {
        var table = TextTable([("name", .left), ("count", .right), ("note", .left)])
        table.append([.init("a"), .init("1"), .init("first")])
        table.append([.init("longer"), .init("123456"), .init("")])
        #expect(
            table.lines(columns: 80).map(\.text) == [
                "name     count  note", "a            1  first", "longer  123456  ",
            ])
    }

    @Test("a table tells the terminal nothing that a text from elsewhere holds")
    func controls() {
        var table = TextTable([("note", .left)])
        table.append([.init("a\u{1B}[31mred\u{9B}\u{7F}\r\nβ")])
        #expect(table.lines(columns: 80).map(\.text).last == "a�[31mred����β")
    }

    @Test("sums and shares are exact beyond 63 bits")
    func wide() throws {
        let scale = try #require(Scale(8))
        #expect(WideText.text(Int128(Int64.max) * 4, scale, shown: scale) == "368934881474.19103228")
        #expect(WideText.text(5, scale, shown: scale) == "0.00000005")
        #expect(WideText.text(150_000_000, scale, shown: .tenths) == "1.5")
        #expect(WideText.percent(1, of: 3) == "33.3%")
        #expect(WideText.percent(2, of: 3) == "66.7%")
        #expect(WideText.percent(0, of: 0) == "-")
    }

    @Test(
        "an unknown symbol leads to the nearest ones",
        arguments: [
            ("BTC/USD", ["XBTUSD"]), ("xbtusdt", ["XBTUSD", "ETHUSDT"]), ("SOLUSD", ["SOLUSDT"]),
        ])
    func names(symbol: String, nearest: [String]) {
        let known = ["XBTUSD", "ETHUSDT", "SOLUSDT", "DOGEUSDT"]
        #expect(Array(NearestNames.symbols(to: symbol, among: known).prefix(nearest.count)) == nearest)
    }

    @Test("ages read as people say them")
    func ages() {
        let texts = [0, 1, 119, 120, 7_200, 172_800].map { ClockText.age(nanoseconds: $0 * 1_000_000_000) }
        #expect(texts == ["now", "1 s", "119 s", "2 min", "2 h", "2 d"])
    }

    @Test("a percentage is a number above 0")
    func percentages() throws {
        #expect(try Percent.parse("5%").isEqual(to: DecimalNumber(units: 5, scale: .zero)))
        #expect(try Percent.parse("0.5").isEqual(to: DecimalNumber(units: 5, scale: .tenths)))
        for text in ["", "%", "x", "0", "-1%", "5%%"] {
            #expect(throws: (any Error).self) { try Percent.parse(text) }
        }
    }

    @Test("the status names what is silent and what is not live")
    func status() throws {
        var service = Bitpal_V1_ServiceStatus()
        service.service = "bus-broker"
        service.instance = "0123456789"
        service.isReady = true
        service.startedUnixNanos = 0
        var feed = Bitpal_V1_FeedStatus()
        feed.venue = "kraken"
        feed.state = .live
        (feed.booksLive, feed.booksTotal) = (1, 2)
        let now = Timestamp(nanoseconds: 100_000_000_000)
        func said(_ event: WireEvent, ago seconds: Int64) -> RetainedEvent {
            let time = now.adding(nanoseconds: -seconds * 1_000_000_000)
            return RetainedEvent(
                topic: "", header: MessageHeader(producer: "p", epoch: 1, sequence: 1, publishedTime: time),
                event: event)
        }
        let top = BookTop(
            state: .syncing, reason: .sequenceGap, priceScale: .zero, sizeScale: .zero, bid: nil, ask: nil,
            at: nil,
            venueTime: nil, receivedTime: now)
        let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")
        var gone = top
        gone.reason = .unsubscribed
        let goneID = InstrumentID(venue: .kraken, symbol: "ETH/USD")
        let report = StatusReport(
            [
                said(.serviceStatus(service), ago: 60), said(.feedStatus(feed), ago: 1),
                said(.bookTop(id, top), ago: 0), said(.bookTop(goneID, gone), ago: 0),
            ],
            at: now)
        let text = report.lines(columns: 120).map(\.text)
        #expect(text[1].hasPrefix("bus-broker  silent   60 s   100 s  01234567"))
        #expect(text[4].split(separator: " ").prefix(6) == ["kraken", "live", "1", "s", "nobody", "1/2"])
        #expect(
            text.suffix(2) == [
                "books: 1 syncing, 0 live, 1 unlisted", "  kraken:BTC/USD  syncing, sequence-gap",
            ])
        let lines = report.json.split(separator: 0x0A)
        let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
        #expect(objects.map { $0?["type"] as? String } == ["service", "feed", "book", "book"])
    }
}
