import Bus
import BusBroker
import Logging
import Support
import Testing
import Threads

/// A broker with its users in one test, over real sockets on free ports of loopback.
struct TestBus: Sendable {
    let context: BusContext
    let addresses: BusAddresses

    static let logger = Logger(label: "bus-tests") { _ in SwiftLogNoOpLogHandler() }

    /// Runs a broker while `body` runs.
    static func run(
        _ configuration: BusBrokerConfiguration = BusBrokerConfiguration(addresses: .anyLoopbackPort),
        _ body: (TestBus) async throws -> Void
    ) async throws {
        let context = try BusContext()
        let broker = try BusBroker(
            context: context, configuration: configuration, instance: "test", logger: logger)
        try await running([broker]) {
            try await body(TestBus(context: context, addresses: broker.bound()))
        }
    }

    func publisher(_ name: String = "tester", _ change: (inout PublisherConfiguration) -> Void = { _ in })
        throws
        -> Publisher
    {
        var configuration = PublisherConfiguration(producer: name, addresses: addresses)
        change(&configuration)
        return try Publisher(context: context, configuration: configuration, logger: Self.logger)
    }

    func subscriber(
        _ prefixes: [String], _ change: (inout SubscriberConfiguration) -> Void = { _ in }
    ) throws -> Subscriber {
        var configuration = SubscriberConfiguration(name: "tester", addresses: addresses, prefixes: prefixes)
        change(&configuration)
        return try Subscriber(context: context, configuration: configuration, logger: Self.logger)
    }
}

extension Publisher {
    /// Waits until a broker takes messages.
    func waitForBroker() async throws {
        for await event in events where event == .brokerAppeared { return }
        throw TestFailure("the publisher ended before a broker appeared")
    }
}

/// Waits for the next event of a publisher and compares it.
func expect(_ expected: PublisherEvent, from events: inout AsyncStream<PublisherEvent>.Iterator) async throws
{
    let event = await events.next(isolation: #isolation)
    #expect(event == expected)
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
