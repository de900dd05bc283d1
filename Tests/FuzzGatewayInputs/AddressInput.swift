import Instruments
import MarketData
import Portfolio
import Store

@testable import Alerting
@testable import GatewayAPI
@testable import GatewayFrame
@testable import GatewayStream

/// What an address says: its path, the names in it, its parameters, and the place where a page begins.
enum AddressInput {
    // MARK: - Parameters

    /// What a list, a chart, a book and the events make of the parameters is within what they promise.
    static func readQuery(_ bytes: [UInt8]) {
        guard let query = try? RequestQuery(bytes.asText) else { return }
        let context = BlankRequest.context(query: query)
        if let page = try? context.page(of: "trades") {
            precondition((1...500).contains(page.limit), "a page of \(page.limit)")
        }
        if let question = try? CandleListQuery(context, list: "candles") {
            precondition((1...1_000).contains(question.limit), "\(question.limit) candles")
        }
        if let question = try? BookQuery(query) { check(question) }
        if let names = try? StreamEvents.names(query) {
            precondition((1...StreamEvents.topicLimit).contains(names.count), "\(names.count) topics")
        }
        if let time = try? query.time("from") {
            precondition(Timestamp(iso8601: time.iso8601) == time, "a time changed on its way")
        }
        _ = try? query.choice("kind", TransactionKind.self)
        _ = try? query.flag("live")
        try? query.check(knows: ["limit", "cursor"])
    }

    private static func check(_ question: BookQuery) {
        precondition((1...1_000).contains(question.depth), "\(question.depth) levels")
        precondition((1...10_000).contains(question.within ?? 1), "levels within nothing")
        for book in books {
            guard let sides = try? question.levels(of: book) else { continue }
            precondition(max(sides.bids.count, sides.asks.count) <= question.depth, "more levels than asked")
        }
    }

    /// An ordinary book, and one with the least and the greatest that an integer holds.
    private static let books: [Book] = [
        book([(1_000_050, 5), (1_000_000, 7)], [(1_000_100, 2), (1_000_150, 9)]),
        book([(1, .max), (2, .max)], [(.max - 1, .max), (.max, .max)]),
    ]

    private static func book(_ bids: [(Int64, Int64)], _ asks: [(Int64, Int64)]) -> Book {
        var book = Book(priceScale: Scale(2) ?? .zero, sizeScale: .zero)
        for (side, levels) in [(BookSide.bid, bids), (.ask, asks)] {
            for (price, size) in levels {
                book.apply(BookLevelChange(side: side, price: Price(price), size: Quantity(size)))
            }
        }
        return book
    }

    // MARK: - Paths

    /// A path that passes has neither steps upwards nor control characters; a name is written as it was read.
    static func readPath(_ bytes: [UInt8]) {
        let path = bytes.asText
        if (try? PathRule.check(path)) != nil {
            let text = (try? PercentDecoding.decode(path[...], plusIsSpace: false, "the path")) ?? ".."
            let steps = text.utf8.split(separator: 0x2F)
            precondition(!steps.contains { $0.elementsEqual("..".utf8) }, "a step upwards")
            precondition(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x5C }, "a character of no path")
        }
        for part in path.split(separator: "/") {
            guard let name = try? PercentDecoding.decode(part, plusIsSpace: false, "the path") else {
                continue
            }
            if let id = InstrumentID(name) { precondition(id.description == name, "another instrument") }
            if let id = RuleID(name) { precondition(id.description == name, "another rule") }
            if let id = UniqueID(name.lowercased()) {
                precondition(id.description == name.lowercased(), "another key")
                precondition(UniqueID(bytes: id.bytes) == id, "a key changed on its way")
            }
            try? NameRule.check(name)
            for channel in StreamChannel.allCases { follow(channel, name) }
        }
    }

    private static func follow(_ channel: StreamChannel, _ key: String) {
        let topic = OneThread.run {
            try? await StreamAccess.topic(channel, key, for: nil, marketIsPublic: true, StreamSources())
        }
        guard let topic else { return }
        precondition(topic.owner == nil, "somebody's thing is given to nobody")
    }

    // MARK: - Cursors

    /// What is taken for a place in a list is one of that list, and of no other.
    static func readCursor(_ bytes: [UInt8]) {
        let text = bytes.asText
        if let place = try? Cursor.position(text, of: "candles") {
            precondition(
                (try? Cursor.position(Cursor.text("candles", place), of: "candles")) == place,
                "a cursor changed on its way")
            precondition((try? Cursor.position(text, of: "trades")) == nil, "a cursor of two lists")
        }
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 }
        let own = try? Cursor.position(Cursor.text("trades", text), of: "trades")
        precondition(own == (isPlain ? text : nil), "a cursor of ours is not read")
    }
}
