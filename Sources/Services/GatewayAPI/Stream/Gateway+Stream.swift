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
import Store

extension Gateway {
    /// Adds the stream; the services that it needs beside the server, in the order of their dependencies.
    mutating func addStream(_ view: MarketView) -> [any Service] {
        let hub = StreamHub(
            view, Self.streamSources(services.database, view),
            marketIsPublic: services.configuration.marketIsPublic,
            seats: LiveSeats(ofAddress: services.configuration.connectionLimit / 2), logger: services.logger)
        stream = hub
        return [view, hub, RevocationWatch(hub: hub, database: services.database, clock: services.clock)]
    }

    /// The stream's routes: `/v1/events`, and what `/v1/stream` says to who is no WebSocket.
    func addStreamRoutes(to routes: RouteTable) {
        guard let stream else { return }
        let (handshake, logger) = (handshake, services.logger)
        routes.get(StreamHandshake.path, .open, weight: 5) { request, context in
            // A handshake that was refused for that comes here, too.
            _ = try stream.seats.take(context.identity, from: context.client)
            throw try handshake.refusal(of: HTTPRequestHead(request.head))
                ?? Problem(.badRequest, "this is a WebSocket: connect with Upgrade: websocket")
        }
        routes.get("/v1/events", .open, weight: 5, query: ["channel", "key"]) { request, context in
            if let problem = handshake.originRefusal(try HTTPRequestHead(request.head)) { throw problem }
            let identity = context.identity
            let seat = try stream.seats.take(identity, from: context.client)
            var topics: [StreamTopic] = []
            for (channel, key) in try StreamEvents.names(context.query) {
                topics.append(
                    try await StreamDoor.topic(
                        channel, key, for: identity, marketIsPublic: stream.marketIsPublic, stream.sources))
            }
            let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
            let events = StreamEvents(
                hub: stream, identity: identity, topics: topics,
                places: StreamEvents.places(last, count: topics.count))
            let loop = context.eventLoop
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: ResponseBody { writer in
                    defer { withExtendedLifetime(seat) {} }
                    do {
                        try await events.run(&writer, on: loop)
                    } catch {
                        logger.debug("Events ended", metadata: ["error": "\(error)"])
                    }
                    try await writer.finish(nil)
                })
        }
    }

    /// From which pages the stream may be used.
    var handshake: StreamHandshake {
        StreamHandshake(origins: services.configuration.pageURL.map { [$0.lowercased()] } ?? [])
    }

    /// What becomes of requests to upgrade to a WebSocket.
    var streamUpgrade: StreamUpgrade? {
        let (identify, services, hosts) = (identify, services, HostRule(services.configuration))
        return stream.map { stream in
            StreamUpgrade(handshake: handshake) { guest, authenticate in
                StreamConnection(stream, guest, authenticate: authenticate)
            } admit: { head, channel in
                try hosts.check(head.authority)
                let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
                let source = ApplicationRequestContextSource(channel: channel, logger: services.logger)
                var context = GatewayContext(source: source)
                context.client = ClientAddress.of(
                    peer: context.client, forwarded: request.headers[values: .xForwardedFor],
                    trusted: services.configuration.proxies)
                // As a request of the same weight, before anything is looked up for it.
                try services.rates.take(5, for: .at(context.client), at: services.clock())
                let identity = try await identify(request, context)
                if let identity { try services.rates.take(5, for: identity, at: services.clock()) }
                return StreamGuest(
                    identity: identity, seat: try stream.seats.take(identity, from: context.client))
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
            return JSONOutput.array(of: ["items": items])
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
                try session.firings(of: user, limit: StreamThing.firingWindow)
            }.reversed().map { FiringBody($0) }
        }
        return sources
    }
}
