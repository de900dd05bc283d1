import Instruments
package import Portfolio

/// What a file says, before anything is kept.
package struct ImportedLedger: Sendable {
    /// In the file's order.
    package var transactions: [Transaction] = []
    /// The line of each of ``transactions``, from 1.
    package var lines: [Int] = []
    /// Where our fields stand in the file's lines, from 0; none where they stand in no column of their own.
    package var columns: [String: Int] = [:]
    /// What a file of ours says of its portfolio besides; `nil` of any other.
    package var settings: PortfolioSettings?
    /// Lines that were left out, and why.
    package var skipped: [SkippedLine] = []
    /// Lines that were read, but not all that they say, or that are odd, and why.
    package var remarks: [SkippedLine] = []

    /// Rows that are read from one file; a bound on memory.
    package static let limit = 5_000_000

    /// Remarks of one sort that are told line by line; what is more of it is counted.
    static let remarkLimit = 20

    package init() {}

    /// Takes rows that were read elsewhere, and the place of each.
    package init(transactions: [Transaction], lines: [Int]) {
        self.transactions = transactions
        self.lines = lines
    }

    package mutating func append(_ transaction: Transaction, line: Int) throws(FileFault) {
        guard transactions.count < ImportedLedger.limit else {
            throw FileFault(line: line, "more than \(ImportedLedger.limit) rows; split the file")
        }
        transactions.append(transaction)
        lines.append(line)
    }

    package mutating func skip(_ line: Int, _ reason: String) {
        skipped.append(SkippedLine(line: line, reason: reason))
    }

    /// Remarks on what was sent for a fee that is more than what arrived: no slip, but odd.
    package mutating func remarkOnSentFees() {
        var (count, next) = (0, 0)
        for (row, line) in zip(transactions, lines) {
            guard let remark = row.sentFeeRemark else { continue }
            count += 1
            if count <= ImportedLedger.remarkLimit {
                remarks.append(SkippedLine(line: line, reason: remark))
            } else if next == 0 {
                next = line
            }
        }
        guard next > 0 else { return }
        let more = count - ImportedLedger.remarkLimit
        remarks.append(
            SkippedLine(
                line: next,
                reason: "the fee of \(more) more rows, this one the first, is more than what arrived"))
    }

    /// Makes external ids unique where a source names several rows alike, as one hash of a chain's
    /// transaction.
    ///
    /// What a row is about becomes part of its id, so that it has the same id in every file. Of rows that are
    /// alike in that the second gets `#2`.
    package mutating func distinguishIDs() {
        var counts: [String: Int] = [:]
        for index in transactions.indices where !transactions[index].externalID.isEmpty {
            let row = transactions[index]
            let id = "\(row.externalID) \(row.kind.rawValue) \(row.subject.amount) \(row.subject.asset)"
            counts[id, default: 0] += 1
            let count = counts[id] ?? 1
            transactions[index].externalID = count > 1 ? "\(id)#\(count)" : id
        }
    }

    /// The ledger that the rows make.
    ///
    /// - Throws: ``FileFault`` with the line of the first row that does not fit.
    package func ledger() throws(FileFault) -> Ledger {
        try checkNames()
        do {
            return try Ledger(transactions)
        } catch {
            throw faultNamingAssets(error)
        }
    }

    /// The column of one of our fields in the file, from 1; 0 where it has none.
    package func column(_ field: String) -> Int { (columns[field] ?? -1) + 1 }

    /// The place in the file of a ledger's fault.
    package func fault(of error: LedgerError) -> FileFault {
        guard transactions.indices.contains(error.index) else {
            return FileFault(
                line: 0,
                "a transaction of \(error.time.plain) that is there already would not fit any more: \(error)")
        }
        let line = lines.indices.contains(error.index) ? lines[error.index] : 0
        var field = ""
        switch error.reason {
        case .missing(let name), .unexpected(let name), .notPositive(let name, _): field = name
        case .feeExceeds, .feeOutweighs: field = "fee_amount"
        case .sameWallet: field = "to_wallet"
        case .sameAsset: field = "counter_asset"
        case .shortfall(_, let asset, _, _): field = shortfallField(asset, transactions[error.index])
        case .lotUnavailable: field = "lots"
        case .stopped: break
        case .conflictingID(let other):
            guard other >= 0 else {
                field = "external_id"
                break
            }
            let first = lines.indices.contains(other) ? lines[other] : 0
            let id = transactions[error.index].externalID
            return FileFault(
                line: line, column: column("external_id"), field: "external_id",
                "\"\(id)\" stands on line \(first) as well, with other content")
        }
        return FileFault(
            line: line, column: column(field), field: field, error.description)
    }

    /// The column of what is short: the fee may be of another asset than the rest.
    private func shortfallField(_ asset: Asset, _ row: Transaction) -> String {
        if row.subject.asset == asset, row.kind != .buy, !row.kind.isReceipt { return "amount" }
        return row.fee?.asset == asset ? "fee_amount" : "counter_amount"
    }

    /// Two spellings of one asset are two assets to every sum: that is never what was meant.
    private func checkNames() throws(FileFault) {
        var first: [String: String] = [:]
        var seen: Set<String> = []
        for (index, row) in transactions.enumerated() {
            let names = [
                ("asset", row.subject.asset.rawValue), ("counter_asset", row.counter?.asset.rawValue),
                ("fee_asset", row.fee?.asset.rawValue),
            ]
            for (field, name) in names {
                guard let name, seen.insert(name).inserted else { continue }
                if let other = first.updateValue(name, forKey: name.uppercased()) {
                    throw FileFault(
                        line: lines[index], column: column(field), field: field,
                        "unknown asset \"\(name)\"; nearest: \(other)")
                }
            }
        }
    }
}
