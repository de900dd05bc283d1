import AccountStore
import Instruments
import MarketStore
import Store
import Support

/// A database with two users and three instruments.
enum WatchlistFixture {
    static let ann = UserID.localOperator
    static let ben = UserID(rawValue: UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_00BB))
    static let bitcoin = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    static let ether = InstrumentID(venue: .kraken, symbol: "ETH/USD")
    static let dogecoin = InstrumentID(venue: .kraken, symbol: "DOGE/USD")
    /// 2026-01-01T00:00:00.000001Z, and some that no `timestamptz` keeps.
    static let now = Timestamp(nanoseconds: 1_767_225_600_000_001_234)

    static func database(
        _ configure: (inout StoreConfiguration) -> Void = { _ in }
    ) async throws -> Database {
        var configuration = try await TestDatabase.migrated("watchers") { store, logger in
            try await MarketSchema.migrator.migrate(store, logger: logger)
            try await AccountSchema.migrator.migrate(store, logger: logger)
        }
        configure(&configuration)
        let database = Database(
            configuration: configuration, logger: TestDatabase.logger, jitter: { 0 })
        let instruments = [bitcoin, ether, dogecoin].map { id in
            Instrument(
                id: id, base: Asset(rawValue: String(id.symbol.prefix(3))), quote: Asset(rawValue: "USD"),
                kind: .spot, priceScale: Scale(1) ?? .zero, sizeScale: Scale(8) ?? .zero, tickSize: nil,
                lotSize: nil)
        }
        try await database.store(instruments, at: .zero)
        try await database.execute(AddUser())
        return database
    }

    static func id(_ number: UInt64) -> UniqueID {
        UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number)
    }
}

/// The second user.
struct AddUser: Statement {
    static let sql = "INSERT INTO accounts.app_user (user_id, name) VALUES ($1, 'ben')"
    func bind(_ parameters: inout Parameters) { parameters.append(WatchlistFixture.ben.rawValue) }
}

extension Database {
    /// The lists of a user, as a service sees them.
    func watchlists(of user: UserID) async throws -> [Watchlist] {
        try await withSession { session in try session.watchlists(of: user) }
    }

    /// The entries of a list, as a service sees them.
    func watchlistEntries(of id: UniqueID, by user: UserID) async throws -> [WatchlistEntry] {
        try await withSession { session in try session.watchlistEntries(of: id, by: user) }
    }

    /// Makes a list with entries.
    func watch(
        _ number: UInt64, _ name: String, of user: UserID = WatchlistFixture.ann,
        _ instruments: InstrumentID...
    ) async throws {
        try await transaction(as: user) { session in
            _ = try session.createWatchlist(
                WatchlistFixture.id(number), named: name, of: user, at: WatchlistFixture.now)
            for id in instruments {
                _ = try session.addEntry(
                    id, to: WatchlistFixture.id(number), of: user, at: WatchlistFixture.now)
            }
        }
    }

    /// Who wants what.
    func wishes() async throws -> [String] {
        try await subscriptions().map { "\($0.instrument) \($0.wantedBy.prefix(9))" }
    }
}

/// Why a change was refused; `nil` when it was not.
func refusal<Value>(_ body: () async throws -> Value) async throws -> WatchlistRefused? {
    do {
        _ = try await body()
        return nil
    } catch let error as StoreError {
        guard let refused = error.bodyError as? WatchlistRefused else { throw error }
        return refused
    }
}
