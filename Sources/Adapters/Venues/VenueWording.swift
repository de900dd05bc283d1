package import Instruments

/// How a venue writes what it says, so that a row can repeat its own words.
package struct VenueWording: Hashable, Sendable {
    /// A form of times.
    package enum TimeForm: Hashable, Sendable {
        /// In UTC, with so many digits after the second.
        case iso8601(fractionDigits: Int)
        /// Since 1970, whole.
        case milliseconds
        /// Since 1970, whole.
        case microseconds
        /// Since 1970.
        case nanoseconds
        /// Since 1970, whole.
        case wholeSeconds
        /// Since 1970, with six decimals.
        case seconds
        /// Since 1970: of trades milliseconds with their fraction, of all else whole seconds, or milliseconds
        /// where those are not enough.
        case secondsOrMilliseconds
        /// In UTC, with six digits after the second or as many more as there are; candles begin at whole
        /// seconds since 1970.
        case finestISO8601
    }

    package let times: TimeForm
    /// Whether its trades have ids; otherwise we make one.
    package var namesTrades = true
    /// Whether its numbers come without trailing zeros; otherwise they are padded to the instrument's scale.
    package var trimsNumbers = false

    /// The venue's own text of a time.
    package func text(_ time: Timestamp) -> String {
        switch times {
        case .iso8601(let digits): time.iso8601(fractionDigits: digits)
        case .milliseconds: String(time.nanoseconds / 1_000_000)
        case .microseconds: String(time.nanoseconds / 1_000)
        case .nanoseconds: String(time.nanoseconds)
        case .wholeSeconds: String(time.nanoseconds / 1_000_000_000)
        case .seconds:
            DecimalText.string(units: time.nanoseconds / 1_000, scale: Scale(6) ?? .zero)
        case .secondsOrMilliseconds:
            time.nanoseconds % 1_000_000_000 == 0
                ? String(time.nanoseconds / 1_000_000_000) : VenueWording.milliseconds(time)
        }
    }

    /// The venue's own text of a trade's time.
    package func tradeText(_ time: Timestamp) -> String {
        times == .secondsOrMilliseconds ? VenueWording.milliseconds(time) : text(time)
    }

    /// Since 1970, with what is left of a millisecond.
    private static func milliseconds(_ time: Timestamp) -> String {
        DecimalNumber(units: time.nanoseconds, scale: Scale(6) ?? .zero).normalized.description
    }

    /// Whether a candle is called by its interval and its symbol, `1m_BTC_USDT`, with its start as `t`; its
    /// trades are not counted then.
    package var namesCandles: Bool { times == .secondsOrMilliseconds }

        case .finestISO8601: VenueWording.finest(time)
        }
    }

    private static func finest(_ time: Timestamp) -> String {
        var digits = 9
        var rest = time.nanoseconds
        while digits > 6, rest % 10 == 0 {
            rest /= 10
            digits -= 1
        }
        return time.iso8601(fractionDigits: digits)
    }

    /// The venue's own text of the time of a candle.
    package func candleText(_ time: Timestamp) -> String {
        times == .finestISO8601 ? String(time.nanoseconds / 1_000_000_000) : text(time)
    }

    /// A trade's id if it is the venue's, `nil` if we had to make one.
    package func id(_ id: String) -> String? {
        // A venue of which an older generation had no ids names some of its trades.
        namesTrades && id.utf8.first != 0x7E ? id : nil
    }

    /// A decimal as the venue would write it.
    package func number(_ units: Int64, _ scale: Scale) -> DecimalNumber {
        let number = DecimalNumber(units: units, scale: scale)
        return trimsNumbers ? number.normalized : number
    }
}
