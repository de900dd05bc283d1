import Store

/// A row that can be copied, and inserted by who may not copy.
// tidy: statement-type A row in a batch binds what it writes in a copy.
protocol PortfolioRow: CopyRow, Statement where Row == Void {}

extension Session {
    /// Stores rows: by COPY, or some thousand in one round trip for who acts for a user.
    func put<Rows: Sequence>(_ rows: Rows) throws(StoreError) where Rows.Element: PortfolioRow {
        guard isLimited else { return _ = try copy(rows) }
        var batch = StatementBatch()
        for row in rows {
            batch.append(row)
            // All of a large file would be in memory once more.
            guard batch.count == 5_000 else { continue }
            try send(batch)
            batch = StatementBatch()
        }
        try send(batch)
    }
}
