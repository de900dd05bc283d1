import Bus
import Instruments
import MarketData
import Operations
import Support
import Testing
import Wire

@testable import FeedIngestion

@Suite("Feed ingestion between a venue and the bus", .timeLimit(.minutes(10)))
struct FeedIngestionTests {
    private let id = InstrumentID(venue: .bitmex, symbol: "XBTUSD")

    @Test("subscribes, proves the book and publishes it")
    func publishes() async throws {
        try await IngestionFixture.run { fixture in
            let health = HealthRegistry()
            try await fixture.reading(["book.", "trade.", "feed.status."]) { bus in
                try await running(fixture.ingestor(health: health)) {
                    let line = try await fixture.venue.connection()
                    try await line.wait(for: "orderBookL2:XBTUSD")
                    try await line.wait(for: "trade:XBTUSD")
                    line.send(BitMEXWords.partial("b100×2 a101×1"))
                    // The state was declared before the connection, so the book joins that message.
                    #expect(try await bus.liveBook() == "live seq 1 | bids 100×2 | asks 101×1")
                    line.send(BitMEXWords.update("b100×5"))
                    #expect(try await bus.book() == "delta 100×5")
                    line.send(BitMEXWords.trade("t1", at: 1))
                    let trade = try await bus.first { event -> Trade? in
                        if case .trade(_, let trade) = event { return trade }
                        return nil
                    }
                    #expect(trade.id == "t1")
                    let status = try await bus.first { event -> Bitpal_V1_FeedStatus? in
                        if case .feedStatus(let status) = event, status.booksLive == 1 { return status }
                        return nil
                    }
                    #expect(status.state == .live)
                    #expect(status.booksTotal == 1)
                    #expect(status.subscriptionsLimit == 0, "it follows no table")
                    #expect(health.report.isReady)
                }
            }
        }
    }

    @Test("publishes no trade without a price or a size, and those behind it")
    func unusableTrades() async throws {
        try await IngestionFixture.run { fixture in
            try await fixture.reading(["trade.", "book."]) { bus in
                try await running(fixture.ingestor()) {
                    let line = try await fixture.venue.connection()
                    try await line.wait(for: "trade:XBTUSD")
                    // Trades are told to whoever listens by then: the broker does, once it has told a book.
                    line.send(BitMEXWords.partial("b100×2 a101×1"))
                    _ = try await bus.liveBook()
                    line.send(BitMEXWords.trade("t1", at: 1).replacing("100.5", with: "0"))
                    line.send(BitMEXWords.trade("t2", at: 2).replacing(#""size":10"#, with: #""size":0"#))
                    line.send(BitMEXWords.trade("t3", at: 3))
                    let trade = try await bus.first { event -> Trade? in
                        if case .trade(_, let trade) = event { return trade }
                        return nil
                    }
                    #expect(trade.id == "t3")
                }
            }
        }
    }

    @Test("declares the books stale when the connection is cut, connects again and tells them whole")
    func reconnects() async throws {
        try await IngestionFixture.run { fixture in
            try await fixture.reading(["book."]) { bus in
                try await running(fixture.ingestor()) {
                    let first = try await fixture.venue.connection()
                    try await first.wait(for: "orderBookL2:XBTUSD")
                    first.send(BitMEXWords.partial("b100×2 a101×1"))
                    _ = try await bus.liveBook()
                    first.cut()
                    #expect(try await bus.book() == "stale disconnected")
                    let second = try await fixture.venue.connection()
                    try await second.wait(for: "orderBookL2:XBTUSD")
                    #expect(try await bus.book() == "syncing snapshot-pending")
                    second.send(BitMEXWords.partial("b99×2 a101×1"))
                    #expect(try await bus.book() == "live seq 3 | bids 99×2 | asks 101×1")
                }
            }
        }
    }

    @Test("a message that contradicts one book leaves the others alone")
    func isolation() async throws {
        try await IngestionFixture.run { fixture in
            let services = try fixture.ingestor { $0.venues = [fixture.bitmex(["XBTUSD", "ETHUSD"])] }
            try await fixture.reading(["book."]) { bus in
                try await running(services) {
                    let line = try await fixture.venue.connection()
                    try await line.wait(for: "orderBookL2:XBTUSD")
                    line.send(BitMEXWords.partial("b100×2 a101×1"))
                    line.send(BitMEXWords.partial("b10×2 a11×1", symbol: "ETHUSD"))
                    _ = try await bus.liveBook()
                    _ = try await bus.liveBook()
                    line.send(BitMEXWords.update("b77×5"))
                    line.send(BitMEXWords.update("b10×3", symbol: "ETHUSD"))
                    #expect(try await bus.book() == "syncing unknown-level")
                    #expect(try await bus.book() == "delta 10×3")
                    try await line.wait(for: "\"unsubscribe\",\"args\":[\"orderBookL2:XBTUSD\"]")
                    try await line.wait(for: "\"subscribe\",\"args\":[\"orderBookL2:XBTUSD\"]")
                    line.send(BitMEXWords.partial("b100×3 a101×1"))
                    #expect(try await bus.book() == "live seq 2 | bids 100×3 | asks 101×1")
                }
            }
        }
    }

    @Test("answers an audit with the levels that differ, and fetches the book again")
    func audit() async throws {
        try await IngestionFixture.run { fixture in
            let asker = try fixture.publisher("operator")
            fixture.venue.answer("/api/v1/orderBook/L2", BitMEXWords.depth("b100×2 b99×7 a101×1"))
            try await fixture.reading(["book.", "control.reply."]) { bus in
                try await running([asker] + fixture.ingestor()) {
                    let line = try await fixture.venue.connection()
                    try await line.wait(for: "orderBookL2:XBTUSD")
                    line.send(BitMEXWords.partial("b100×2 a101×1"))
                    _ = try await bus.liveBook()
                    let reply = try await ask("book-audit", by: asker, &bus)
                    #expect(reply.isDone)
                    #expect(reply.differences == ["bid 99 ours none theirs 7"])
                    #expect(reply.levelsCompared == 3)
                    try await line.wait(for: "\"unsubscribe\",\"args\":[\"orderBookL2:XBTUSD\"]")
                    line.send(BitMEXWords.partial("b100×2 b99×7 a101×1"))
                    #expect(try await bus.liveBook() == "live seq 2 | bids 100×2 99×7 | asks 101×1")
                    let second = try await ask("book-audit", by: asker, &bus)
                    #expect(second.isDone && second.differences.isEmpty)
                    #expect(second.detail == "all 3 levels agree")
                }
            }
        }
    }

    @Test("compares each book by itself, tells on the bus what it found, and fetches again what differs")
    func auditsByItself() async throws {
        try await IngestionFixture.run { fixture in
            fixture.venue.answer("/api/v1/orderBook/L2", BitMEXWords.depth("b100×2 b99×7 a101×1"))
            let ingestor = try fixture.ingestor { $0.auditInterval = .milliseconds(1) }
            try await fixture.reading(["book."]) { bus in
                try await running(ingestor) {
                    let line = try await fixture.venue.connection()
                    try await line.wait(for: "orderBookL2:XBTUSD")
                    line.send(BitMEXWords.partial("b100×2 a101×1"))
                    let found = try await bus.audit()
                    #expect(found.isDone && found.levelsDifferent == 1 && found.levelsCompared == 3)
                    #expect(found.differences == ["bid 99 ours none theirs 7"])
                    #expect(found.auditedTimeUnixNanos < found.nextTimeUnixNanos)
                    try await line.wait(for: "\"unsubscribe\",\"args\":[\"orderBookL2:XBTUSD\"]")
                    line.send(BitMEXWords.partial("b100×2 b99×7 a101×1"))
                    let equal = try await bus.audit()
                    #expect(equal.isDone && equal.levelsDifferent == 0)
                    #expect(equal.detail == "all 3 levels agree")
                    let retained = try await fixture.retained(["book.audit.bitmex."])
                    #expect(retained.count == 1)
                }
            }
        }
    }

    @Test("says why an audit is not possible")
    func auditRefused() async throws {
        try await IngestionFixture.run { fixture in
            let asker = try fixture.publisher("operator")
            try await fixture.reading(["control.reply.", "book."]) { bus in
                try await running([asker] + fixture.ingestor()) {
                    let line = try await fixture.venue.connection()
                    try await line.wait(for: "orderBookL2:XBTUSD")
                    let reply = try await ask("book-audit", by: asker, &bus)
                    #expect(!reply.isDone)
                    #expect(reply.detail == "bitmex:XBTUSD is syncing: there is no book to compare")
                    let unknown = try await ask("book-audit", by: asker, &bus, of: "bitmex:DOGE")
                    #expect(unknown.detail == "bitmex:DOGE is not followed")
                }
            }
        }
    }

    @Test("tells every book to a broker that has just started")
    func newBroker() async throws {
        try await TestVenue.run { venue in
            let context = try BusContext()
            let addresses = try BusAddresses(base: "tcp://127.0.0.1:\(FreePorts.run(of: 3))")
            let fixture = IngestionFixture(context: context, addresses: addresses, venue: venue)
            try await running(fixture.ingestor()) {
                let line = try await venue.connection()
                try await line.wait(for: "orderBookL2:XBTUSD")
                line.send(BitMEXWords.partial("b100×2 a101×1"))
                line.send(BitMEXWords.update("b100×3"))
                for _ in 1...2 {
                    try await IngestionFixture.withBroker(addresses) { _ in
                        try await eventually {
                            try await fixture.retained(["book.snapshot."]).contains { event in
                                guard case .bookSnapshot(_, let snapshot) = event else { return false }
                                return snapshot.state == .live && snapshot.bids.first?.size == Quantity(3)
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("declares every book when it stops")
    func stops() async throws {
        try await IngestionFixture.run { fixture in
            try await fixture.reading(["book.", "feed.status."]) { bus in
                try await serving(fixture.ingestor()) {
                    let line = try await fixture.venue.connection()
                    try await line.wait(for: "orderBookL2:XBTUSD")
                    line.send(BitMEXWords.partial("b100×2 a101×1"))
                    _ = try await bus.liveBook()
                }
                try await bus.book("stale disconnected")
                let status = try await bus.first { event -> Bitpal_V1_FeedStatus? in
                    if case .feedStatus(let status) = event, status.detail == "stopped" { return status }
                    return nil
                }
                #expect(status.state == .disconnected)
            }
        }
    }

    /// Asks until there is an answer: the ingestor may not listen yet.
    private func ask(
        _ command: String, by publisher: Publisher, _ bus: inout BusReader,
        of instrument: String = "bitmex:XBTUSD"
    ) async throws -> Bitpal_V1_ControlReply {
        let topic = try publisher.topic("control.\(command).\(instrument.replacing(":", with: ".")).")
        let request = "r\(UInt64.random(in: 0 ... .max))"
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    var message = Bitpal_V1_ControlCommand()
                    message.command = command
                    message.instrument = instrument
                    message.requestID = request
                    var batch = OutboundBatch()
                    batch.append(.controlCommand(message), to: topic)
                    publisher.offer(&batch)
                    // Paced by the publisher's own heartbeat.
                    let sent = publisher.counters.heartbeats
                    while !Task.isCancelled, publisher.counters.heartbeats == sent { await Task.yield() }
                }
            }
            let reply = try await bus.first { event -> Bitpal_V1_ControlReply? in
                if case .controlReply(let reply) = event, reply.requestID == request { return reply }
                return nil
            }
            group.cancelAll()
            return reply
        }
    }
}
