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
        try await database.rows(ActivePortfolios(ids))
    }

    /// What a portfolio holds now, over all wallets.
    func holdings(of id: PortfolioID) async throws -> [Holding] {
        let ledger = try Ledger(try await database.rows(LedgerRows(of: id)).map(\.transaction))
        var amounts: [Asset: Amount] = [:]
        for balance in ledger.balances() {
            amounts[balance.holding.asset, default: .zero] += balance.holding.amount
        }
        return amounts.map { Holding($0.value, $0.key) }
    }

    /// Stores the days of a portfolio that are over and not stored, and those that had no price.
    func completeDays(of portfolio: StoredPortfolio, until now: Timestamp) async throws {
        let stored = try await database.rows(ListDays(of: portfolio.id))
        let known = Dictionary(stored.map { ($0.end, $0) }, uniquingKeysWith: { first, _ in first })
        let rows = try await database.rows(LedgerRows(of: portfolio.id)).map(\.transaction)
        guard let first = rows.map(\.time).min(), !isComplete(stored, from: first, until: now) else { return }
        var assets: Set<Asset> = []
        for row in rows {
            for holding in [row.subject, row.counter, row.fee] {
                if let holding { assets.insert(holding.asset) }
            }
        }
        let (named, base) = (assets, portfolio.base)
        let closes = try await database.withSession { session in
            PriceBook(try session.dailyCloses(of: named, in: base))
        }
        let history = DailyHistory(try Ledger(rows), base: base, prices: closes, until: now)
        let news = history.days.filter { day in
            guard day.end <= now else { return false }
            guard let old = known[day.end] else { return true }
            return old.value != day.value || old.inflow != day.inflow || old.outflow != day.outflow
        }
        guard !news.isEmpty else { return }
        _ = try await database.transaction { session in
            try session.putDays(news, of: portfolio.id, after: portfolio.change)
        }
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
