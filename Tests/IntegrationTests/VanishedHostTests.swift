import Bus
import Foundation
import Instruments
import MarketData
import Support
import Testing
import Wire

/// The broker's machine is gone from one moment to the next, and no kernel says a word about it.
@Suite("A host that vanishes", .serialized, .timeLimit(.minutes(10)))
struct VanishedHostTests {
    private static let topic = "trade.kraken.X."

    @Test(
        "and comes back at its address is found again by publishers and subscribers",
        .enabled(if: NetworkNamespace.isPermitted, "network namespaces need root"))
    func brokerVanishes() async throws {
        let host = NetworkNamespace(0)
        defer { host.remove() }
        try host.prepare()
        let folder = try TestDatabase.temporaryDirectory()
        let base = "tcp://\(host.address):7411"
        let environment = [
            "BITPAL_BUS": base, "BITPAL_BUS_BROKER_ALLOW_PLAIN": "true",
            "BITPAL_BUS_BROKER_OPERATIONS_ADDRESS": "127.0.0.1:7420",
        ]
        let addresses = try BusAddresses(base: base)
        let context = try BusContext()
        let publisher = try Publisher(
            context: context, configuration: PublisherConfiguration(producer: "test", addresses: addresses),
            logger: TestDatabase.logger)
        let subscriber = try Subscriber(
            context: context,
            configuration: SubscriberConfiguration(name: "test", addresses: addresses, prefixes: ["trade."]),
            logger: TestDatabase.logger)
        try await running([publisher, subscriber]) {
            var events = publisher.events.makeAsyncIterator()
            var batches = subscriber.batches.makeAsyncIterator()
            for _ in 1...3 {
                try host.appear()
                let broker = try host.start("bus-broker", environment: environment, folder: folder)
                try await Self.wait(for: .brokerAppeared, from: &events)
                try await Self.until(&batches) { if case .synchronized = $0 { true } else { false } }
                var batch = OutboundBatch()
                batch.append([0x7F], to: try publisher.topic(Self.topic))
                publisher.offer(&batch)
                try await Self.until(&batches) { if case .message = $0 { true } else { false } }
                // Nothing that the dying process or its kernel says gets out.
                try host.cut()
                await broker.crash()
                host.vanish()
                try await Self.wait(for: .brokerLost, from: &events)
                try await Self.until(&batches) { if case .busSilent = $0 { true } else { false } }
            }
        }
    }

    private static func wait(
        for expected: PublisherEvent, from events: inout AsyncStream<PublisherEvent>.Iterator
    ) async throws {
        while let event = await events.next(isolation: #isolation) {
            if event == expected { return }
        }
        throw PropertyFailure("the publisher ended")
    }

    private static func until(
        _ batches: inout BusBatches.Iterator, _ holds: (BusEvent) -> Bool
    ) async throws {
        while let batch = await batches.next() {
            if batch.events.contains(where: holds) { return }
        }
        throw PropertyFailure("the subscriber ended")
    }
}
