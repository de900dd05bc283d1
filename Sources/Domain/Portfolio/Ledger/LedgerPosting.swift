import Instruments

/// Posts rows in order and finds the one that takes more than is there.
struct LedgerPosting {
    private let input: [Transaction]
    private(set) var names = LedgerNames()
    private(set) var warnings: [LedgerWarning] = []
    /// Places in the input, in the order in which they were posted.
    private(set) var order: [Int] = []
    private(set) var postings: [Posting] = []
    /// What each account holds now.
    private(set) var balances: [Amount] = []
    private var isBelowZero: [Bool] = []

    /// - Parameters:
    ///   - input: Rows, some of which are posted.
    ///   - opening: What is there before the first of them.
    init(_ input: [Transaction], after opening: [Balance] = []) {
        self.input = input
        for balance in opening {
            let account = names.account(of: balance)
            open()
            balances[Int(account)] = balance.holding.amount
            isBelowZero[Int(account)] = balance.holding.amount.isNegative
        }
        order.reserveCapacity(input.count)
        postings.reserveCapacity(input.count)
    }

    var isInputOrder: Bool {
        order.count == input.count && order.indices.allSatisfy { order[$0] == $0 }
    }

    mutating func post(_ rows: [Int], while goesOn: () -> Bool) throws(LedgerError) {
        var start = 0
        var next = 0
        while start < rows.count {
            if start >= next {
                guard goesOn() else { throw .stopped(at: input[rows[start]], rows[start]) }
                next = start + Ledger.stride
            }
            var end = start + 1
            while end < rows.count, input[rows[end]].time == input[rows[start]].time { end += 1 }
            if end == start + 1 {
                if let error = tryPosting(rows[start]) { throw error }
            } else {
                try postInstant(Array(rows[start..<end]))
            }
            start = end
        }
    }

    /// Rows of one instant: those that lack something are tried again after the others.
    private mutating func postInstant(_ rows: [Int]) throws(LedgerError) {
        var waiting = rows
        while !waiting.isEmpty {
            var stillWaiting: [Int] = []
            var firstError: LedgerError?
            for row in waiting {
                if let error = tryPosting(row) {
                    firstError = firstError ?? error
                    stillWaiting.append(row)
                }
            }
            if let firstError, stillWaiting.count == waiting.count { throw firstError }
            waiting = stillWaiting
        }
    }

    /// Posts a row, or changes nothing and says what it lacks.
    private mutating func tryPosting(_ row: Int) -> LedgerError? {
        let posting = number(input[row])
        posting.move { balances[Int($0)] += $1 }
        let (first, second) = posting.outgoing
        if let short = isShort(first) ? first : isShort(second) ? second : nil {
            let left = balances[Int(short)]
            var wanted = Amount.zero
            posting.move { account, amount in
                balances[Int(account)] -= amount
                if account == short { wanted -= amount }
            }
            let reason = LedgerError.Reason.shortfall(
                wallet: names.walletName(ofAccount: short), asset: names.asset(ofAccount: short),
                available: left + wanted, wanted: wanted)
            return LedgerError(index: row, time: posting.time, reason: reason)
        }
        warn(first, row)
        warn(second, row)
        order.append(row)
        postings.append(posting)
        return nil
    }

    private func isShort(_ account: Int32) -> Bool {
        account >= 0 && balances[Int(account)].isNegative && !names.isCurrency(account: account)
    }

    /// Once for each time that a currency goes below zero.
    private mutating func warn(_ account: Int32, _ row: Int) {
        guard account >= 0, names.isCurrency(account: account) else { return }
        let balance = balances[Int(account)]
        defer { isBelowZero[Int(account)] = balance.isNegative }
        guard balance.isNegative, !isBelowZero[Int(account)], warnings.count < Ledger.warningLimit else {
            return
        }
        warnings.append(
            LedgerWarning(
                index: row, time: input[row].time, wallet: names.walletName(ofAccount: account),
                balance: Holding(balance, names.asset(ofAccount: account))))
    }

    private mutating func number(_ transaction: Transaction) -> Posting {
        let posting = names.posting(of: transaction)
        open()
        return posting
    }

    /// Balances of accounts that are named for the first time.
    private mutating func open() {
        while balances.count < names.accounts.count {
            balances.append(.zero)
            isBelowZero.append(false)
        }
    }
}
