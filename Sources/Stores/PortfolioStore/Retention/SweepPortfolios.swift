package import Store

extension Database {
    /// Removes portfolios that were deleted long ago with everything in them, in parts that hold nobody up.
    ///
    /// Safe with any number of programs: each takes another portfolio.
    ///
    /// - Parameters:
    ///   - age: Counted from their deletion; a week unless said otherwise.
    ///   - limit: Rows of each table in a part.
    ///   - parts: Parts at most; the next sweep does the rest.
    /// - Returns: How many portfolios are gone.
    /// - Throws: ``StoreError``; what was removed before it stays removed.
    package func sweepPortfolios(
        deletedFor age: Duration = .seconds(7 * 86_400), limit: Int = 1_000, parts: Int = 1_000
    ) async throws(StoreError) -> Int {
        var gone = 0
        for _ in 0..<parts {
            let isGone = try await transaction { session in
                try session.removePart(deletedFor: age.components.seconds, limit)
            }
            guard let isGone else { return gone }
            if isGone { gone += 1 }
        }
        return gone
    }
}

extension Session {
    /// Removes rows of which one deleted portfolio may have many, or else the rest of it.
    ///
    /// - Returns: Whether it is gone; `nil` where none is over.
    /// - Throws: ``StoreError``.
    fileprivate func removePart(deletedFor seconds: Int64, _ limit: Int) throws(StoreError) -> Bool? {
        let old = try first(
            """
            SELECT portfolio_id FROM portfolio.portfolio
            WHERE deleted_at < (SELECT clock_timestamp() - \(seconds)::bigint * interval '1 second')
            ORDER BY deleted_at LIMIT 1
            FOR UPDATE SKIP LOCKED
            """
        ) { try $0.uniqueID() }
        guard let id = old else { return nil }
        let rows = Int32(clamping: limit)
        let counts = [
            try execute(
                """
                DELETE FROM portfolio.revision WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM portfolio.revision WHERE portfolio_id = \(id) LIMIT \(rows)))
                """),
            try execute(
                """
                DELETE FROM portfolio.import_line WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM portfolio.import_line WHERE portfolio_id = \(id) LIMIT \(rows)))
                """),
            try execute(
                """
                DELETE FROM portfolio.change WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM portfolio.change WHERE portfolio_id = \(id) LIMIT \(rows)))
                """),
        ]
        guard !counts.contains(limit) else { return false }
        try removePortfolios([id])
        return true
    }
}
