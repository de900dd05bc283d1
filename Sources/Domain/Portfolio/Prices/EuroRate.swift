package import Instruments

/// What one euro was in another currency by the European Central Bank's reference on one day.
///
/// Source: European Central Bank, "Euro foreign exchange reference rates", read 2026-11: every TARGET
/// working day around 16:00 CET, in `eurofxref-daily.xml`; all days since 1999 in `eurofxref-hist.xml`.
package struct EuroRate: Hashable, Sendable {
    /// The day, counted from 1970-01-01.
    package var day: Int32
    package var currency: Asset
    /// Units of the currency for one euro; above zero.
    package var rate: Amount

    package init(day: Int32, currency: Asset, rate: Amount) {
        self.day = day
        self.currency = currency
        self.rate = rate
    }

    /// Nanoseconds.
    static let length: Int64 = 86_400_000_000_000

    /// When it was known: 15:00 UTC, which is 16:00 CET and never too early.
    package var time: Timestamp {
        Timestamp(nanoseconds: Int64(day) * EuroRate.length + 15 * 3_600_000_000_000)
    }

    /// `2026-11-20`.
    package var date: String { String(time.iso8601(fractionDigits: 0).prefix(10)) }

    /// How old a rate of now can be: from Maundy Thursday to the Tuesday after Easter, and some hours.
    package static let staleAfter: Int64 = 5 * length + 6 * 3_600_000_000_000

    /// The newest day whose rates are there by a moment, holidays aside: a weekday, half an hour after they
    /// are usually published.
    package static func newestDay(at now: Timestamp) -> Int32 {
        let published = now.adding(nanoseconds: -(15 * 3_600 + 1_800) * 1_000_000_000)
        let (quotient, rest) = published.nanoseconds.quotientAndRemainder(dividingBy: length)
        var day = rest < 0 ? quotient - 1 : quotient
        // Day 0 was a Thursday.
        let weekday = ((day % 7) + 10) % 7
        if weekday > 4 { day -= weekday - 4 }
        return Int32(clamping: day)
    }

    /// Prices of currencies in a base, of each day that has the rates for it.
    ///
    /// - Parameters:
    ///   - rates: In any order.
    ///   - currencies: What prices are wanted of.
    ///   - base: In what.
    /// - Returns: Quotients at ``PriceHistory/places`` places.
    package static func prices(
        _ rates: [EuroRate], of currencies: Set<Asset>, in base: Asset
    ) -> [(asset: Asset, currency: Asset, point: PricePoint)] {
        let euro = Asset(rawValue: "EUR")
        var days: [Int32: [Asset: Amount]] = [:]
        for rate in rates { days[rate.day, default: [euro: .one]][rate.currency] = rate.rate }
        var prices: [(asset: Asset, currency: Asset, point: PricePoint)] = []
        let wantedCurrencies = currencies.subtracting([base]).sorted { $0.rawValue < $1.rawValue }
        for (day, known) in days.sorted(by: { $0.key < $1.key }) {
            guard let wanted = known[base] else { continue }
            let time = EuroRate(day: day, currency: base, rate: wanted).time
            for currency in wantedCurrencies {
                guard let rate = known[currency],
                    let price = wanted.divided(by: rate, places: PriceHistory.places)
                else { continue }
                prices.append((currency, base, PricePoint(time: time, price: price)))
            }
        }
        return prices
    }
}
