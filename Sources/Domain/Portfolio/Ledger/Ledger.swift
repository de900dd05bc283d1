package import Instruments

/// Transactions that hold together: in order of time, each possible when it happens.
///
/// Rows of the same instant are ordered by what they do, then as they came: receipts and purchases, then
/// swaps and transfers, then what leaves. A row of an instant that cannot be paid yet waits for the others.
package struct Ledger: Sendable {
    /// The rows, in order.
    package let transactions: [Transaction]
    /// The place in the input of each of ``transactions``.
    package let sources: [Int]
    /// Rows left out because another has the same external id and the same content.
    package let duplicates: [Int]
    /// Where currencies went below zero; at most ``warningLimit``.
    package let warnings: [LedgerWarning]
    /// ``transactions`` without their texts.
    let postings: [Posting]
    let names: LedgerNames

    /// Warnings that are kept; one for each wallet and currency is what a person reads.
    package static let warningLimit = 1_000

    /// Rows between two questions whether to go on: some milliseconds.
    static let stride = 4_096

    /// Validates transactions as a whole.
    ///
    /// - Parameters:
    ///   - input: The rows, in any order.
    ///   - goesOn: Is asked every ``stride`` rows; after a `false` the check ends with
    ///     ``LedgerError/Reason/stopped``.
    /// - Throws: The first ``LedgerError`` in order of time.
    package init(_ input: [Transaction], while goesOn: () -> Bool = { true }) throws(LedgerError) {
        for (index, transaction) in input.enumerated() {
            if index % Ledger.stride == 0, !goesOn() { throw .stopped(at: transaction, index) }
            try transaction.check(index)
        }
        let kept = try Ledger.withoutDuplicates(input)
        var book = LedgerPosting(input)
        try book.post(Ledger.sorted(kept.rows, of: input), while: goesOn)
        sources = book.order
        transactions = book.isInputOrder ? input : book.order.map { input[$0] }
        postings = book.postings
        names = book.names
        warnings = book.warnings
        duplicates = kept.duplicates
    }

    static func sorted(_ rows: [Int], of input: [Transaction]) -> [Int] {
        func precedes(_ left: Int, _ right: Int) -> Bool {
            let (a, b) = (input[left], input[right])
            if a.time != b.time { return a.time < b.time }
            return a.kind.phase != b.kind.phase ? a.kind.phase < b.kind.phase : left < right
        }
        let isSorted = zip(rows, rows.dropFirst()).allSatisfy { precedes($0, $1) }
        return isSorted ? rows : rows.sorted(by: precedes)
    }

    private static func withoutDuplicates(_ input: [Transaction]) throws(LedgerError) -> (
        rows: [Int], duplicates: [Int]
    ) {
        var first: [String: Int] = [:]
        var rows: [Int] = []
        var duplicates: [Int] = []
        rows.reserveCapacity(input.count)
        for (index, transaction) in input.enumerated() {
            let id = transaction.externalID
            if !id.isEmpty, let other = first.updateValue(index, forKey: id) {
                guard input[other] == transaction else {
                    throw LedgerError(
                        index: index, time: transaction.time, reason: .conflictingID(other: other))
                }
                first[id] = other
                duplicates.append(index)
            } else {
                rows.append(index)
            }
        }
        return (rows, duplicates)
    }

    /// The rows that count by an instant, in order; `nil` means all of them.
    package func rows(until end: Timestamp?) -> ArraySlice<Transaction> {
        guard let end else { return transactions[...] }
        return transactions.prefix { $0.time <= end }
    }

    /// The last instant that counts where nobody names one: now, where rows are still to come; else `nil`, so
    /// that a ledger without such rows says the same tomorrow.
    package func end(at now: Timestamp) -> Timestamp? {
        transactions.last.flatMap { $0.waitsUntil(at: now) } == nil ? nil : now
    }

    /// What each wallet holds after everything up to and including `time`; `nil` means to the end.
    ///
    /// Wallets and assets in order of name; what is zero is left out.
    package func balances(at time: Timestamp? = nil) -> [Balance] {
        var amounts = [Amount](repeating: .zero, count: names.accounts.count)
        for posting in postings {
            if let time, posting.time > time { break }
            posting.move { account, amount in amounts[Int(account)] += amount }
        }
        return balances(amounts)
    }

    func balances(_ amounts: [Amount]) -> [Balance] { names.balances(amounts) }
}

extension LedgerError {
    static func stopped(at row: Transaction, _ index: Int) -> LedgerError {
        LedgerError(index: index, time: row.time, reason: .stopped)
    }
}

/// What one wallet holds of one asset.
package struct Balance: Hashable, Sendable {
    package var wallet: String
    /// What and how much; below zero only for currencies.
    package var holding: Holding

    package init(wallet: String, holding: Holding) {
        self.wallet = wallet
        self.holding = holding
    }
}
