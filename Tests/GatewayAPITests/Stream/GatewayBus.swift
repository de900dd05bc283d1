import Bus
import BusBroker
import Hosting
import Instruments
import Logging
import MarketData
import Support
import Testing
import Wire

@testable import GatewayStream

/// A broker, somebody who publishes, and the view of a gateway, over real sockets.
struct GatewayBus: Sendable {
    let view: MarketView
    let publisher: Publisher
    /// What changed, as the view tells it.
    let changes: AsyncStream<Set<MarketKey>>

    static let logger = Logger(label: "gateway-tests") { _ in SwiftLogNoOpLogHandler() }
    static let bitcoin = InstrumentID(venue: Venue(rawValue: "bitmex"), symbol: "XBTUSD")
    static let time = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

    /// Runs all of them while `body` runs; the view knows of the broker then.
    static func run(
        clock: @escaping @Sendable () -> Timestamp = { BusClock.wall() },
        _ body: (GatewayBus) async throws -> Void
    ) async throws {
        let context = try BusContext()
        let broker = try BusBroker(
            context: context, configuration: BusBrokerConfiguration(addresses: .anyLoopbackPort),
            instance: "test", logger: logger)
        try await running([broker]) {
            let addresses = try await broker.bound()
            let publisher = try Publisher(
                context: context,
                configuration: PublisherConfiguration(producer: "feed", addresses: addresses),
                logger: logger)
            let frame = ServiceFrame(instance: "test", logger: logger, clock: clock)
            let view = try MarketView(in: frame.on(context, at: addresses), database: nil)
            let (changes, continuation) = AsyncStream.makeStream(of: Set<MarketKey>.self)
            view.observe { continuation.yield($1) }
            let bus = GatewayBus(view: view, publisher: publisher, changes: changes)
            try await running([publisher, view]) {
                for await event in publisher.events where event == .brokerAppeared { break }
                await bus.until { view.condition.word == .live }
                try await body(bus)
            }
        }
    }

    /// Publishes one message; a queue without room for it fails the test that waits for it.
    func say(_ event: WireEvent, on topic: String) throws {
        var batch = OutboundBatch()
        batch.append(event, to: try publisher.topic(topic))
        #expect(publisher.offer(&batch), "\(topic) was refused")
    }

    /// Publishes again and again until it is heard: before a new subscription holds, nothing arrives.
    func say(until isHeard: () -> Bool, _ body: () throws -> Void) async throws {
        var round = Bitpal_V1_IndexPrice()
        round.pair = "ROUND-TRIP"
        while !isHeard() {
            try body()
            // What is always followed comes behind it, so that no round waits in a queue behind another.
            round.computedTimeUnixNanos += 1
            try say(.indexPrice(round), on: Topic.index(base: "ROUND", quote: "TRIP"))
            await until { view.index(round.pair)?.value == round }
            try Task.checkCancellation()
        }
    }

    /// Waits until something holds; asked again with each change.
    func until(_ isDone: () -> Bool) async {
        if isDone() { return }
        for await _ in changes where isDone() { return }
    }
}
