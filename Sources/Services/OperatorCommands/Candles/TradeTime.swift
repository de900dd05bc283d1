import Instruments
import MarketState

/// Times as files of trades give them.
enum TradeTime {
    static let accepted =
        "ISO 8601 such as 2021-07-22T22:36:07.865Z, or s, ms, µs or ns since 1970 by magnitude; not before 1970"

    /// Reads ISO 8601, or a number since 1970 whose magnitude says its unit; `nil` for times before 1970.
    ///
    /// Below 10^11 it counts seconds (until the year 5138), below 10^14 milliseconds, below 10^17
    /// microseconds, else nanoseconds; a fraction is kept to the nanosecond.
    static func parse(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
        guard let number = try? WideNumber(parsing: bytes) else { return iso8601(bytes) }
        guard number.units >= 0 else { return nil }
        let divisor = power(number.places)
        let whole = number.units / divisor
        let factor: Int128 =
            switch whole {
            case ..<100_000_000_000: 1_000_000_000
            case ..<100_000_000_000_000: 1_000_000
            case ..<100_000_000_000_000_000: 1_000
            default: 1
            }
        // The fraction apart, since the whole number times the factor might need more than 128 bits.
        let fraction = number.units % divisor
        let (scaled, overflow) = fraction.multipliedReportingOverflow(by: factor)
        let rest = overflow ? fraction / (divisor / factor) : scaled / divisor
        guard whole <= Int128(Int64.max), let nanoseconds = Int64(exactly: whole * factor + rest) else {
            return nil
        }
        return Timestamp(nanoseconds: nanoseconds)
    }

    /// Reads a text as above.
    static func parse(_ text: String) -> Timestamp? {
        var text = text
        return text.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
    }

    private static func power(_ exponent: Int) -> Int128 {
        var power: Int128 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }

    /// Date and time joined by `T` or a space, any fraction, and `Z`, an offset or nothing, which is UTC.
    private static func iso8601(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
        guard bytes.count >= 19, bytes[10] | 0x20 == 0x74 || bytes[10] == 0x20 else { return nil }
        var text = Array(bytes[..<19])
        text[10] = 0x54
        var index = 19
        if index < bytes.count, bytes[index] == 0x2E {
            index += 1
            let start = index
            while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
            guard index > start else { return nil }
            text.append(0x2E)
            // Cut, not rounded: a later second would be another candle.
            text.append(contentsOf: bytes[start..<min(index, start + 9)])
        }
        text.append(0x5A)
        guard let offset = offset(bytes[index...]) else { return nil }
        let time = text.withUnsafeBytes { Timestamp(iso8601: $0) }?.adding(nanoseconds: -offset)
        return time.flatMap { $0 < .zero ? nil : $0 }
    }

    /// Nanoseconds that a zone is ahead of UTC: nothing, `Z`, `+05:30`, `+0530` or `+05`.
    private static func offset(_ zone: Slice<UnsafeRawBufferPointer>) -> Int64? {
        guard let first = zone.first else { return 0 }
        if first | 0x20 == 0x7A { return zone.count == 1 ? 0 : nil }
        guard first == 0x2B || first == 0x2D else { return nil }
        let hasColon = zone.count == 6 && zone[zone.startIndex + 3] == 0x3A
        let digits = zone.dropFirst().filter { !hasColon || $0 != 0x3A }
        guard digits.count == 2 || digits.count == 4, digits.allSatisfy({ $0 &- 0x30 < 10 }) else {
            return nil
        }
        let numbers = digits.map { Int64($0 - 0x30) }
        let hours = numbers[0] * 10 + numbers[1]
        let minutes = numbers.count == 4 ? numbers[2] * 10 + numbers[3] : 0
        guard hours < 24, minutes < 60 else { return nil }
        return (first == 0x2D ? -1 : 1) * (hours * 60 + minutes) * 60_000_000_000
    }
}
