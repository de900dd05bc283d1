package import Instruments

/// What transactions would change, with nothing kept.
package struct WhatIf: Sendable {
    /// As it is.
    package let before: LotReport
    /// As it would be.
    package let after: LotReport

    /// Adds transactions to a ledger and reads both, until the end of the report, or until the last of them
    /// where that is later: then what is to come by then counts on both sides.
    ///
    /// - Throws: ``LedgerError`` when they do not fit; its indices count from the first of `rows`, so that
    ///   one of the ledger's own rows, which would not fit any more, has an index below zero.
    package init(
        _ before: LotReport, adding rows: [Transaction], policy: LotPolicy, prices: PriceHistory
    ) throws(LedgerError) {
        let own = before.ledger.transactions
        do {
            let ledger = try Ledger(own + rows)
            let last = rows.map(\.time).max()
            let end = before.end.map { max($0, last ?? $0) }
            self.before =
                end == before.end
                ? before
                : try LotReport(before.ledger, policy, base: before.base, prices: prices, until: end)
            after = try LotReport(ledger, policy, base: before.base, prices: prices, until: end)
        } catch {
            var error = error
            error.index -= own.count
            if case .conflictingID(let other) = error.reason {
                error.reason = .conflictingID(other: other - own.count)
            }
            throw error
        }
    }

    /// What it would add to realized gains; `nil` when the gain of one of ``newDisposals`` is not known.
    package var realized: Amount? {
        newDisposals.contains { $0.gain == nil } ? nil : after.knownRealized - before.knownRealized
    }

    /// Disposals that the new rows would make or change: those after the last that both have.
    package var newDisposals: [Disposal] {
        let known = Set(before.disposals.map { DisposalKey($0) })
        return after.disposals.filter { !known.contains(DisposalKey($0)) }
    }

    private struct DisposalKey: Hashable {
        var time: Timestamp
        var wallet: String
        var subject: Holding
        var costBasis: Amount

        init(_ disposal: Disposal) {
            time = disposal.time
            wallet = disposal.wallet
            subject = disposal.subject
            costBasis = disposal.costBasis
        }
    }
}
