import Instruments
import Portfolio
import Support
import Testing

/// A ledger from an instant on is judged as the whole one is.
@Suite("The tail of a ledger")
struct LedgerTailTests {
    /// What becomes of a ledger, and the first instant that it touches on.
    private struct Change {
        var after: [Transaction]
        var start: Timestamp

        init(_ rows: [Transaction], _ rng: inout SeededGenerator) {
            after = rows
            let place = rng.int(0...rows.count - 1)
            start = rows[place].time
            switch rng.int(0...3) {
            case 0: after.remove(at: place)
            case 1:
                after[place].subject.amount =
                    rows[place].subject.amount * Amount(units: Int64(rng.int(0...3)))
            case 2:
                after[place].time = rng.pick(rows).time
                start = min(start, after[place].time)
            default:
                var row = rng.pick(rows)
                (row.time, row.externalID) = (start, "new")
                after.append(row)
            }
        }
    }

    private enum Verdict: Equatable {
        case holds([Balance])
        case breaks(LedgerError.Reason, Timestamp)

        init(_ body: () throws(LedgerError) -> [Balance]) {
            do throws(LedgerError) {
                self = .holds(try body())
            } catch {
                self = .breaks(error.reason, error.time)
            }
        }
    }

    @Test("holds together where the whole does, comes to the same, and breaks for the same reason")
    func equals() {
        var (held, broken) = (0, 0)
        property { rng in
            let before = RandomLedger(&rng).rows
            let whole = try Ledger(before)
            let change = Change(before, &rng)
            var opening = BalanceSheet(whole.balances())
            for row in before where row.time >= change.start { opening.take(row) }
            let earlier = try Ledger(before.filter { $0.time < change.start })
            try #require(opening.balances == earlier.balances())
            let tail = change.after.filter { $0.time >= change.start }
            let found = Verdict { () throws(LedgerError) in
                try LedgerTail(tail, after: opening.balances).balances
            }
            let wanted = Verdict { () throws(LedgerError) in try Ledger(change.after).balances() }
            try #require(found == wanted)
            if case .holds = wanted { held += 1 } else { broken += 1 }
        }
        #expect(held > 0 && broken > 0)
    }

    @Test("adds up to nothing when all that was added is taken away again, in another order")
    func sums() {
        property { rng in
            let rows = RandomLedger(&rng).rows
            var sheet = BalanceSheet()
            for row in rows { sheet.add(row) }
            let whole = try Ledger(rows)
            try #require(sheet.balances == whole.balances())
            for row in rows.reversed() { sheet.take(row) }
            try #require(sheet.balances.isEmpty)
        }
    }
}
