import Instruments
import MarketData
import Support
import Venues
import Wire

@testable import Bus
@testable import FeedIngestion

/// What a session says, written by hand, and what the composer makes of it.
struct FeedScript {
    let publisher: Publisher
    var registry: InstrumentRegistry
    var output = VenueOutput()
    var composer: FeedComposer
    var batch = OutboundBatch()
    var trades: [ComposedTrade] = []

    init(_ symbols: [String], snapshotEvery: Int = 1_000_000) throws {
        var configuration = PublisherConfiguration(producer: "feed", addresses: .anyLoopbackPort)
        configuration.epoch = 9
        publisher = try Publisher(
            context: BusContext(), configuration: configuration, logger: TestDatabase.logger)
        registry = InstrumentRegistry(venue: .bitmex)
        for symbol in symbols { _ = registry.insert(symbol) }
        composer = FeedComposer(publisher: publisher.voice, snapshotEvery: snapshotEvery)
    }

    mutating func whole(_ text: String, of symbol: Int = 0) throws {
        try book(text, symbol, isSnapshot: true)
    }

    mutating func delta(_ text: String, of symbol: Int = 0) throws {
        try book(text, symbol, isSnapshot: false)
    }

    mutating func state(_ state: BookState, _ reason: BookStateReason, of symbol: Int = 0) {
        output.events.append(
            .state(index(symbol), BookStateChange(state: state, reason: reason, receivedTime: .zero)))
    }

    mutating func trade(_ id: String, of symbol: Int = 0) {
        output.events.append(.trade(index(symbol), .sample(id)))
    }

    /// Composes what was said, and returns the messages of the batch as text, emptying it.
    mutating func said() -> [String] {
        composer.compose(output, registry, into: &batch, trades: &trades)
        output.removeAll()
        return taken()
    }

    /// The messages of the batch as text, emptying it.
    mutating func taken() -> [String] {
        defer { batch.removeAll() }
        return batch.messages.map(FeedScript.text)
    }

    /// The messages of the batch, emptying it.
    mutating func messages() -> [(topic: PublisherTopic, sequence: UInt64, event: WireEvent)] {
        defer { batch.removeAll() }
        return batch.messages
    }

    func index(_ symbol: Int) -> InstrumentIndex { InstrumentIndex(rawValue: Int32(symbol)) }

    private mutating func book(_ text: String, _ symbol: Int, isSnapshot: Bool) throws {
        let parsed = try BookText(text)
        let start = output.levels.count
        output.levels += parsed.delta().changes
        output.events.append(
            .book(
                BookEvent(
                    instrument: index(symbol), isSnapshot: isSnapshot, levels: start..<output.levels.count,
                    priceScale: parsed.priceScale, sizeScale: parsed.sizeScale, venueTime: nil,
                    receivedTime: .zero,
                    summary: BookSummary(parsed.book))))
    }

    private static func text(_ message: (topic: PublisherTopic, sequence: UInt64, event: WireEvent)) -> String
    {
        switch message.event {
        case .bookDelta(let id, let delta):
            let changes = delta.changes.map {
                "\($0.price.text(delta.priceScale))×\($0.size.text(delta.sizeScale))"
            }
            return "\(id.symbol) delta \(message.sequence): \(changes.joined(separator: " "))"
        case .bookStateChange(let id, let change):
            return "\(id.symbol) state \(message.sequence): \(change.state.name) \(change.reason.name)"
        case .bookSnapshot(let id, let snapshot):
            var book = Book(priceScale: snapshot.priceScale, sizeScale: snapshot.sizeScale)
            book.replace(bids: snapshot.bids, asks: snapshot.asks)
            return
                "\(id.symbol) \(snapshot.state.name) \(BookText(book, sequence: snapshot.continues?.sequence))"
        case .trade(let id, let trade): return "\(id.symbol) trade \(trade.id)"
        default: return message.topic.text
        }
    }
}

extension OutboundBatch {
    /// The messages, decoded as a subscriber would.
    var messages: [(topic: PublisherTopic, sequence: UInt64, event: WireEvent)] {
        var start = 0
        return records.compactMap { record in
            defer { start = record.end }
            guard let (_, event) = try? EnvelopeDecoder.decode(Array(bytes[start..<record.end])) else {
                return nil
            }
            return (record.topic, record.sequence, event)
        }
    }
}

extension Trade {
    /// A trade of one unit at 100, so many seconds after 1970.
    static func sample(_ id: String, at seconds: Int64 = 1, isBackfill: Bool = false) -> Trade {
        Trade(
            id: id, side: .buy, price: Price(100), size: Quantity(1), priceScale: .zero, sizeScale: .zero,
            venueTime: Timestamp(nanoseconds: seconds * 1_000_000_000), receivedTime: .zero,
            isBackfill: isBackfill)
    }
}
