import Instruments
import MarketStore
import Portfolio
import Store

/// What the transactions of a portfolio that are in force come to.
struct LedgerCheckpoint: Hashable {
    /// What every wallet holds, as ``Ledger/balances(at:)`` says it.
    var balances: [Balance] = []
    /// How often they name each asset, as it is spelt; none that they do not name.
    var uses: [Asset: Int64] = [:]

    /// Counts the assets that a row names.
    mutating func count(_ row: Transaction, _ step: Int64) {
        for asset in [row.subject.asset, row.counter?.asset, row.fee?.asset] {
            guard let asset else { continue }
            let count = (uses[asset] ?? 0) + step
            uses[asset] = count == 0 ? nil : count
        }
    }
}

extension Session {
    /// The checkpoint of a portfolio; `nil` where it is not of the last change, so that all is to be read.
    func checkpoint(of portfolio: StoredPortfolio) throws(StoreError) -> LedgerCheckpoint? {
        let id = portfolio.id
        let isCurrent = try exists(
            "SELECT FROM portfolio.portfolio WHERE portfolio_id = \(id) AND balanced = change")
        guard isCurrent else { return nil }
        var checkpoint = LedgerCheckpoint()
        checkpoint.balances = try rows(
            "SELECT wallet, asset, amount FROM portfolio.balance WHERE portfolio_id = \(id)"
        ) { row in
            let (wallet, asset) = (try row.text(), Asset(rawValue: try row.text()))
            return Balance(wallet: wallet, holding: Holding(try row.amount(), asset))
        }
        let uses = try rows("SELECT asset, uses FROM portfolio.asset_use WHERE portfolio_id = \(id)") { row in
            (Asset(rawValue: try row.text()), try row.int64())
        }
        for (asset, count) in uses { checkpoint.uses[asset] = count }
        return checkpoint
    }

    /// Stores what a replay found, as that of the portfolio's last change: what differs, or all of it.
    func put(_ replay: LedgerReplay, of portfolio: StoredPortfolio) throws(StoreError) {
        let id = portfolio.id
        var batch = StatementBatch()
        if replay.before == nil {
            batch.append("DELETE FROM portfolio.balance WHERE portfolio_id = \(id)")
            batch.append("DELETE FROM portfolio.asset_use WHERE portfolio_id = \(id)")
            // One that is there goes along with each change.
            batch.append(
                "UPDATE portfolio.portfolio SET balanced = \(portfolio.change) WHERE portfolio_id = \(id)")
        }
        put(balances: replay, of: id, in: &batch)
        put(uses: replay, of: id, in: &batch)
        try send(batch)
    }

    private func put(balances replay: LedgerReplay, of id: PortfolioID, in batch: inout StatementBatch) {
        let old = replay.before?.balances ?? []
        let known = Set(old)
        let changed = replay.after.balances.filter { !known.contains($0) }
        let left = Set(replay.after.balances.map(Account.init))
        let gone = old.map(Account.init).filter { !left.contains($0) }
        if !gone.isEmpty {
            let (wallets, assets) = (gone.map(\.wallet), gone.map(\.asset))
            batch.append(
                """
                DELETE FROM portfolio.balance AS old
                USING unnest(\(wallets)::text[], \(assets)::text[]) AS gone (wallet, asset)
                WHERE portfolio_id = \(id) AND old.wallet = gone.wallet AND old.asset = gone.asset
                """)
        }
        guard !changed.isEmpty else { return }
        let (wallets, assets) = (changed.map(\.wallet), changed.map(\.holding.asset.rawValue))
        batch.append(
            """
            INSERT INTO portfolio.balance (portfolio_id, wallet, asset, amount)
            SELECT \(id), wallet, asset, amount
            FROM unnest(\(wallets)::text[], \(assets)::text[], \(changed.map(\.holding.amount))::numeric[])
                AS new (wallet, asset, amount)
            ON CONFLICT (portfolio_id, wallet, asset) DO UPDATE SET amount = excluded.amount
            """)
    }

    private func put(uses replay: LedgerReplay, of id: PortfolioID, in batch: inout StatementBatch) {
        let old = replay.before?.uses ?? [:]
        let gone = old.keys.filter { replay.after.uses[$0] == nil }.map(\.rawValue).sorted()
        if !gone.isEmpty {
            batch.append(
                "DELETE FROM portfolio.asset_use WHERE portfolio_id = \(id) AND asset = ANY (\(gone))")
        }
        let changed = replay.after.uses.filter { old[$0.key] != $0.value }
            .sorted { $0.key.rawValue < $1.key.rawValue }
        guard !changed.isEmpty else { return }
        batch.append(
            """
            INSERT INTO portfolio.asset_use (portfolio_id, asset, uses)
            SELECT \(id), asset, uses
            FROM unnest(\(changed.map(\.key.rawValue))::text[], \(changed.map(\.value))::bigint[])
                AS new (asset, uses)
            ON CONFLICT (portfolio_id, asset) DO UPDATE SET uses = excluded.uses
            """)
    }
}

/// One asset in one wallet.
private struct Account: Hashable {
    var wallet: String
    var asset: String

    init(_ balance: Balance) { (wallet, asset) = (balance.wallet, balance.holding.asset.rawValue) }
}
