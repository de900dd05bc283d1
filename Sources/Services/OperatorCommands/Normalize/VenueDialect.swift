import Instruments
import Recordings

/// How a venue writes times and ids, so that a row can repeat its own words.
enum VenueDialect {
    /// Times in ISO 8601 with milliseconds; numbers without trailing zeros.
    case bitmex
    /// Times in milliseconds since 1970.
    case binance
    /// Times in seconds since 1970 with six decimals; trades without ids.
    case krakenArrays
    /// Times in ISO 8601 with microseconds.
    case krakenObjects

    /// The dialect of one message: Kraken has two, which differ in their first byte.
    init(_ venue: Venue, _ frame: RecordingFrame) {
        switch venue {
        case .bitmex: self = .bitmex
        case .kraken: self = frame.data.first == 0x5B ? .krakenArrays : .krakenObjects
        default: self = .binance
        }
    }

    /// The venue's own text of a time.
    func text(_ time: Timestamp) -> String {
        switch self {
        case .bitmex: time.iso8601(fractionDigits: 3)
        case .binance: String(time.nanoseconds / 1_000_000)
        case .krakenArrays: DecimalText.string(units: time.nanoseconds / 1_000, scale: .microseconds)
        case .krakenObjects: time.iso8601(fractionDigits: 6)
        }
    }

    /// A trade's id if it is the venue's, `nil` if we had to make one.
    func id(_ id: String) -> String? { self == .krakenArrays ? nil : id }

    /// The decimal as the venue would write it: BitMEX sends bare numbers, the others pad to the instrument's
    /// scale.
    func number(_ units: Int64, _ scale: Scale) -> DecimalNumber {
        let number = DecimalNumber(units: units, scale: scale)
        return self == .bitmex ? number.normalized : number
    }
}

extension Scale {
    /// Six places.
    static let microseconds = Scale(6) ?? .zero
    /// Nine places.
    static let nanoseconds = Scale(9) ?? .zero
}
