import AccountStore
import Accounts
import Hummingbird
import Instruments
import JSON
import Store

extension Gateway {
    func addWatchlistRoutes(to routes: RouteTable) {
        routes.get("/v1/watchlists", .scope(.accountRead), query: .page) { _, context in
            let question = try context.page(of: "watchlists")
            let lists = try await own(context) { try $0.watchlists(of: $1) }
            return try OwnedAnswer.page(lists, of: "watchlists", question, key: { $0.id.description }) {
                list in
                OwnedAnswer.item { WatchlistJSON.write(list, to: &$0) }
            }
        }
        routes.post("/v1/watchlists", .scope(.accountWrite), creates: true) { _, context in
            struct Body: Decodable { var name: String }
            let (name, now) = (try context.json(Body.self).name, services.clock())
            try NameRule.check(name)
            let list = try await own(context) { session, user in
                var random = SystemRandomNumberGenerator()
                let id = UniqueID(version7At: now.nanoseconds, using: &random)
                return try session.createWatchlist(id, named: name, of: user, at: now)
            }
            return OwnedAnswer.created(
                "/v1/watchlists/\(list.id)", OwnedAnswer.item { WatchlistJSON.write(list, to: &$0) })
        }
        routes.get("/v1/watchlists/{id}", .scope(.accountRead), query: ["quotes"]) { _, context in
            let (id, hasQuotes) = (try context.id(), try context.query.flag("quotes"))
            return try await watchlist(id, context, hasQuotes: hasQuotes)
        }
        routes.patch("/v1/watchlists/{id}", .scope(.accountWrite)) { _, context in
            struct Body: Decodable {
                var name: String?
                var position: Int?
            }
            let (id, body) = (try context.id(), try context.json(Body.self))
            let (name, position) = (body.name, body.position)
            try NameRule.check(name)
            let list = try await own(context) { session, user in
                try session.changeWatchlist(id, of: user, name: name, position: position)
            }
            await tellStream(of: id, context)
            return OwnedAnswer.object { WatchlistJSON.write(list, to: &$0) }
        }
        routes.delete("/v1/watchlists/{id}", .scope(.accountWrite)) { _, context in
            let id = try context.id()
            try await own(context) { try $0.deleteWatchlist(id, of: $1) }
            await tellStream(of: id, context)
            return .noContent
        }
        addEntryRoutes(to: routes)
    }

    private func addEntryRoutes(to routes: RouteTable) {
        routes.post("/v1/watchlists/{id}/entries", .scope(.accountWrite), creates: true) { _, context in
            struct Body: Decodable { var instrument: String }
            let (id, now) = (try context.id(), services.clock())
            let instrument = try Self.instrument(try context.json(Body.self).instrument)
            let entry = try await own(context) { session, user in
                try session.addEntry(instrument, to: id, of: user, at: now)
            }
            await tellStream(of: id, context)
            return OwnedAnswer.created(
                "/v1/watchlists/\(id)", OwnedAnswer.item { WatchlistJSON.write(entry, to: &$0) })
        }
        routes.delete("/v1/watchlists/{id}/entries/{instrument}", .scope(.accountWrite)) { _, context in
            let (id, instrument) = (try context.id(), try context.instrument())
            try await own(context) { try $0.removeEntry(instrument, from: id, of: $1) }
            await tellStream(of: id, context)
            return .noContent
        }
        routes.put("/v1/watchlists/{id}/order", .scope(.accountWrite)) { _, context in
            struct Body: Decodable { var instruments: [String] }
            let id = try context.id()
            let instruments = try context.json(Body.self).instruments.map {
                try Self.instrument($0, field: "instruments")
            }
            _ = try await own(context) { try $0.orderEntries(instruments, of: id, by: $1) }
            await tellStream(of: id, context)
            return try await watchlist(id, context, hasQuotes: false)
        }
    }

    /// The owner's other devices see the change at once, those at another gateway within its next look.
    private func tellStream(of id: UniqueID, _ context: GatewayContext) async {
        guard let stream, let user = context.identity?.user else { return }
        await stream.noteWatchlist(id, of: user)
    }

    /// A list with its entries, and with their live tickers when they are wanted.
    private func watchlist(
        _ id: UniqueID, _ context: GatewayContext, hasQuotes: Bool
    ) async throws -> Response {
        let (list, entries) = try await own(context) { session, user in
            guard let list = try session.watchlist(id, of: user) else {
                throw WatchlistRefused.noSuchWatchlist(id)
            }
            return (list, try session.watchlistEntries(of: id, by: user))
        }
        let tickers = hasQuotes ? entries.map { live.ticker($0.instrument) } : []
        return OwnedAnswer.object { line in
            WatchlistJSON.write(list, to: &line)
            line.list("entries", Array(entries.enumerated())) { entry, line in
                WatchlistJSON.write(entry.element, to: &line)
                guard hasQuotes else { return }
                line.key("ticker")
                if let ticker = tickers[entry.offset] { line.raw(ticker) } else { line.null() }
            }
        }
    }

    /// An instrument as a body names it.
    static func instrument(
        _ text: String, field: String = "instrument"
    ) throws(Problem) -> InstrumentID {
        guard let id = InstrumentID(text) else {
            throw .invalid(
                field, text, accepted: "an instrument written VENUE:SYMBOL, such as kraken:BTC/USD")
        }
        return id
    }
}

/// Watchlists as JSON; each writes the members of an object.
enum WatchlistJSON {
    static func write(_ list: Watchlist, to line: inout JSONWriter) {
        line.text("id", list.id.description)
        line.text("name", list.name)
        line.key("position")
        line.integer(list.place)
        line.text("created", list.created.plain)
    }

    static func write(_ entry: WatchlistEntry, to line: inout JSONWriter) {
        line.text("instrument", entry.instrument.description)
        line.text("added", entry.added.plain)
    }
}
