import Instruments
import Portfolio
import Store

extension Session {
    /// Refuses the first of some rows whose fee, in a third money or coin, is worth more than its trade.
    ///
    /// By the daily closes and reference rates that are stored; where those say nothing, the row is taken,
    /// and reports name the price that is missing.
    ///
    /// - Parameters:
    ///   - places: Which of the rows; a refusal names one of them.
    ///   - rows: What is to be stored.
    ///   - base: The currency in which both are compared.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    func refuseExcessiveFees(
        at places: some Sequence<Int>, of rows: [Transaction], in base: Asset
    ) throws(StoreError) {
        let compared = places.filter { rows[$0].hasThirdFee }
        guard !compared.isEmpty else { return }
        var assets: Set<Asset> = []
        for place in compared {
            for holding in [rows[place].subject, rows[place].counter, rows[place].fee] {
                if let holding { assets.insert(holding.asset) }
            }
        }
        let prices = PriceHistory(try dailyCloses(of: assets, in: base))
        for place in compared {
            guard let reason = rows[place].feeExcess(in: base, prices: prices) else { continue }
            let error = LedgerError(index: place, time: rows[place].time, reason: reason)
            throw .body(PortfolioRefused(index: place, .ledger(error)))
        }
    }
}
