import Bus
import BusBroker
import Foundation
import Instruments
import Logging
import MarketData
import Support
import Wire

/// Publisher → bus-broker → subscriber over tcp on loopback, with envelope, sequence check and retained
/// state.
enum BusBench {
    static let messages = 1_000_000
    private static let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

    static func run(plain: PlainZeroMQ?) async throws -> [Measurement] {
        let (rate, p50, p99) = try await figures(messages, Guests())
        return [
            Measurement(
                "bus throughput, 200 bytes", "messages/s", rate, goal: "0.70 of plain C",
                meets: plain.map { rate >= 0.7 * $0.throughput },
                baseline: "C publisher, zmq_proxy, subscriber",
                baselineValue: plain?.throughput),
            Measurement(
                "bus throughput, 200 bytes, against two frames in C", "messages/s", rate,
                goal: "topic and envelope are two frames", meets: nil,
                baseline: "the same in C with two frames", baselineValue: plain?.throughput_two_frames),
            Measurement(
                "bus latency at 10,000/s, p50", "us", p50, goal: "1.5x of plain C",
                meets: plain.map { p50 <= 1.5 * $0.p50 }, baseline: "the same in C", baselineValue: plain?.p50
            ),
            Measurement(
                "bus latency at 10,000/s, p99", "us", p99, goal: "1.5x of plain C",
                meets: plain.map { p99 <= 1.5 * $0.p99 }, baseline: "the same in C", baselineValue: plain?.p99
            ),
        ] + (try await encrypted(plain))
    }

    /// The same with keys, rights that are looked up for each message included.
    private static func encrypted(_ plain: PlainZeroMQ?) async throws -> [Measurement] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bitpal-bench-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let guests = try Guests(keysIn: folder.path(percentEncoded: false))
        let (rate, p50, p99) = try await figures(messages / 5, guests)
        return [
            Measurement(
                "bus with CURVE, throughput, 200 bytes", "messages/s", rate,
                goal: "rights are looked up, which C does not", meets: nil,
                baseline: "C publisher, zmq_proxy, subscriber with CURVE",
                baselineValue: plain?.curve_throughput),
            Measurement(
                "bus with CURVE, throughput, against two frames in C", "messages/s", rate,
                goal: "topic and envelope are two frames", meets: nil,
                baseline: "the same in C with two frames",
                baselineValue: plain?.curve_throughput_two_frames),
            Measurement(
                "bus with CURVE, latency at 10,000/s, p50", "us", p50, goal: "none", meets: nil,
                baseline: "the same in C", baselineValue: plain?.curve_p50),
            Measurement(
                "bus with CURVE, latency at 10,000/s, p99", "us", p99, goal: "none", meets: nil,
                baseline: "the same in C", baselineValue: plain?.curve_p99),
        ]
    }

    /// Medians of five runs.
    private static func figures(
        _ count: Int, _ guests: Guests
    ) async throws -> (rate: Double, p50: Double, p99: Double) {
        var rates: [Double] = []
        for _ in 0..<5 { rates.append(try await throughput(count, guests)) }
        var latencies: [(Double, Double)] = []
        for _ in 0..<5 { latencies.append(try await latency(guests)) }
        return (rates.middle, latencies.map(\.0).middle, latencies.map(\.1).middle)
    }

    /// With which keys the three are there; without any unless they are made.
    private struct Guests: Sendable {
        var broker: BrokerKeys?
        var publisher: BusKeys?
        var subscriber: BusKeys?

        init() {}

        init(keysIn path: String) throws {
            let folder = KeyFolder(path + "/keys")
            try folder.make()
            try folder.add(
                "publisher", BusRights(publish: ["ticker.", "heartbeat.bench."], subscribe: []))
            try folder.add("subscriber", BusRights(publish: [], subscribe: ["ticker.", "heartbeat."]))
            broker = try BrokerKeys(file: folder.keyFile(of: KeyFolder.broker), allowedFolder: nil)
            publisher = try BusKeys(file: folder.keyFile(of: "publisher"))
            subscriber = try BusKeys(file: folder.keyFile(of: "subscriber"))
        }
    }

    /// A broker, a publisher and a subscriber that run while `body` does.
    private static func withBus<Value: Sendable>(
        _ guests: Guests, _ body: @Sendable (Publisher, Subscriber) async throws -> Value
    ) async throws -> Value {
        // A context each, as in three processes and as in the plain C program: one I/O thread for all of them
        // would be what is measured.
        let contexts = try (
            broker: BusContext(), publisher: BusContext(keys: guests.publisher),
            subscriber: BusContext(keys: guests.subscriber)
        )
        var configuration = BusBrokerConfiguration()
        configuration.brokerKeys = guests.broker
        // As in the plain C program: what is measured is the road, not when it starts to drop.
        configuration.sendHighWaterMark = 0
        configuration.addresses = BusAddresses(
            publish: "tcp://127.0.0.1:*", subscribe: "tcp://127.0.0.1:*", state: "tcp://127.0.0.1:*")
        let broker = try BusBroker(
            context: contexts.broker, configuration: configuration, instance: "bench", logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await broker.run() }
            let addresses = try await broker.bound()
            let publisher = try Publisher(
                context: contexts.publisher,
                configuration: PublisherConfiguration(producer: "bench", addresses: addresses),
                logger: logger)
            var reader = SubscriberConfiguration(name: "bench", addresses: addresses, prefixes: ["ticker."])
            reader.maximumWaitingMessages = messages
            let subscriber = try Subscriber(
                context: contexts.subscriber, configuration: reader, logger: logger)
            group.addTask { try await publisher.run() }
            group.addTask { try await subscriber.run() }
            let value = try await body(publisher, subscriber)
            subscriber.finish()
            group.cancelAll()
            return value
        }
    }

    /// An event that makes an envelope of about 200 bytes.
    private static func event() -> [UInt8] {
        let trade = Trade(
            id: String(repeating: "x", count: 92), side: .buy, price: Price(6_000_000), size: Quantity(100),
            priceScale: .zero, sizeScale: .zero, venueTime: .zero, receivedTime: .zero)
        return EventEncoder.encode(.trade(InstrumentID(venue: .bitmex, symbol: "XBTUSD"), trade))
    }

    private static func throughput(_ messages: Int, _ guests: Guests) async throws -> Double {
        try await withBus(guests) { publisher, subscriber in
            let topics = try (0..<100).map { try publisher.topic("ticker.bench.SYM\($0).") }
            let event = event()
            try await warm(publisher, subscriber, topics[0], event)
            return try await withThrowingTaskGroup(of: Double.self) { group in
                let started = seconds()
                group.addTask {
                    var received: UInt64 = 0
                    for await batch in subscriber.batches {
                        for event in batch.events {
                            switch event {
                            case .message: received += 1
                            case .gap(let gap):
                                throw BenchFailure("the subscriber lost \(gap.expected) and on")
                            default: break
                            }
                        }
                        if received >= messages { break }
                    }
                    return Double(received) / (seconds() - started)
                }
                var sent = 0
                while sent < messages + 10_000 {
                    var batch = OutboundBatch()
                    for _ in 0..<256 {
                        batch.append(event, to: topics[sent % 100])
                        sent += 1
                    }
                    _ = await publisher.publish(batch)
                }
                return try await group.next() ?? 0
            }
        }
    }

    private static func latency(_ guests: Guests) async throws -> (Double, Double) {
        try await withBus(guests) { publisher, subscriber in
            let topic = try publisher.topic("ticker.bench.LAT.")
            let event = event()
            try await warm(publisher, subscriber, topic, event)
            return try await withThrowingTaskGroup(of: [Double].self) { group in
                group.addTask {
                    var latencies: [Double] = []
                    for await batch in subscriber.batches {
                        let now = wallClock()
                        for case .message(let message) in batch.events {
                            latencies.append(Double(now - message.publishedTime.nanoseconds) / 1_000)
                        }
                        if latencies.count >= 30_000 { break }
                    }
                    return latencies
                }
                var next = seconds()
                for _ in 0..<31_000 {
                    var batch = OutboundBatch()
                    batch.append(event, to: topic)
                    _ = publisher.offer(&batch)
                    next += 0.000_1
                    pause(until: next)
                }
                let sorted = (try await group.next() ?? []).sorted()
                return (sorted.percentile(0.5), sorted.percentile(0.99))
            }
        }
    }

    /// Publishes until the first message comes through: the subscription has reached everybody.
    private static func warm(
        _ publisher: Publisher, _ subscriber: Subscriber, _ topic: PublisherTopic, _ event: [UInt8]
    ) async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    var batch = OutboundBatch()
                    batch.append(event, to: topic)
                    _ = publisher.offer(&batch)
                    pause(until: seconds() + 0.01)
                }
            }
            var iterator = subscriber.batches.makeAsyncIterator()
            while let batch = await iterator.next() {
                if batch.events.contains(where: { if case .message = $0 { true } else { false } }) { break }
            }
            group.cancelAll()
        }
    }

    private static func wallClock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func pause(until time: Double) {
        let left = time - seconds()
        guard left > 0 else { return }
        var request = timespec(tv_sec: Int(left), tv_nsec: Int((left - left.rounded(.down)) * 1e9))
        nanosleep(&request, nil)
    }
}

/// A measurement that means nothing.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// What the C program beside this one printed.
struct PlainZeroMQ: Decodable, Sendable {
    var throughput: Double
    var throughput_two_frames: Double?
    var p50: Double
    var p99: Double
    var curve_throughput: Double?
    var curve_throughput_two_frames: Double?
    var curve_p50: Double?
    var curve_p99: Double?
}
