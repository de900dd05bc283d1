package import Instruments
package import MarketData
package import Shapes
import Wire

/// A whole book as `bitpal book --json` has it.
package struct BookBody: WireBody, Sendable, Hashable {
    package static let shape = BodyShape<BookBody>("BookLevels") {
        Field("ask_levels", \.askLevels, "Levels that the book has in all.", example: 1_000)
        Field(
            "asks", \.asks, "Price and size, best first.", as: levels,
            example: [["61000.5", "0.25"], ["61000.8", "1.5"]])
        Field("bid_levels", \.bidLevels, "Levels that the book has in all.", example: 1_000)
        Field(
            "bids", \.bids, "Price and size, best first.", as: levels,
            example: [["61000.4", "0.5"], ["61000.1", "2"]])
        Field(
            "connection", \.connection, "This gateway's own to the book.",
            as: .words(BusConnectionState.Word.allCases.map(\.rawValue)))
        Field("detail", \.detail, "The reason in more words, or nothing.", example: "")
        Field(
            ifPresent: "epoch", \.epoch, "The life of its producer, in which changes are numbered.",
            example: "18")
        Field(ifPresent: "producer", \.producer, "Who makes it.", example: "feed-ingestor")
        Field("reason", \.reason, "Why its state is so.", example: "snapshot_replaced")
        Field(
            ifPresent: "received_time", \.receivedTime, "When its last change was received.", as: .time,
            example: "2026-11-21T12:00:00.15Z")
        Field(ifPresent: "sequence", \.sequence, "The number of its last change.", example: 123_456)
        Field("state", \.state, as: .words(BookState.allCases.map(\.name)), example: "live")
        Field("symbol", \.symbol, example: "BTC/USD")
        Field("venue", \.venue, example: .venue)
        Field(
            ifPresent: "venue_time", \.venueTime, "When its last change was made, by the venue.", as: .time,
            example: "2026-11-21T12:00:00.123Z")
    }

    private static let levels = Schema.array(.array(.decimal, 2...2), nil)

    var venue: String
    var symbol: String
    var state: String
    var reason: String
    var detail: String
    var connection: String
    var sequence: UInt64?
    var epoch: String?
    var producer: String?
    var venueTime: String?
    var receivedTime: String?
    var bidLevels: Int
    var askLevels: Int
    /// Price and size, best first.
    var bids: [[String]]
    /// Price and size, best first.
    var asks: [[String]]

    /// Tells these levels of a book.
    package init(_ known: KnownBook, of id: InstrumentID, bids: [BookLevel], asks: [BookLevel]) {
        let replica = known.replica
        venue = id.venue.rawValue
        symbol = id.symbol
        (state, reason, detail) = (replica.state.name, replica.reason.name, replica.detail)
        connection = known.connection.rawValue
        sequence = replica.position?.sequence
        epoch = replica.position.map { String($0.epoch) }
        producer = replica.position?.producer
        venueTime = replica.venueTime?.iso8601
        receivedTime = replica.receivedTime == .zero ? nil : replica.receivedTime.iso8601
        (bidLevels, askLevels) = (replica.book.bidCount, replica.book.askCount)
        let (prices, sizes) = (replica.book.priceScale, replica.book.sizeScale)
        self.bids = bids.map { BookBody.level($0, prices, sizes) }
        self.asks = asks.map { BookBody.level($0, prices, sizes) }
    }

    /// One level as text, at the scales of its book.
    static func level(_ level: BookLevel, _ prices: Scale, _ sizes: Scale) -> [String] {
        [
            DecimalText.string(units: level.price.rawValue, scale: prices),
            DecimalText.string(units: level.size.rawValue, scale: sizes),
        ]
    }
}

/// The best levels of a book: whole, or what changed in them.
struct DepthBody: WireBody, Sendable, Hashable {
    static let shape = BodyShape<DepthBody>("Depth") {
        Field("asks", \.asks)
        Field("bids", \.bids)
        Field("reason", \.reason)
        Field("state", \.state)
        Field(ifPresent: "time", \.time, as: .time)
    }

    /// Price and size, best first; in a change size "0" removes the level.
    var bids: [[String]]
    /// Price and size, best first; in a change size "0" removes the level.
    var asks: [[String]]
    var state: String
    var reason: String
    var time: String?

    /// All levels.
    init(_ depth: BookDepth, doubt: String? = nil) {
        bids = depth.bids.map { BookBody.level($0, depth.priceScale, depth.sizeScale) }
        asks = depth.asks.map { BookBody.level($0, depth.priceScale, depth.sizeScale) }
        let isDoubted = doubt != nil && depth.state == .live
        state = isDoubted ? BookState.stale.name : depth.state.name
        reason = isDoubted ? BookStateReason.busSilent.name : depth.reason.name
        time = (depth.venueTime ?? depth.receivedTime).iso8601
    }

    /// What changed since an earlier one; the levels of both sides by price text.
    func changes(since old: DepthBody) -> DepthBody {
        var change = self
        change.bids = DepthBody.changes(from: old.bids, to: bids)
        change.asks = DepthBody.changes(from: old.asks, to: asks)
        return change
    }

    private static func changes(from old: [[String]], to new: [[String]]) -> [[String]] {
        let before = Dictionary(old.map { ($0[0], $0[1]) }) { first, _ in first }
        let after = Set(new.map { $0[0] })
        return old.filter { !after.contains($0[0]) }.map { [$0[0], "0"] }
            + new.filter { before[$0[0]] != $0[1] }
    }
}
