import Portfolio

/// Finds the rows that a ledger has already, also those that were edited since.
///
/// A row is known by its external id where it has one. Without one it is known by its content, if asked for:
/// as many alike as there are, so that a file read again adds nothing and two purchases alike in one file are
/// still two. What a transaction said before it was edited counts too: the file that it came from still says
/// that.
struct KnownRows {
    /// What is known by an external id.
    struct Named {
        /// Who has the id now: no other row may have it.
        enum Holder {
            /// Nobody, since an edit took it away.
            case none
            /// A transaction, by its number.
            case stored(Int64)
            /// A row that is to be stored.
            case row
        }

        var holder = Holder.none
        /// All that was ever said under this id, and by which transaction; `nil` for a row.
        var said: [Transaction: Int64?] = [:]
    }

    /// By external id.
    var named: [String: Named] = [:]
    /// Numbers of transactions by each thing that they ever said, if contents are compared.
    private var unnamed: [Transaction: [Int64]] = [:]

    /// - Parameters:
    ///   - current: The transactions in force.
    ///   - earlier: What those said before they were edited.
    ///   - matchesContent: Whether rows without an external id are compared.
    init(_ current: [StoredTransaction], earlier: [StoredTransaction], matchesContent: Bool) {
        for stored in current { note(stored, isCurrent: true, matchesContent) }
        for stored in earlier { note(stored, isCurrent: false, matchesContent) }
    }

    private mutating func note(_ stored: StoredTransaction, isCurrent: Bool, _ matchesContent: Bool) {
        let row = stored.transaction
        if !row.externalID.isEmpty {
            var known = named[row.externalID] ?? Named()
            if isCurrent { known.holder = .stored(stored.number) }
            // Who says it now comes before who said it once.
            if known.said[row] == nil { known.said[row] = .some(stored.number) }
            named[row.externalID] = known
        } else if matchesContent {
            unnamed[row, default: []].append(stored.number)
        }
    }

    /// Places of rows without an external id that are stored already: as many as can be, each transaction
    /// standing for one row.
    func alike(_ rows: [Transaction]) -> Set<Int> {
        var pairing = RowPairing(unnamed)
        return Set(rows.indices.filter { rows[$0].externalID.isEmpty && pairing.pair(rows[$0]) })
    }
}

/// Pairs rows with transactions that ever said the same, so that no other choice would pair more of them.
///
/// An edit may make one transaction like another's row: who takes the first that fits may leave a row without
/// one, and it would be booked twice. So a row that finds none free asks those that hold one to take another:
/// an augmenting path.
private struct RowPairing {
    /// Transactions that said it and stand for no row yet; those that were met elsewhere are passed over.
    private var free: [Transaction: [Int64]]
    private let sayers: [Transaction: [Int64]]
    /// What the row says that a transaction stands for.
    private var standsFor: [Int64: Transaction] = [:]
    /// What no more rows can be paired for; that stays so.
    private var exhausted: Set<Transaction> = []

    init(_ sayers: [Transaction: [Int64]]) { (self.sayers, free) = (sayers, sayers) }

    /// Whether a transaction stands for one more row like this.
    mutating func pair(_ row: Transaction) -> Bool {
        guard sayers[row] != nil, !exhausted.contains(row) else { return false }
        /// For each content that was met: the transaction that would give it up, and for what.
        var given: [Transaction: (number: Int64, to: Transaction)] = [:]
        var (queue, next) = ([row], 0)
        while next < queue.count {
            let content = queue[next]
            next += 1
            if let number = takeFree(content) {
                assign(number, to: content, along: given)
                return true
            }
            for number in sayers[content] ?? [] {
                guard let other = standsFor[number], other != row, given[other] == nil else { continue }
                given[other] = (number, content)
                queue.append(other)
            }
        }
        exhausted.insert(row)
        return false
    }

    private mutating func takeFree(_ content: Transaction) -> Int64? {
        while let number = free[content]?.popLast() {
            if standsFor[number] == nil { return number }
        }
        return nil
    }

    private mutating func assign(
        _ number: Int64, to content: Transaction, along given: [Transaction: (number: Int64, to: Transaction)]
    ) {
        standsFor[number] = content
        var content = content
        while let step = given[content] {
            standsFor[step.number] = step.to
            content = step.to
        }
    }
}
