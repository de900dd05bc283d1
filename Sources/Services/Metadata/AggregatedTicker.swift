import Instruments
import Providers
import Wire

/// An aggregated price as a day's ticker on the bus, marked as such: it has no book and no trades.
enum AggregatedTicker {
    /// Digits that are told, before and after the point together: all that a message holds.
    private static let digits = 18

    /// The message; without numbers where there is nothing to be shown.
    static func message(_ told: PriceCore.Told) -> Bitpal_V1_DayTicker {
        var message = Bitpal_V1_DayTicker()
        message.instrument = told.instrument.description
        message.staleReason = told.reason
        message.source = "aggregated"
        guard let kept = told.kept else { return message }
        let quote = kept.quote
        message.source = "aggregated by \(kept.provider)"
        let prices = [quote.price, quote.open, quote.high, quote.low]
        let scale = scale(of: prices.compactMap { $0 })
        message.priceScale = UInt32(scale.places)
        if let last = units(quote.price, scale) { message.lastPrice = last }
        if let open = units(quote.open, scale) { message.openPrice = open }
        if let high = units(quote.high, scale) { message.highPrice = high }
        if let low = units(quote.low, scale) { message.lowPrice = low }
        message.baseVolume = quote.baseVolume?.description ?? ""
        message.quoteVolume = quote.quoteVolume?.description ?? ""
        if let last = quote.price, let open = quote.open { message.change = (last - open).description }
        message.changePercent = quote.change?.rounded(places: 4).description ?? ""
        let end = quote.updated ?? kept.heard
        message.windowEndUnixNanos = end.nanoseconds
        message.windowStartUnixNanos = end.adding(nanoseconds: -86_400_000_000_000).nanoseconds
        return message
    }

    /// As many places as the numbers have, as far as all of their digits have room.
    private static func scale(of numbers: [Amount]) -> Scale {
        var (whole, places) = (1, 0)
        for number in numbers {
            let parts = number.description.split(separator: ".", omittingEmptySubsequences: false)
            whole = max(whole, parts[0].utf8.count)
            if parts.count > 1 { places = max(places, parts[1].utf8.count) }
        }
        return Scale(min(places, max(digits - whole, 0))) ?? .zero
    }

    private static func units(_ number: Amount?, _ scale: Scale) -> Int64? {
        guard let text = number?.rounded(places: scale.places).description,
            let decimal = try? DecimalNumber(parsing: text)
        else { return nil }
        return try? decimal.rescaled(to: scale).units
    }
}
