import Instruments
import Portfolio
import PortfolioStore
import Store
import Synchronization

/// What the service reads of portfolios and writes of their history.
final class LedgerReader: Sendable {
    private struct State {
        var isCurrent = false
        var failures: UInt64 = 0
    }

    private let database: Database
    private let state = Mutex(State())

    init(database: Database) { self.database = database }

    /// Whether every change is known.
    var isCurrent: Bool { state.withLock { $0.isCurrent } }
    /// Readings that failed so far.
    var failures: UInt64 { state.withLock { $0.failures } }

    func setCurrent(_ isCurrent: Bool) { state.withLock { $0.isCurrent = isCurrent } }
    func count() { state.withLock { $0.failures &+= 1 } }

    /// Those of some keys, or all.
    func portfolios(_ ids: [PortfolioID]? = nil) async throws(StoreError) -> [StoredPortfolio] {
        try await database.withSession { try $0.activePortfolios(ids) }
    }

    /// What is read of a portfolio.
    struct Contents {
        /// What it holds now, over all wallets.
        var holdings: [Holding]
        /// What its value is compared with.
        var basis: PortfolioBasis?
        /// When the first transaction counts that is dated later than now.
        var next: Timestamp?
    }

    /// What a portfolio holds now; `nil` when it is no longer its owner's.
    func contents(of portfolio: StoredPortfolio, at now: Timestamp) async throws -> Contents? {
        guard let (rows, next) = try await rows(of: portfolio, until: now) else { return nil }
        let ledger = try Ledger(rows, while: { !Task.isCancelled })
        var amounts: [Asset: Amount] = [:]
        for balance in ledger.balances() {
            amounts[balance.holding.asset, default: .zero] += balance.holding.amount
        }
        // A value is told also where nothing can be said of its past.
        let history = try? await history(rows, in: portfolio.base, until: now)
        return Contents(
            holdings: amounts.map { Holding($0.value, $0.key) },
            basis: history.map { PortfolioBasis($0, at: now) }, next: next)
    }

    /// What a portfolio's value is compared with now; `nil` when it is no longer its owner's.
    func basis(of portfolio: StoredPortfolio, at now: Timestamp) async throws -> PortfolioBasis? {
        guard let (rows, _) = try await rows(of: portfolio, until: now) else { return nil }
        return PortfolioBasis(try await history(rows, in: portfolio.base, until: now), at: now)
    }

    /// The transactions that count by now, and when the first of the others will.
    private func rows(
        of portfolio: StoredPortfolio, until now: Timestamp
    ) async throws -> (rows: [Transaction], next: Timestamp?)? {
        let rows = try await database.withSession { session -> [Transaction]? in
            let rows = try session.ledgerRows(of: portfolio.id, by: portfolio.user).map(\.transaction)
            // Looked at after them: who was its owner before is shown none of them.
            return try session.findPortfolio(portfolio.id, of: portfolio.user) == nil ? nil : rows
        }
        return rows.map { rows in
            (rows.filter { $0.time <= now }, rows.lazy.map(\.time).filter { $0 > now }.min())
        }
    }

    private func history(
        _ rows: [Transaction], in base: Asset, until now: Timestamp
    ) async throws -> DailyHistory {
        let assets = Set(Self.firstTimes(rows).keys)
        let closes = try await database.withSession { session in
            PriceHistory(try session.dailyCloses(of: assets, in: base))
        }
        let ledger = try Ledger(rows, while: { !Task.isCancelled })
        let history = DailyHistory(
            ledger, base: base, prices: closes, until: now, while: { !Task.isCancelled })
        // What was cut short is no history.
        try Task.checkCancellation()
        return history
    }

    /// Stores the days of a portfolio that are over and not stored, and those that had no price.
    ///
    /// - Parameters:
    ///   - portfolio: Whose.
    ///   - now: Days that are over by then.
    ///   - fetch: Gets since when each asset is held, and may bring prices, before any is read.
    /// - Throws: `StoreError`, `LedgerError`, `CancellationError`, or what `fetch` throws.
    func completeDays(
        of portfolio: StoredPortfolio, until now: Timestamp, fetch: ([Asset: Timestamp]) async throws -> Void
    ) async throws {
        let stored = try await database.withSession { session in
            try session.days(of: portfolio.id, by: portfolio.user)
        }
        let known = Dictionary(stored.map { ($0.end, $0) }, uniquingKeysWith: { first, _ in first })
        guard let (rows, _) = try await rows(of: portfolio, until: now), let first = rows.map(\.time).min(),
            !isComplete(stored, from: first, until: now)
        else { return }
        try await fetch(Self.firstTimes(rows))
        let history = try await history(rows, in: portfolio.base, until: now)
        let news = history.days.filter { day in
            guard day.end <= now else { return false }
            guard let old = known[day.end] else { return true }
            // A price that was there once and is gone now does not take a value back.
            guard let value = day.value else { return false }
            return old.value != value || old.inflow != day.inflow || old.outflow != day.outflow
        }
        guard !news.isEmpty else { return }
        _ = try await database.transaction { session in
            try session.putDays(news, of: portfolio.id, after: portfolio.change)
        }
    }

    /// When each asset is named first.
    private static func firstTimes(_ rows: [Transaction]) -> [Asset: Timestamp] {
        var first: [Asset: Timestamp] = [:]
        for row in rows {
            for holding in [row.subject, row.counter, row.fee] {
                guard let asset = holding?.asset else { continue }
                first[asset] = min(first[asset] ?? row.time, row.time)
            }
        }
        return first
    }

    /// Whether every day that is over is there with a value.
    private func isComplete(
        _ days: [DailyHistory.Day], from first: Timestamp, until now: Timestamp
    ) -> Bool {
        let length: Int64 = 86_400_000_000_000
        let count = now.nanoseconds / length - first.nanoseconds / length
        return days.count >= count && days.allSatisfy { $0.value != nil }
    }
}
