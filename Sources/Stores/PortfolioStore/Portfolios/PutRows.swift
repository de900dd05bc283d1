import Store

/// A row that can be copied, and inserted by who may not copy.
// tidy: statement-type A row in a batch binds what it writes in a copy.
protocol PortfolioRow: CopyRow, Statement where Row == Void {}

extension Session {
    /// Stores rows: by COPY, or one by one in one round trip for who acts for a user.
    func put<Rows: Sequence>(_ rows: Rows) throws(StoreError) where Rows.Element: PortfolioRow {
        guard isLimited else { return _ = try copy(rows) }
        var batch = StatementBatch()
        for row in rows { batch.append(row) }
        try send(batch)
    }
}
