package import Instruments
package import Portfolio

/// A ledger that was read, and what it comes to.
package struct LoadedLedger: Sendable {
    /// What was read, with the lines that it came from.
    package var imported: ImportedLedger
    /// What it comes to.
    package var report: LotReport
    /// Which lots were taken.
    package var policy: LotPolicy
    /// What was known of prices.
    package var prices: PriceHistory
    /// The last instant that counts, when one was given.
    package var end: Timestamp?
    /// What the performance is compared with.
    package var benchmark: Benchmark?
    /// The days that the performance is of.
    package var range = HistoryRange.all
    /// Where the newest prices of assets are from, as far as that is known.
    package var sources: [Asset: String]?
    /// Whether wallets are accounts at an exchange, as far as their owner said so.
    package var areExchanges: [String: Bool] = [:]

    /// Joins what was read with what it comes to.
    package init(
        imported: ImportedLedger, report: LotReport, policy: LotPolicy, prices: PriceHistory,
        end: Timestamp? = nil
    ) {
        self.imported = imported
        self.report = report
        self.policy = policy
        self.prices = prices
        self.end = end
    }

    /// The moment of the valuation: the end, else the newest row or price, so that a file says the same
    /// tomorrow.
    package var moment: Timestamp {
        end ?? max(report.ledger.transactions.last?.time ?? .zero, prices.lastTime ?? .zero)
    }

    /// Rows that are to come: they count when their time does.
    package var waiting: ArraySlice<Transaction> { report.ledger.transactions[report.rows.endIndex...] }

    /// What is odd and does not stop it, in order of time: money below zero, fees that outweigh their trades
    /// by prices that were not known when they were taken, and fees that are more than what arrived.
    package var warnings: [(time: Timestamp, text: String)] {
        var warnings = report.ledger.warnings.map { (time: $0.time, text: $0.description) }
        func warn(_ text: String, of row: Transaction) {
            warnings.append((row.time, row.externalID.isEmpty ? text : "\(text) (\(row.externalID))"))
        }
        for fault in report.ledger.excessiveFees(in: report.base, prices: prices) {
            warn("\(fault)", of: imported.transactions[fault.index])
        }
        for row in report.ledger.transactions {
            if let remark = row.sentFeeRemark { warn(remark, of: row) }
        }
        return warnings.filter { warning in report.end.map { warning.time <= $0 } ?? true }
            .sorted { $0.time < $1.time }
    }

    /// What is held at that moment.
    package var valuation: Valuation { Valuation(report, prices: prices, at: moment) }

    /// The end of each day until then.
    package var history: DailyHistory {
        DailyHistory(report.ledger, base: report.base, prices: prices, until: moment)
    }
}

/// What an allocation is by.
package enum AllocationKey: String, Sendable, CaseIterable {
    /// What is held.
    case asset
    /// Where it is kept.
    case wallet
    /// Currencies, stablecoins and coins.
    case category
    /// The exchange, else self custody.
    case venue
}

extension LoadedLedger {
    /// How the value of what is held is spread; nothing while a price is missing.
    package func allocation(by key: AllocationKey) -> [AllocationShare] {
        let (valuation, balances) = (valuation, report.balances)
        return switch key {
        case .asset: Allocation.byAsset(valuation)
        case .wallet: Allocation.byWallet(balances, valuation)
        case .category: Allocation.byCategory(balances, valuation)
        case .venue: Allocation.byVenue(balances, valuation, areExchanges: areExchanges)
        }
    }
}

extension LoadedLedger {
    /// Where a position's price is from: an index, a daily close or a reference rate; `nil` where a file
    /// says it, and for the base currency.
    package func source(of position: Valuation.Position) -> String? {
        guard let sources, position.price != nil, position.holding.asset != report.base else { return nil }
        let asset = position.holding.asset
        return sources[asset] ?? (asset.isCurrency ? "reference rate" : "daily close")
    }
}
