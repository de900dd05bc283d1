public import AccountStore
public import Instruments
import LedgerFiles
import Portfolio
public import Store

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
    ///   - now: The time of the change.
    ///   - progress: Is told now and then how many rows were sent; also again when the server asks for a
    ///     repetition.
    /// - Returns: What was added, and which lines added nothing.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``, whose index is a place
    ///   in the file's rows.
    public func importTransactions(
        _ file: ImportedFile, to id: PortfolioID, of user: UserID, at now: Timestamp,
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(StoreError) -> ImportReport {
        var portfolio = try lockPortfolio(id, of: user)
        let rows = file.rows.map(\.withoutEmptyFee)
        let unknown = try unknownAssets(of: file, by: user)
        let plan = try additionPlan(rows, of: file, to: id, of: user)
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
        try execute(AddMissingWallets(portfolio: id, names: wallets.sorted(), time: now.stored))
        let written = try write(plan, of: rows, to: &portfolio, .imported, at: now, progress: progress)
        let number = try first(
            InsertImport(portfolio: portfolio, file: file, added: plan.added.count))
        guard let number else {
            throw .unexpectedAnswer(statement: "InsertImport", status: "no row")
        }
        try put(skipped.lazy.map { ImportLineRow(portfolio: id, number: number, line: $0) })
        try store(settings, in: id, of: user, at: now)
        return ImportReport(
            number: number, transactions: written.numbers, added: plan.added.count, unknownAssets: unknown,
            settings: settings.notes, skipped: skipped)
    }

    /// What ``importTransactions(_:to:of:at:progress:)`` would do, with nothing stored.
    ///
    /// - Throws: The same.
    public func previewImport(
        _ file: ImportedFile, to id: PortfolioID, of user: UserID
    ) throws(StoreError) -> ImportReport {
        guard let portfolio = try first(FindPortfolio(id, of: user)) else {
            throw .body(PortfolioRefused(.noSuchPortfolio(id.description)))
        }
        let rows = file.rows.map(\.withoutEmptyFee)
        let unknown = try unknownAssets(of: file, by: user)
        let plan = try additionPlan(rows, of: file, to: id, of: user)
        try refuseExcessiveFees(at: plan.added, of: rows, in: portfolio.base)
        let settings = try SettingsPlan(
            file.settings ?? PortfolioSettings(), for: portfolio, self, at: portfolio.changed)
        return ImportReport(
            number: nil, transactions: nil, added: plan.added.count, unknownAssets: unknown,
            settings: settings.notes, skipped: file.skippedLines(with: plan))
    }

    private func additionPlan(
        _ rows: [Transaction], of file: ImportedFile, to id: PortfolioID, of user: UserID
    ) throws(StoreError) -> AdditionPlan {
        let current = try self.rows(LedgerRows(of: id, by: user))
        let known = KnownRows(
            current, earlier: try self.rows(EarlierRevisions(portfolio: id, user: user)),
            matchesContent: true)
        return try AdditionPlan(rows, to: current, known: known, lines: file.lines)
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

struct InsertImport: Statement {
    static let sql = """
        INSERT INTO portfolio.import (portfolio_id, number, change, made_at, source, format, rows, added)
        SELECT $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6, $7
        FROM portfolio.import WHERE portfolio_id = $1
        RETURNING number
        """

    let portfolio: StoredPortfolio
    let file: ImportedFile
    let added: Int

    func bind(_ parameters: inout Parameters) {
        parameters.append(portfolio.id.rawValue)
        parameters.append(portfolio.change)
        parameters.append(timestamp: portfolio.changed.nanoseconds)
        parameters.append(file.source)
        parameters.append(file.format)
        parameters.append(Int32(clamping: file.rows.count))
        parameters.append(Int32(clamping: added))
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Int32 { try row.int32() }
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
