package import AccountStore
package import Instruments
import LedgerFiles
import MarketStore
import Portfolio
package import Store

extension Session {
    /// Stores what a file has and the portfolio has not, all or none.
    ///
    /// Inside a transaction only.
    /// The same file again adds nothing, and a file that overlaps adds the rest: rows are recognised by their
    /// external id, or by their content where they have none, also where they were edited since. Wallets that
    /// are not there yet are made. So an import that was interrupted is repeated, and no more. An asset that
    /// nobody knows is refused unless the file's owner takes it; what a ledger of the user ever named is
    /// known, so that our own export is read again. What a file of ours says of wallets, lots and targets is
    /// taken over where the portfolio has nothing of its own.
    ///
    /// - Parameters:
    ///   - file: What was read.
    ///   - id: Where to.
    ///   - user: Whose.
    ///   - limits: What the portfolio may have.
    ///   - now: The time of the change.
    /// - Returns: What was added, and which lines added nothing.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``, whose index is a place
    ///   in the file's rows.
    package func importTransactions(
        _ file: ImportedFile, to id: PortfolioID, of user: UserID,
        limits: PortfolioLimits = PortfolioLimits(), at now: Timestamp
    ) throws(StoreError) -> ImportReport {
        var portfolio = try lockPortfolio(id, of: user)
        let rows = file.rows.map(\.withoutEmptyFee)
        let unknown = try unknownAssets(of: file, by: user)
        let (plan, change, replay) = try additionPlan(rows, of: file, to: portfolio, limits)
        let skipped = file.skippedLines(with: plan)
        try refuseExcessiveFees(at: plan.added, of: rows, in: portfolio.base)
        let settings = try SettingsPlan(file.settings ?? PortfolioSettings(), for: portfolio, self, at: now)
        guard !plan.added.isEmpty else {
            try store(settings, in: id, of: user, at: now)
            return ImportReport(
                number: nil, transactions: nil, added: 0, settings: settings.notes, skipped: skipped)
        }
        var wallets: Set<String> = []
        for place in plan.added {
            wallets.insert(rows[place].wallet)
            if let target = rows[place].toWallet { wallets.insert(target) }
        }
        try addMissingWallets(wallets.sorted(), to: id, at: now)
        let numbers = try write(change, replay, to: &portfolio, .imported, at: now)
        let number = try addImport(of: file, adding: plan.added.count, to: portfolio)
        try put(skipped.lazy.map { ImportLineRow(portfolio: id, number: number, line: $0) })
        try store(settings, in: id, of: user, at: now)
        return ImportReport(
            number: number, transactions: numbers, added: plan.added.count, unknownAssets: unknown,
            settings: settings.notes, skipped: skipped)
    }

    /// What ``importTransactions(_:to:of:limits:at:)`` would do, with nothing stored.
    ///
    /// - Throws: The same.
    package func previewImport(
        _ file: ImportedFile, to id: PortfolioID, of user: UserID,
        limits: PortfolioLimits = PortfolioLimits()
    ) throws(StoreError) -> ImportReport {
        guard let portfolio = try findPortfolio(id, of: user) else {
            throw .body(PortfolioRefused(.noSuchPortfolio(id.description)))
        }
        let rows = file.rows.map(\.withoutEmptyFee)
        let unknown = try unknownAssets(of: file, by: user)
        let (plan, _, _) = try additionPlan(rows, of: file, to: portfolio, limits)
        try refuseExcessiveFees(at: plan.added, of: rows, in: portfolio.base)
        let settings = try SettingsPlan(
            file.settings ?? PortfolioSettings(), for: portfolio, self, at: portfolio.changed)
        return ImportReport(
            number: nil, transactions: nil, added: plan.added.count, unknownAssets: unknown,
            settings: settings.notes, skipped: file.skippedLines(with: plan))
    }

    private func additionPlan(
        _ rows: [Transaction], of file: ImportedFile, to portfolio: StoredPortfolio,
        _ limits: PortfolioLimits
    ) throws(StoreError) -> (AdditionPlan, LedgerChange, LedgerReplay) {
        let (id, user) = (portfolio.id, portfolio.user)
        let current = try ledgerRows(of: id, by: user)
        let known = KnownRows(
            current, earlier: try earlierRevisions(of: id, by: user), matchesContent: true)
        let plan = try AdditionPlan(rows, known: known, lines: file.lines)
        let change = plan.change(of: rows, in: portfolio)
        // All of it is here, since contents are compared: it is replayed from its beginning.
        let replay = try LedgerReplay(change, of: plan.added.isEmpty ? [] : current, after: nil)
        for place in plan.added {
            guard let reason = limits.refusal(of: rows[place]) else { continue }
            throw .body(PortfolioRefused(index: place, reason))
        }
        try checkRoom(forRowsAt: plan.added, in: portfolio, limits)
        return (plan, change, replay)
    }

    /// Makes the wallets that rows of an import name and that are not there yet.
    private func addMissingWallets(
        _ names: [String], to id: PortfolioID, at now: Timestamp
    ) throws(StoreError) {
        try execute(
            """
            INSERT INTO portfolio.wallet (portfolio_id, name, kind, note, created_at)
            SELECT \(id), name, 'other', '', \(now.inMicroseconds)
            FROM unnest(\(names)::text[]) AS named (name)
            ON CONFLICT (portfolio_id, name) DO NOTHING
            """)
    }

    /// Notes an import that was the portfolio's last change, and numbers it.
    private func addImport(
        of file: ImportedFile, adding count: Int, to portfolio: StoredPortfolio
    ) throws(StoreError) -> Int32 {
        let (id, read, added) = (portfolio.id, Int32(clamping: file.rows.count), Int32(clamping: count))
        let number = try first(
            """
            INSERT INTO portfolio.import (portfolio_id, number, change, made_at, source, format, rows, added)
            SELECT \(id), coalesce(max(number), 0) + 1, \(portfolio.change), \(portfolio.changed),
                \(file.source), \(file.format), \(read), \(added)
            FROM portfolio.import WHERE portfolio_id = \(id)
            RETURNING number
            """
        ) { try $0.int32() }
        guard let number else { throw .unexpectedAnswer(statement: #function, status: "no row") }
        return number
    }
}

extension ImportedFile {
    /// Those that could not be read, and those that are known.
    func skippedLines(with plan: AdditionPlan) -> [Line] {
        let known = plan.duplicates.map { place in
            Line(
                lines.indices.contains(place) ? lines[place] : 0,
                rows[place].externalID.isEmpty
                    ? "duplicate: a transaction with the same content is there already"
                    : "duplicate: external_id \"\(rows[place].externalID)\" is there already")
        }
        return (skipped + known).sorted { $0.number < $1.number }
    }
}

struct ImportLineRow: PortfolioRow {
    static let sql =
        "INSERT INTO portfolio.import_line (portfolio_id, number, line, reason) VALUES ($1, $2, $3, $4)"
    static let copySQL = """
        COPY portfolio.import_line (portfolio_id, number, line, reason) FROM STDIN (FORMAT binary)
        """
    static let columnCount = 4

    let portfolio: PortfolioID
    let number: Int32
    let line: ImportedFile.Line

    func write(_ writer: inout CopyWriter) {
        writer.append(portfolio.rawValue)
        writer.append(number)
        writer.append(Int32(clamping: line.number))
        writer.append(line.reason)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.rawValue)
        parameters.append(number)
        parameters.append(Int32(clamping: line.number))
        parameters.append(line.reason)
    }
}
