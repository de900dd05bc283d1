import Bus
import BusBroker
import Hosting
import Instruments
import Logging
import MarketData
import Operations
import ServiceLifecycle
import Store
import Support
import Venues
import Wire

@testable import FeedIngestion

/// A broker and a venue on free ports of loopback, with an ingestor between them.
struct IngestionFixture: Sendable {
    let context: BusContext
    let addresses: BusAddresses
    let venue: TestVenue

    /// Runs broker and venue while `body` runs.
    static func run(_ body: (IngestionFixture) async throws -> Void) async throws {
        try await TestVenue.run { venue in
            let context = try BusContext()
            try await withBroker(.anyLoopbackPort) { addresses in
                try await body(IngestionFixture(context: context, addresses: addresses, venue: venue))
            }
        }
    }

    /// Runs a broker while `body` runs; its ports are free again afterwards.
    static func withBroker(_ addresses: BusAddresses, _ body: (BusAddresses) async throws -> Void)
        async throws
    {
        // The sockets of a broker that ran at the same address before are closed by a thread of their own.
        try await eventually {
            let broker = try BusBroker(
                context: BusContext(), configuration: BusBrokerConfiguration(addresses: addresses),
                instance: "test", logger: TestDatabase.logger)
            do {
                try await running([broker]) { try await body(broker.bound()) }
                return true
            } catch ConfigurationError.portInUse {
                return false
            }
        }
    }

    /// What the broker keeps, decoded.
    func retained(_ prefixes: [String]) async throws -> [WireEvent] {
        let state = try await StateClient(context: context, addresses: addresses)
            .fetch(prefixes, timeout: .seconds(60))
        return try state.messages.map { try EnvelopeDecoder.decode($0.envelope).1 }
    }

    /// BitMEX at the test's venue.
    func bitmex(_ symbols: [String] = ["XBTUSD"]) -> VenueConfiguration {
        var configuration = VenueConfiguration(BitMEX.description)
        configuration.webSocketURL = "ws://127.0.0.1:\(venue.port)"
        configuration.restURL = "http://127.0.0.1:\(venue.port)"
        configuration.subscriptions = symbols.map { ($0, [.book, .trade]) }
        return configuration
    }

    /// The services of an ingestor that follows the test's venue.
    func ingestor(
        database: Database? = nil, health: HealthRegistry = HealthRegistry(),
        _ change: (inout FeedIngestionConfiguration) -> Void = { _ in }
    ) throws -> [any Service] {
        var configuration = FeedIngestionConfiguration(venues: [bitmex()])
        configuration.isStoring = database != nil
        configuration.auditPause = .zero
        configuration.batchDelay = .zero
        change(&configuration)
        let frame = ServiceFrame(instance: "test", logger: TestDatabase.logger, health: health)
        return try FeedIngestion.services(
            configuration, in: frame.on(context, at: addresses).with(database))
    }

    /// Reads live messages under the prefixes while `body` runs.
    func reading(_ prefixes: [String], _ body: (inout BusReader) async throws -> Void) async throws {
        let subscriber = try Subscriber(
            context: context,
            configuration: SubscriberConfiguration(name: "reader", addresses: addresses, prefixes: prefixes),
            logger: TestDatabase.logger)
        try await running([subscriber]) {
            var reader = BusReader(subscriber)
            try await reader.synchronized()
            try await body(&reader)
        }
    }

    func publisher(_ name: String) throws -> Publisher {
        try Publisher(
            context: context, configuration: PublisherConfiguration(producer: name, addresses: addresses),
            logger: TestDatabase.logger)
    }
}

/// What BitMEX says, in the shapes of its documentation ("WebSocket API", "orderBookL2", "Trade"; read
/// 2026-11).
enum BitMEXWords {
    static func partial(_ levels: String, symbol: String = "XBTUSD") -> String {
        book("partial", rows(levels, symbol))
    }

    static func update(_ levels: String, symbol: String = "XBTUSD") -> String {
        book("update", rows(levels, symbol))
    }

    /// Whole depth by REST.
    static func depth(_ levels: String, symbol: String = "XBTUSD") -> String { "[\(rows(levels, symbol))]" }

    static func trade(_ id: String, at second: Int, symbol: String = "XBTUSD") -> String {
        """
        {"table":"trade","action":"insert","data":[\(tradeRow(id, second, symbol))]}
        """
    }

    static func trades(_ ids: [(String, Int)], symbol: String = "XBTUSD") -> String {
        "[" + ids.map { tradeRow($0.0, $0.1, symbol) }.joined(separator: ",") + "]"
    }

    private static func tradeRow(_ id: String, _ second: Int, _ symbol: String) -> String {
        let time = "2026-01-01T00:00:\(second < 10 ? "0" : "")\(second).000Z"
        return """
            {"timestamp":"\(time)","symbol":"\(symbol)","side":"Buy","size":10,"price":100.5,"trdMatchID":"\(id)"}
            """
    }

    private static func book(_ action: String, _ rows: String) -> String {
        """
        {"table":"orderBookL2","action":"\(action)","data":[\(rows)]}
        """
    }

    /// As in `b100×2 a101×1`; the id is the price.
    private static func rows(_ levels: String, _ symbol: String) -> String {
        levels.split(separator: " ").map { level in
            let side = level.first == "b" ? "Buy" : "Sell"
            let parts = level.dropFirst().split(separator: "×")
            return """
                {"symbol":"\(symbol)","id":\(parts[0]),"side":"\(side)","size":\(parts[1]),"price":\(parts[0]),\
                "timestamp":"2026-01-01T00:00:00.000Z"}
                """
        }.joined(separator: ",")
    }
}

/// Reads the bus, message by message.
struct BusReader {
    private var iterator: BusBatches.Iterator
    private var events: [(sequence: UInt64, event: WireEvent)] = []
    /// What was said last of each book.
    private var said: [InstrumentID: (sequence: UInt64, state: BookState)] = [:]

    init(_ subscriber: Subscriber) { iterator = subscriber.batches.makeAsyncIterator() }

    /// Waits until nothing that is said from here on can be missed.
    mutating func synchronized() async throws {
        while let batch = await iterator.next() {
            for case .synchronized in batch.events { return }
        }
        throw PropertyFailure("the subscriber ended")
    }

    /// The next live message that `read` makes something of.
    mutating func first<Value>(_ read: (WireEvent) -> Value?) async throws -> Value {
        while true {
            while !events.isEmpty {
                let (sequence, event) = events.removeFirst()
                if isRepeated(event, sequence) { continue }
                if let value = read(event) { return value }
            }
            guard let batch = await iterator.next() else { throw PropertyFailure("the subscriber ended") }
            for case .message(let message) in batch.events where !message.isRetained {
                events.append((message.sequence, try batch.decode(message)))
            }
        }
    }

    /// Whether this is a book told again, unchanged: a broker that appears is told of every book, and that
    /// may be before or after the first word of the venue.
    private mutating func isRepeated(_ event: WireEvent, _ sequence: UInt64) -> Bool {
        switch event {
        case .bookDelta(let id, _): said[id]?.sequence = sequence
        case .bookStateChange(let id, let change): said[id] = (sequence, change.state)
        case .bookSnapshot(let id, let snapshot):
            let now = (sequence: snapshot.continues?.sequence ?? 0, state: snapshot.state)
            if let last = said[id], last == now { return true }
            said[id] = now
        default: break
        }
        return false
    }

    /// What the next audit of a book found.
    mutating func audit() async throws -> Bitpal_V1_BookAudit {
        try await first { event in
            if case .bookAudit(_, let audit) = event { audit } else { nil }
        }
    }

    /// The next thing said of a book, as in `live seq 1 | bids 100×2 | asks 101×1`, `delta 100×3`, `stale
    /// disconnected`.
    mutating func book() async throws -> String {
        try await first { event in
            switch event {
            // A broker that has just appeared is told of empty books as well.
            case .bookSnapshot(_, let snapshot) where snapshot.state != .syncing:
                var book = Book(priceScale: snapshot.priceScale, sizeScale: snapshot.sizeScale)
                book.replace(bids: snapshot.bids, asks: snapshot.asks)
                return "\(snapshot.state.name) \(BookText(book, sequence: snapshot.continues?.sequence))"
            case .bookDelta(_, let delta):
                let changes = delta.changes.map {
                    "\($0.price.text(delta.priceScale))×\($0.size.text(delta.sizeScale))"
                }
                return "delta " + changes.joined(separator: " ")
            case .bookStateChange(_, let change): return "\(change.state.name) \(change.reason.name)"
            default: return nil
            }
        }
    }

    /// Skips what is said of books until this.
    mutating func book(_ text: String) async throws {
        while try await book() != text {}
    }

    /// Skips until a live book is told whole.
    mutating func liveBook() async throws -> String {
        while true {
            let text = try await book()
            if text.hasPrefix("live seq") { return text }
        }
    }
}
