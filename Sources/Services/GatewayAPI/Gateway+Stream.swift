import AccountStore
import AlertStore
import HTTPTypes
import Hummingbird
import Logging
import MarketState
import MarketStore
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import PortfolioStore
import ServiceLifecycle
import Shapes
import Store

extension Gateway {
    /// Adds the stream; the services that it needs beside the server, in the order of their dependencies.
    mutating func addStream(_ view: MarketView) -> [any Service] {
        let hub = StreamHub(
            view, Self.streamSources(services.database, view),
            marketIsPublic: services.configuration.marketIsPublic,
            liveLimit: LiveConnectionLimit(ofAddress: services.configuration.connectionLimit / 2),
            logger: services.logger)
        stream = hub
        return [view, hub, RevocationWatch(hub: hub, database: services.database, clock: services.clock)]
    }

    /// From which pages the stream may be used.
    var handshake: StreamHandshake {
        StreamHandshake(origins: services.configuration.pageURL.map { [$0.lowercased()] } ?? [])
    }

    /// What becomes of requests to upgrade to a WebSocket.
    var streamUpgrade: StreamUpgrade? {
        let (identify, services, hosts) = (identify, services, HostRule(services.configuration))
        return stream.map { stream in
            StreamUpgrade(handshake: handshake) { caller, authenticate in
                StreamConnection(stream, caller, authenticate: authenticate)
            } admit: { head, channel in
                try hosts.check(head.authority)
                let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
                let source = ApplicationRequestContextSource(channel: channel, logger: services.logger)
                var context = GatewayContext(source: source)
                context.client = ClientAddress.of(
                    peer: context.client, forwarded: request.headers[values: .xForwardedFor],
                    trusted: services.configuration.proxies)
                // As a request of the same weight, before anything is looked up for it.
                try services.rates.take(5, for: .at(context.client), at: services.monotonic())
                let identity = try await identify(request, context)
                if let identity { try services.rates.take(5, for: identity, at: services.monotonic()) }
                return StreamCaller(
                    identity: identity, permit: try stream.liveLimit.take(identity, from: context.client))
            }
        }
    }

    /// What the stream asks PostgreSQL.
    static func streamSources(_ database: Database, _ view: MarketView) -> StreamSources {
        var sources = StreamSources()
        sources.candle = { interval, id in
            guard let length = CandleInterval(rawValue: interval) else { return nil }
            return try await database.newestCandles(of: [id], [length]).first.map {
                CandleBody($0.candle, of: id)
            }
        }
        sources.trending = {
            let scores = try await database.trending(limit: 20)
            let items =
                scores.isEmpty
                ? TrendingBody.moving(view.tickerBodies, limit: 20)
                : scores.map { TrendingBody($0.hour, $0.row) }
            return ["items": items].kept
        }
        sources.watchlist = { user, id in
            try await database.transaction(as: user) { session in
                guard let list = try session.watchlist(id, of: user) else { return nil }
                let entries = try session.watchlistEntries(of: id, by: user)
                return StreamSources.Watched(name: list.name, instruments: entries.map(\.instrument))
            }
        }
        sources.ownsPortfolio = { user, id in
            try await database.transaction(as: user) { session in
                try session.findPortfolio(PortfolioID(rawValue: id), of: user) != nil
            }
        }
        sources.firings = { user in
            try await database.transaction(as: user) { session in
                try session.firings(of: user, limit: StreamTopicState.firingWindow)
            }.reversed().map { FiringBody($0) }
        }
        return sources
    }
}
