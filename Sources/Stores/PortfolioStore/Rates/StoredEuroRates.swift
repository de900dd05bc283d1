import Instruments
package import Portfolio
package import Store

/// A rate, and who said so.
package struct StoredEuroRate: Hashable, Sendable {
    package var rate: EuroRate
    /// Such as "ECB".
    package var source: String
}

extension RowReader {
    fileprivate mutating func euroRate() throws(StoreError) -> EuroRate {
        let currency = Asset(rawValue: try text())
        return EuroRate(day: try int32(), currency: currency, rate: try amount())
    }
}

extension Session {
    /// The newest rate of each currency, by currency.
    package func newestEuroRates() throws(StoreError) -> [StoredEuroRate] {
        try rows(
            """
            SELECT DISTINCT ON (currency) currency, day, rate, source FROM rates.euro
            ORDER BY currency, day DESC
            """
        ) { row in StoredEuroRate(rate: try row.euroRate(), source: try row.text()) }
    }

    /// All rates of some currencies.
    func euroRates(of currencies: Set<Asset>) throws(StoreError) -> [EuroRate] {
        let names = currencies.map(\.rawValue)
        return try rows(
            "SELECT currency, day, rate FROM rates.euro WHERE currency = ANY (\(names))"
        ) { try $0.euroRate() }
    }

    /// Stores what a file of rates says; of two rates of one day in it the last one holds.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``.
    package func store(
        _ rates: [EuroRate], from source: String, while isWanted: () -> Bool = { true }
    ) throws(StoreError) {
        var last: [EuroRateKey: EuroRate] = [:]
        for rate in rates { last[EuroRateKey(currency: rate.currency, day: rate.day)] = rate }
        let rows = last.values.sorted { ($0.currency.rawValue, $0.day) < ($1.currency.rawValue, $1.day) }
        for start in stride(from: 0, to: rows.count, by: 2_000) {
            guard isWanted() else { throw .body(CancellationError()) }
            let part = rows[start..<min(start + 2_000, rows.count)]
            let (currencies, days) = (part.map(\.currency.rawValue), part.map(\.day))
            let values = part.map(\.rate)
            try execute(
                """
                INSERT INTO rates.euro AS old (currency, day, rate, source)
                SELECT currency, day, rate, \(source)
                FROM unnest(\(currencies)::text[], \(days)::integer[], \(values)::numeric[])
                    AS new (currency, day, rate)
                ON CONFLICT (currency, day) DO UPDATE SET rate = excluded.rate, source = excluded.source
                WHERE (old.rate, old.source) IS DISTINCT FROM (excluded.rate, excluded.source)
                """)
        }
    }
}

private struct EuroRateKey: Hashable {
    var currency: Asset
    var day: Int32
}
