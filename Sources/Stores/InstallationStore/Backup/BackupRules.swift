import Store

extension BackupRule {
    /// What holds in every database of an installation, beside its constraints.
    static let all = [
        BackupRule("every ledger has counted each change and each transaction of its own") {
            (session) throws(StoreError) in
            try session.first(
                """
                SELECT count(*) FROM portfolio.portfolio AS own
                WHERE change < (
                        SELECT coalesce(max(made.change), 0) FROM portfolio.change AS made
                        WHERE made.portfolio_id = own.portfolio_id)
                    OR last_number < (
                        SELECT coalesce(max(kept.number), 0) FROM portfolio.revision AS kept
                        WHERE kept.portfolio_id = own.portfolio_id)
                """
            ) { Int(try $0.int64()) } ?? 0
        },
        BackupRule("of every transaction no revision is in force but the last") {
            (session) throws(StoreError) in
            try session.first(
                """
                SELECT count(*) FROM portfolio.revision AS earlier
                WHERE superseded IS NULL AND EXISTS (
                    SELECT FROM portfolio.revision AS later
                    WHERE later.portfolio_id = earlier.portfolio_id AND later.number = earlier.number
                        AND later.revision > earlier.revision)
                """
            ) { Int(try $0.int64()) } ?? 0
        },
        BackupRule("every ledger is somebody's, and the sums of its amounts are numbers") {
            (session) throws(StoreError) in
            try session.first(
                """
                SELECT count(*) FROM (
                    SELECT FROM portfolio.revision JOIN portfolio.portfolio USING (portfolio_id)
                    WHERE superseded IS NULL GROUP BY portfolio_id, asset
                    HAVING sum(amount) = 'NaN' OR sum(amount) = 'Infinity' OR count(user_id) < count(*)
                ) AS sums
                """
            ) { Int(try $0.int64()) } ?? 0
        },
    ]
}
