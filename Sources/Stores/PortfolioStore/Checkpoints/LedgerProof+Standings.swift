import Instruments
import MarketStore
import Portfolio
import Store

extension Session {
    /// Whether a change is known to break nothing; behind the portfolio's lock, and before it is stored.
    func isProven(
        _ change: LedgerChange, of portfolio: StoredPortfolio, after before: LedgerCheckpoint
    ) throws(StoreError) -> Bool {
        guard let proof = LedgerProof(change) else { return false }
        guard !proof.accounts.isEmpty, let start = proof.times.first else { return true }
        let standings = try standings(of: portfolio, for: proof, since: start)
        return proof.holds(standings, before: before.balances)
    }

    /// What the rows that stay as they are come to, see ``LedgerProof``.
    ///
    /// A row moves what `Posting` says; what a wallet gets of it and what leaves by it are one sum.
    private func standings(
        of portfolio: StoredPortfolio, for proof: LedgerProof, since start: Timestamp
    ) throws(StoreError) -> [LedgerProof.Standing] {
        let (wallets, assets) = (proof.accounts.map(\.wallet), proof.accounts.map(\.asset.rawValue))
        let times = proof.times.map(\.nanoseconds)
        return try rows(
            """
            WITH wanted AS (
                SELECT place::integer AS place, wallet, asset
                FROM unnest(\(wallets)::text[], \(assets)::text[])
                    WITH ORDINALITY AS named (wallet, asset, place)
            ), moved AS (
                SELECT wanted.place, entry.time,
                    CASE WHEN entry.wallet = wanted.wallet THEN
                        CASE WHEN entry.asset <> wanted.asset THEN 0
                            WHEN entry.kind IN (\(SQL(words: TransactionKind.coming)))
                            THEN entry.amount ELSE -entry.amount END
                        + CASE WHEN entry.counter_asset = wanted.asset THEN CASE
                            WHEN entry.kind IN (\(SQL(words: TransactionKind.paying)))
                            THEN -entry.counter_amount
                            WHEN entry.kind IN (\(SQL(words: TransactionKind.paid)))
                            THEN entry.counter_amount
                            ELSE 0 END ELSE 0 END
                        - CASE WHEN entry.fee_asset = wanted.asset THEN entry.fee_amount ELSE 0 END
                    ELSE 0 END
                    + CASE WHEN entry.to_wallet = wanted.wallet AND entry.asset = wanted.asset
                        THEN entry.amount ELSE 0 END AS amount
                FROM portfolio.revision AS entry
                JOIN wanted ON entry.wallet = wanted.wallet OR entry.to_wallet = wanted.wallet
                WHERE entry.portfolio_id = \(portfolio.id) AND entry.superseded IS NULL
                    AND entry.time >= \(start.nanoseconds) AND entry.number <> ALL (\(proof.numbers))
                    AND \(owned: portfolio.id, by: portfolio.user)
                UNION ALL
                SELECT wanted.place, change.time, 0
                FROM wanted CROSS JOIN unnest(\(times)::bigint[]) AS change (time)
            ), instant AS (
                SELECT place, time, sum(amount) AS amount, sum(least(amount, 0)) AS leaving
                FROM moved GROUP BY place, time
            ), standing AS (
                SELECT place, time, width_bucket(time, \(times)::bigint[]) AS part,
                    sum(amount) OVER (PARTITION BY place ORDER BY time) - amount + leaving AS low,
                    sum(amount) OVER (PARTITION BY place) AS total
                FROM instant
            )
            SELECT place, part, (\(times)::bigint[])[part] = time AS is_at, min(low), max(total)
            FROM standing GROUP BY place, part, is_at
            """
        ) { row in
            LedgerProof.Standing(
                account: Int(try row.int32()) - 1, instant: Int(try row.int32()) - 1,
                isAtInstant: try row.bool(), least: try row.amount(), total: try row.amount())
        }
    }
}

extension TransactionKind {
    /// Of which the asset comes in, as the database names them; of all others it leaves.
    fileprivate static let coming = allCases.filter { $0.isReceipt || $0 == .buy }.map(\.rawValue)
    /// Of which the counter amount leaves.
    fileprivate static let paying = [TransactionKind.buy.rawValue]
    /// Of which the counter amount comes in.
    fileprivate static let paid = allCases.filter { $0.isExchange && $0 != .buy }.map(\.rawValue)
}
