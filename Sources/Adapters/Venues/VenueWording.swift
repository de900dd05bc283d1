package import Instruments

/// How a venue writes what it says, so that a row can repeat its own words.
package struct VenueWording: Hashable, Sendable {
    /// A form of times.
    package enum TimeForm: Hashable, Sendable {
        /// In UTC, with so many digits after the second.
        case iso8601(fractionDigits: Int)
        /// In UTC, with so many digits after the second or as many more as there are.
        case finestISO8601(fractionDigits: Int)
        /// Since 1970, whole.
        case milliseconds
        /// Since 1970, with what is left of a millisecond.
        case fractionalMilliseconds
        /// Since 1970, whole.
        case microseconds
        /// Since 1970.
        case nanoseconds
        /// Since 1970, whole.
        case wholeSeconds
        /// Since 1970, whole; milliseconds where those are not enough.
        case secondsOrMilliseconds
        /// Since 1970, with six decimals.
        case seconds
    }

    package let times: TimeForm
    /// Of trades, where those have a form of their own.
    package var tradeTimes: TimeForm?
    /// Of the begin and the end of candles, where those have a form of their own.
    package var candleTimes: TimeForm?
    /// Whether its trades have ids; otherwise we make one.
    package var namesTrades = true
    /// Whether it says of a trade what the maker did.
    package var saysMakers = false
    /// Whether a candle is called by its interval and its symbol, `1m_BTC_USDT`, with its start as `t`; its
    /// trades are not counted then.
    package var namesCandles = false
    /// Whether its numbers come without trailing zeros; otherwise they are padded to the instrument's scale.
    package var trimsNumbers = false

    /// The venue's own text of a time.
    package func text(_ time: Timestamp) -> String { times.text(time) }

    /// The venue's own text of a trade's time.
    package func tradeText(_ time: Timestamp) -> String { (tradeTimes ?? times).text(time) }

    /// The venue's own text of the begin or the end of a candle.
    package func candleText(_ time: Timestamp) -> String { (candleTimes ?? times).text(time) }

    /// A trade's id if it is the venue's, `nil` if we had to make one.
    package func id(_ id: String) -> String? {
        // A venue whose trades had no ids once names some of them.
        namesTrades && id.utf8.first != UInt8(ascii: "~") ? id : nil
    }

    /// A decimal as the venue would write it.
    package func number(_ units: Int64, _ scale: Scale) -> DecimalNumber {
        let number = DecimalNumber(units: units, scale: scale)
        return trimsNumbers ? number.normalized : number
    }
}

extension VenueWording.TimeForm {
    /// A time in this form.
    fileprivate func text(_ time: Timestamp) -> String {
        switch self {
        case .iso8601(let digits): time.iso8601(fractionDigits: digits)
        case .finestISO8601(let least): time.iso8601(fractionDigits: max(least, Self.digits(of: time)))
        case .milliseconds: String(time.nanoseconds / 1_000_000)
        case .fractionalMilliseconds:
            DecimalNumber(units: time.nanoseconds, scale: Scale(6) ?? .zero).normalized.description
        case .microseconds: String(time.nanoseconds / 1_000)
        case .nanoseconds: String(time.nanoseconds)
        case .wholeSeconds: String(time.nanoseconds / 1_000_000_000)
        case .secondsOrMilliseconds:
            (time.nanoseconds % 1_000_000_000 == 0 ? Self.wholeSeconds : .fractionalMilliseconds).text(time)
        case .seconds:
            DecimalText.string(units: time.nanoseconds / 1_000, scale: Scale(6) ?? .zero)
        }
    }

    /// As many digits of a second as a time has.
    private static func digits(of time: Timestamp) -> Int {
        var (digits, rest) = (9, time.nanoseconds)
        while digits > 0, rest % 10 == 0 { (digits, rest) = (digits - 1, rest / 10) }
        return digits
    }
}
