import HTTPTypes
import Hosting
import HummingbirdCore
import AccountStore
import Accounts
import Bus
import Instruments
import Store
import Support
import Wire

@testable import GatewayAPI
@testable import GatewayFrame
@testable import GatewayStream

/// A gateway with its stream, somebody who publishes, and two users.
struct StreamFixture: Sendable {
    let port: Int
    let hub: StreamHub
    let view: MarketView
    let publisher: Publisher
    let database: Database

    static let bitcoin = GatewayBus.bitcoin
    /// Who shows the token `alice` or `bob`.
    static let alice = identity(1)
    static let bob = identity(2)

    private static func identity(_ number: UInt64) -> Identity {
        let id = UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number)
        return Identity(
            user: UserID(rawValue: id), role: .user, scopes: Scope.all(of: .user), credential: .token(id))
    }

    /// Runs everything while `body` runs.
    static func run(
        sources: StreamSources = StreamSources(), isPublic: Bool = true,
        pause: @escaping StreamHub.Pause = StreamHub.realPause,
        _ body: @Sendable (StreamFixture) async throws -> Void
    ) async throws {
        let made = MadeStream()
        try await GatewayFixture.run { configuration in
            configuration.server.marketIsPublic = isPublic
            configuration.server.pageURL = "https://bitpal.example"
        } prepare: { gateway in
            gateway.identify = { request, _ in
                guard let header = request.headers[.authorization] else { return nil }
                switch header {
                case "Bearer alice": return alice
                case "Bearer bob": return bob
                default: throw Problem(.unauthenticated, "the token is not valid")
                }
            }
            let services = gateway.services
            let hub = StreamHub(
                services.market, sources, marketIsPublic: isPublic, logger: services.logger, pause: pause)
            gateway.stream = hub
            made.hub = hub
        } _: { fixture in
            guard let hub = made.hub else { throw PropertyFailure("no stream") }
            let view = fixture.services.market
            let publisher = try fixture.services.frame.publisher("feed")
            try await serving([publisher, hub]) {
                for await event in publisher.events where event == .brokerAppeared { break }
                try await eventually { view.condition.word == .live }
                try await body(
                    StreamFixture(
                        port: fixture.client.port, hub: hub, view: view, publisher: publisher,
                        database: fixture.services.database))
            }
        }
    }

    /// Connects and runs `body`.
    func connect<Value: Sendable>(
        _ headers: [(String, String)] = [], _ body: (StreamClient) async throws -> Value
    ) async throws -> Value {
        try await StreamClient.run(port: port, headers: headers) { client, head async throws in
            guard head.hasPrefix("HTTP/1.1 101 ") else { throw PropertyFailure(head) }
            return try await body(client)
        }
    }

    /// Publishes one message.
    func say(_ event: WireEvent, on topic: String) throws {
        var batch = OutboundBatch()
        batch.append(event, to: try publisher.topic(topic))
        publisher.offer(&batch)
    }

    /// Publishes the last price.
    func say(price: Int64, of id: InstrumentID = bitcoin) throws {
        var day = Bitpal_V1_DayTicker()
        day.lastPrice = price
        try say(.dayTicker(id, day), on: Topic.dayTicker(id))
    }
}

/// What `prepare` made.
// SAFETY: written before anything runs, and only read after.
final class MadeStream: @unchecked Sendable {
    var hub: StreamHub?
}
