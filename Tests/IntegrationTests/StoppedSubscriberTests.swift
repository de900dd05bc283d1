import Bus
import Foundation
import Instruments
import MarketData
import ServiceLifecycle
import Support
import Testing
import Wire

/// A reader that is stopped by a signal while the market goes on, and continued later.
@Suite("A subscriber that is stopped", .serialized, .timeLimit(.minutes(10)))
struct StoppedSubscriberTests {
    private static let market = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    /// More than the broker keeps for one reader and the kernel's buffers hold, several times over.
    private static let messages: UInt64 = 300_000

    @Test("costs nobody else a message and no memory, and knows afterwards what it missed")
    func stopped() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let base = try FreePorts.run(of: 5)
        let environment = [
            "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
            "BITPAL_BUS_BROKER_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 3)",
        ]
        let broker = try ChildProcess("bus-broker", environment: environment, folder: folder)
        let addresses = try BusAddresses(base: "tcp://127.0.0.1:\(base)")
        let context = try BusContext()
        let publisher = try Publisher(
            context: context, configuration: PublisherConfiguration(producer: "test", addresses: addresses),
            logger: TestDatabase.logger)
        let healthy = try Subscriber(
            context: context,
            configuration: SubscriberConfiguration(
                name: "healthy", addresses: addresses, prefixes: ["trade.", "heartbeat."]),
            logger: TestDatabase.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run() }
            group.addTask { try await healthy.run() }
            for await event in publisher.events where event == .brokerAppeared { break }
            var road = PublishedMessages(
                topic: try publisher.topic(Topic.trade(Self.market)), batches: healthy.batches)
            // What is published before the broker has the subscription never comes.
            try await road.waitForSubscription()
            try await road.exchange(1_000, publisher)
            let reader = try ChildProcess(
                "bitpal", arguments: ["sub", "trade.", "--json"], environment: environment, folder: folder)
            while reader.output.isEmpty { try await road.exchange(100, publisher) }
            reader.signal(SIGSTOP)
            try await road.exchange(Self.messages / 2, publisher)
            let before = try broker.residentBytes()
            try await road.exchange(Self.messages / 2, publisher)
            // Once its queue for the reader is full, more messages cost the broker no more memory.
            #expect(try broker.residentBytes() < before + 8_000_000)
            reader.signal(SIGCONT)
            // It works off what was kept for it; nothing is hurried, so that it can keep up again.
            let last = road.sent
            while Self.lastSequence(reader) <= last {
                try await road.exchange(1, publisher)
                try await road.waitForHeartbeat()
            }
            reader.signal(SIGTERM)
            #expect(await reader.exitStatus() == 0, "\(reader.errors)")
            Self.expectEveryLossTold(reader.output)
            #expect(!road.hasGap)
            group.cancelAll()
        }
        broker.signal(SIGTERM)
        #expect(await broker.exitStatus() == 0, "\(broker.errors)")
    }

    /// Publishes, and reads as a subscriber that keeps up.
    private struct PublishedMessages {
        let topic: PublisherTopic
        var batches: BusBatches.Iterator
        private(set) var sent: UInt64 = 0
        private(set) var hasGap = false

        init(topic: PublisherTopic, batches: BusBatches) {
            self.topic = topic
            self.batches = batches.makeAsyncIterator()
        }

        /// Publishes so many messages and waits until the healthy subscriber has the last of them.
        mutating func exchange(_ count: UInt64, _ publisher: Publisher) async throws {
            let end = sent + count
            while sent < end {
                var batch = OutboundBatch()
                let part = min(end - sent, 1_000)
                for number in 1...part {
                    batch.append(StoppedSubscriberTests.trade(sent + number), to: topic)
                }
                try Task.checkCancellation()
                #expect(await publisher.publish(batch))
                sent += part
                try await read(until: sent)
            }
        }

        /// Waits until the broker has every subscription.
        mutating func waitForSubscription() async throws {
            while let batch = await batches.next(isolation: #isolation) {
                for case .synchronized in batch.events { return }
            }
            try Task.checkCancellation()
        }

        /// Heartbeats come once a second.
        mutating func waitForHeartbeat() async throws {
            while let batch = await batches.next(isolation: #isolation) {
                for case .message(let message) in batch.events
                where batch.topic(message.topic).hasPrefix("heartbeat.") { return }
            }
            try Task.checkCancellation()
        }

        private mutating func read(until sequence: UInt64) async throws {
            while let batch = await batches.next(isolation: #isolation) {
                var isReached = false
                for event in batch.events {
                    if case .gap = event { hasGap = true }
                    if case .message(let message) = event, batch.topic(message.topic).hasPrefix("trade."),
                        message.sequence >= sequence
                    {
                        isReached = true
                    }
                }
                if isReached { return }
            }
        }
    }

    private static func trade(_ number: UInt64) -> WireEvent {
        .trade(
            market,
            Trade(
                id: "\(number)", side: .buy, price: Price(1), size: Quantity(1), priceScale: .zero,
                sizeScale: .zero, venueTime: .zero, receivedTime: .zero))
    }

    /// Every jump in the numbers is preceded by a line that names its beginning.
    private static func expectEveryLossTold(_ output: String) {
        var (previous, told): (UInt64?, UInt64?) = (nil, nil)
        var lost: UInt64 = 0
        for line in output.split(separator: "\n") {
            // A loss on the way and one in the reader itself are two lines; together they begin at the first.
            if let expected = number(after: "\"expected\":", in: line) { told = told ?? expected }
            guard let sequence = number(after: "\"sequence\":", in: line) else { continue }
            if let previous, sequence > previous + 1 {
                #expect(told == previous + 1)
                lost += sequence - previous - 1
            }
            (previous, told) = (sequence, nil)
        }
        #expect(lost > 0)
    }

    private static func lastSequence(_ reader: ChildProcess) -> UInt64 {
        let lines = reader.output.suffix(2_000).split(separator: "\n")
        return lines.compactMap { number(after: "\"sequence\":", in: $0) }.last ?? 0
    }

    private static func number(after key: String, in line: Substring) -> UInt64? {
        guard let place = line.range(of: key) else { return nil }
        return UInt64(line[place.upperBound...].drop { $0 == "\"" }.prefix { $0.isNumber })
    }
}

extension ChildProcess {
    /// `VmRSS`, in bytes.
    func residentBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first) * 1_024
    }
}
