import Instruments
import JSON
import MarketData
import Testing

@testable import VenueSimulation

@Suite("Addresses, messages and views")
struct TextTests {
    @Test("an address is a prefix, a path and an unescaped query")
    func address() throws {
        let (prefix, rest) = try #require(
            RequestAddress("/kraken/0/public/Trades?pair=XBT%2FUSD&since=5&x").prefixed)
        #expect(prefix == "kraken")
        #expect(rest.path == "/0/public/Trades")
        #expect(rest["pair"] == "XBT/USD")
        #expect(rest.integer("since") == 5)
        #expect(rest["x"] == "" && rest["y"] == nil)
        #expect(RequestAddress("/kraken/").prefixed?.rest.path == "")
        #expect(RequestAddress("/").prefixed == nil)
        #expect(RequestAddress(url: "https://a.b:1/c/d?e=f%").path == "/c/d")
        #expect(RequestAddress(url: "wss://a.b").path == "")
    }

    @Test("documents keep the text of their numbers and the order of their members")
    func documents() throws {
        let text = #"{"b":[1.50,-2e-7,"\u00e9\n",true,null],"a":{}}"#
        var bytes = JSONWriter(shortensLineFeeds: false)
        bytes.value(try #require(JSONValue(message: Array(text.utf8))))
        #expect(
            String(decoding: bytes.bytes, as: UTF8.self) == #"{"b":[1.50,-2e-7,"é\u000a",true,null],"a":{}}"#)
        for broken in ["", "{", "[1,]", "nul", "{\"a\":1}x", "--", String(repeating: "[", count: 100)] {
            #expect(JSONValue(message: Array(broken.utf8)) == nil, "\(broken)")
        }
    }

    @Test("rows are cut byte for byte, and nothing else of the message is touched")
    func rows() {
        let frame = #"{"a":1, "data":[ {"symbol":"X","n":[1]} , {"symbol":"Y"},{"n":2}],"z":2}"#
        let kept = RowFilter.rebuild(Array(frame.utf8)) { $0 == "Y" }.map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(kept == #"{"a":1, "data":[{"symbol":"Y"}],"z":2}"#)
        #expect(RowFilter.rebuild(Array(frame.utf8)) { _ in false } == nil)
        #expect(RowFilter.rebuild(Array("[]".utf8)) { _ in true } == nil)
    }

    @Test("topics are found by their bytes, in either case where the venue does not care")
    func topics() {
        var table = VenueTopicTable(foldsCase: true)
        let book = table.enter(.book, "btcusdt")
        #expect(table.find(.book, "BTCUSDT") == book)
        #expect(table.find(.trade, "BTCUSDT") == nil)
        #expect(table.symbols == ["BTCUSDT"])
        for number in 0..<500 { _ = table.enter(.trade, "S\(number)") }
        #expect(table.count == 501)
        #expect((0..<500).allSatisfy { table.find(.trade, "s\($0)").map { table[$0].kind } == .trade })
        #expect(table.enter(.book, "") == nil)
        var exact = VenueTopicTable(foldsCase: false)
        _ = exact.enter(.book, "XBTUSD")
        #expect(exact.find(.book, "xbtusd") == nil)
    }

    @Test("a view's changes lead from the old best levels to the new ones")
    func views() {
        func level(_ price: Int64, _ size: Int64) -> BookLevel {
            BookLevel(price: Price(price), size: Quantity(size))
        }
        var book = Book(priceScale: .zero, sizeScale: .zero)
        book.replace(bids: [level(10, 1), level(9, 2), level(8, 3)], asks: [level(11, 1)])
        let before = BookSides(bids: [level(10, 1), level(8, 3)], asks: [level(11, 4), level(12, 5)])
        let after = BookSides(bids: [level(10, 1), level(9, 2)], asks: [level(11, 1)])
        #expect(
            ViewChange.between(before, after, in: book) == [
                ViewChange(kind: .pushedOut, side: .bid, level: level(8, 3)),
                ViewChange(kind: .added, side: .bid, level: level(9, 2)),
                ViewChange(kind: .removed, side: .ask, level: level(12, 5)),
                ViewChange(kind: .resized, side: .ask, level: level(11, 1)),
            ])
    }

    @Test("a tape keeps the newest messages")
    func tape() {
        var tape = TradeTape(limit: 16)
        for number in 0..<40 { tape.append([UInt8(number)], 3) }
        let kept = tape.frames(of: 3)
        #expect(kept.count <= 16 && kept.last == [39])
        #expect(tape.dropped == 40 - kept.count)
        #expect(tape.frames(of: 4).isEmpty)
    }

    @Test(
        "a pair is found under each of its spellings",
        arguments: [
            ("XBT/CHF", "XBTCHF"), ("BTC/USD", "XBTUSD"), ("BTC/USD", "BTCUSD"), ("ETH/XBT", "ETHBTC"),
            ("XDG/USD", "DOGEUSD"),
        ])
    func pairs(symbol: String, asked: String) { #expect(KrakenREST.name(symbol) == KrakenREST.name(asked)) }
}
