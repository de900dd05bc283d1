import AccountStore
import Accounts
import GatewayFrame
import GatewayStream
import Hummingbird
import Instruments
import Shapes
import Store

/// What a watchlist is called.
private let watchlistName = InputKind.name(1...60)

private struct NewWatchlist: WireInput {
    static let shape = InputShape("NewWatchlist", Self.init(name:)) {
        InputField("name", watchlistName, "What it is called.", example: "Coins")
    }

    var name: String
}

private struct WatchlistChange: WireInput {
    static let shape = InputShape("WatchlistChange", Self.init(name:position:)) {
        InputField("name", .optional(watchlistName), "What it is called from now on.", example: "Majors")
        InputField("position", .optional(.integer), "Its place among the others, from 0.", example: 0)
    }

    var name: String?
    var position: Int?
}

private struct NewEntry: WireInput {
    static let shape = InputShape("NewEntry", Self.init(instrument:)) {
        InputField("instrument", .instrument, example: "kraken:BTC/USD")
    }

    var instrument: InstrumentID
}

private struct EntryOrder: WireInput {
    static let shape = InputShape("EntryOrder", Self.init(instruments:)) {
        InputField(
            "instruments", .list(.instrument), "All of the list, in the order that is wanted.",
            example: ["kraken:ETH/USD", "kraken:BTC/USD"])
    }

    var instruments: [InstrumentID]
}

/// Entries that are changed together.
private struct EntrySelection: WireInput {
    static let shape = InputShape("EntrySelection", Self.init(instruments:action:)) {
        InputField(
            "instruments", .list(.instrument, count: 1...WatchlistLimits.entries),
            "All of them are changed, or none.", example: ["kraken:BTC/USD", "kraken:ETH/USD"])
        InputField("action", .choice(EntryAction.self), example: "add")
    }

    var instruments: [InstrumentID]
    var action: EntryAction
}

/// What can be done to several entries at once.
private enum EntryAction: String, CaseIterable, Sendable {
    case add, remove
}

/// A watchlist without its entries.
struct WatchlistBody: WireBody {
    static let shape = BodyShape<WatchlistBody>("Watchlist") {
        Field("id", \.list.id)
        Field("name", \.list.name, example: "Coins")
        Field("position", \.list.place, "Its place among the others, from 0.", example: 0)
        Field("created", \.list.created.plain, as: .text("date-time"), example: "2026-11-21T12:00:00Z")
        Field("count", \.count, "How many entries it has.", example: 2)
    }

    var list: Watchlist
    var count: Int
}

/// What a list holds.
struct WatchlistEntryBody: WireBody {
    static let shape = BodyShape<WatchlistEntryBody>("WatchlistEntry") {
        Field("instrument", \.entry.instrument, example: "kraken:BTC/USD")
        Field("added", \.entry.added.plain, as: .text("date-time"), example: "2026-11-21T12:00:00Z")
        Field(ifPresent: "ticker", \.ticker, "What is known of it now; null where that is nothing.")
    }

    var entry: WatchlistEntry
    /// `nil` where it is not asked for, `.some(nil)` where nothing is known.
    var ticker: TickerBody??
}

/// A watchlist with its entries.
private struct WholeWatchlistBody: WireBody {
    static let shape = BodyShape<WholeWatchlistBody>("WholeWatchlist") {
        Field(all: \.list)
        Field("entries", \.entries)
    }

    var list: WatchlistBody
    var entries: [WatchlistEntryBody]
}

extension Gateway {
    private static let quotes = Parameter.flag("quotes", "Whether each entry comes with its ticker.")

    func addWatchlistRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/watchlists", .scope(.accountRead),
            Operation(
                "listWatchlists", .watchlists, "The watchlists, in the order that their owner gives them."),
            query: .page
        ) { context in
            let question = try context.page(of: "watchlists")
            let lists = try await own(context) { session, user in
                let sizes = try session.watchlistSizes(of: user)
                return try session.watchlists(of: user).map { list in
                    WatchlistBody(list: list, count: sizes[list.id] ?? 0)
                }
            }
            return try Page(
                lists, of: "watchlists", question, key: { $0.list.id.description }, item: { $0 })
        }
        routes.create(
            "/v1/watchlists", .scope(.accountWrite),
            Operation("makeWatchlist", .watchlists, "Makes a watchlist.")
        ) { (body: NewWatchlist, context) in
            let now = services.clock()
            return try creation(context) { session, user in
                var random = SystemRandomNumberGenerator()
                let id = UniqueID(version7At: now.nanoseconds, using: &random)
                let list = try session.createWatchlist(id, named: body.name, of: user, at: now)
                return Created(WatchlistBody(list: list, count: 0), at: "/v1/watchlists/\(list.id)")
            }
        }
        routes.get(
            "/v1/watchlists/{id}", .scope(.accountRead),
            Operation("watchlist", .watchlists, "A watchlist with its entries."), query: [Self.quotes]
        ) { context in
            try await watchlist(try context.id(), context, hasQuotes: try context.query[Self.quotes])
        }
        routes.patch(
            "/v1/watchlists/{id}", .scope(.accountWrite),
            Operation(
                "changeWatchlist", .watchlists, "Renames a watchlist, or moves it among the others.",
                problems: [.conflict])
        ) { (body: WatchlistChange, context) in
            let id = try context.id()
            let list = try await own(context) { session, user in
                let list = try session.changeWatchlist(
                    id, of: user, name: body.name, position: body.position)
                return WatchlistBody(list: list, count: try session.watchlistEntries(of: id, by: user).count)
            }
            await tellStream(of: id, context)
            return OK(list)
        }
        routes.delete(
            "/v1/watchlists/{id}", .scope(.accountWrite),
            Operation("deleteWatchlist", .watchlists, "Removes a watchlist.")
        ) { context in
            let id = try context.id()
            try await own(context) { try $0.deleteWatchlist(id, of: $1) }
            await tellStream(of: id, context)
            return NoContent()
        }
        addEntryRoutes(to: routes)
    }

    private func addEntryRoutes(to routes: RouteTable) {
        routes.create(
            "/v1/watchlists/{id}/entries", .scope(.accountWrite),
            Operation(
                "addEntry", .watchlists, "Puts an instrument at the end of a watchlist.",
                "coin:ID, such as coin:bitcoin, puts the most liquid proven market of a coin there.")
        ) { (body: NewEntry, context) in
            let (id, now) = (try context.id(), services.clock())
            let instrument = try await services.meant(by: body.instrument)
            return try creationWithinQuota(context) { session, user in
                let entry = try session.addEntry(instrument, to: id, of: user, at: now)
                return Created(WatchlistEntryBody(entry: entry), at: "/v1/watchlists/\(id)")
            }.followed(by: { await tellStream(of: id, context) })
        }
        routes.delete(
            "/v1/watchlists/{id}/entries/{instrument}", .scope(.accountWrite),
            Operation("removeEntry", .watchlists, "Takes an instrument off a watchlist.")
        ) { context in
            let (id, instrument) = (try context.id(), try context.instrument())
            try await own(context) { try $0.removeEntry(instrument, from: id, of: $1) }
            await tellStream(of: id, context)
            return NoContent()
        }
        routes.create(
            "/v1/watchlists/{id}/entries/bulk", .scope(.accountWrite),
            Operation(
                "changeEntries", .watchlists,
                "Puts instruments at the end of a watchlist or takes them off it, all of those named or none.",
                problems: [.conflict])
        ) { (body: EntrySelection, context) in
            let (id, now) = (try context.id(), services.clock())
            let instruments = try await meant(by: body)
            return try creationWithinQuota(context) { session, user in
                for instrument in instruments {
                    switch body.action {
                    case .add: _ = try session.addEntry(instrument, to: id, of: user, at: now)
                    case .remove: try session.removeEntry(instrument, from: id, of: user)
                    }
                }
                return OK(try session.wholeWatchlist(id, of: user))
            }.followed(by: { await tellStream(of: id, context) })
        }
        routes.put(
            "/v1/watchlists/{id}/order", .scope(.accountWrite),
            Operation("orderEntries", .watchlists, "Puts the entries of a watchlist in another order.")
        ) { (body: EntryOrder, context) in
            let id = try context.id()
            _ = try await own(context) { try $0.orderEntries(body.instruments, of: id, by: $1) }
            await tellStream(of: id, context)
            return try await watchlist(id, context, hasQuotes: false)
        }
    }

    /// The instruments of a selection; coins that are added are their best markets.
    private func meant(by selection: EntrySelection) async throws -> [InstrumentID] {
        guard selection.action == .add else { return selection.instruments }
        var instruments: [InstrumentID] = []
        for id in selection.instruments { instruments.append(try await services.meant(by: id)) }
        return instruments
    }

    /// The owner's other devices see the change at once, those at another gateway within its next look.
    func tellStream(of id: UniqueID, _ context: GatewayContext) async {
        guard let stream, let user = context.identity?.user else { return }
        await stream.noteWatchlist(id, of: user)
    }

    /// A list with its entries, and with their live tickers when they are wanted.
    private func watchlist(
        _ id: UniqueID, _ context: GatewayContext, hasQuotes: Bool
    ) async throws -> OK<WholeWatchlistBody> {
        var whole = try await own(context) { try $0.wholeWatchlist(id, of: $1) }
        if hasQuotes {
            for index in whole.entries.indices {
                whole.entries[index].ticker = .some(live.ticker(whole.entries[index].entry.instrument))
            }
        }
        return OK(whole)
    }
}

extension Session {
    /// A list with its entries, without their tickers.
    fileprivate func wholeWatchlist(_ id: UniqueID, of user: UserID) throws -> WholeWatchlistBody {
        guard let list = try watchlist(id, of: user) else { throw WatchlistRefused.noSuchWatchlist(id) }
        let entries = try watchlistEntries(of: id, by: user).map { WatchlistEntryBody(entry: $0) }
        return WholeWatchlistBody(list: WatchlistBody(list: list, count: entries.count), entries: entries)
    }
}
