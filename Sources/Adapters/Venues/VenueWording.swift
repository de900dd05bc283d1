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
        /// Since 1970, whole: nanoseconds of trades, milliseconds of all else.
        case nanosecondsOfTrades
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
        case .milliseconds, .nanosecondsOfTrades: String(time.nanoseconds / 1_000_000)
        case .microseconds: String(time.nanoseconds / 1_000)
        case .nanoseconds: String(time.nanoseconds)
        case .wholeSeconds: String(time.nanoseconds / 1_000_000_000)
        case .seconds:
            DecimalText.string(units: time.nanoseconds / 1_000, scale: Scale(6) ?? .zero)
        }
    }

    /// The venue's own text of a trade's time.
    package func tradeText(_ time: Timestamp) -> String {
        times == .nanosecondsOfTrades ? String(time.nanoseconds) : text(time)
    }

    /// A trade's id if it is the venue's, `nil` if we had to make one.
    package func id(_ id: String) -> String? { namesTrades ? id : nil }

    /// A decimal as the venue would write it.
    package func number(_ units: Int64, _ scale: Scale) -> DecimalNumber {
        let number = DecimalNumber(units: units, scale: scale)
        return trimsNumbers ? number.normalized : number
    }
}
