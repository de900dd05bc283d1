import Instruments
import MarketData

/// Bitfinex's CRC-32 over the 25 best levels of each side.
///
/// 1. By rank, of the bid its price and amount, then of the ask its price and amount below zero; a side that
///   has no such rank is left out.
/// 2. All of them joined by colons, each written as JavaScript writes a number: without trailing zeros, and
///   below 0.000001 as `1.2e-7`.
/// 3. CRC-32 of that, as a signed number.
///
/// Source: Bitfinex API documentation, "WebSocket Checksum", and of the numbers its clients' issues
/// bitfinex-api-node#328 and bfx-api-node-models#70; ECMA-262, "Number::toString". Not confirmed by a
/// recording.
enum BitfinexChecksum {
    /// Levels a side that are hashed.
    static let depth = 25

    static func value(of book: Book) -> UInt32 {
        let (bids, asks) = book.top(depth)
        var text: [UInt8] = []
        for rank in 0..<max(bids.count, asks.count) {
            if rank < bids.count { append(bids[rank], sign: 1, book, to: &text) }
            if rank < asks.count { append(asks[rank], sign: -1, book, to: &text) }
        }
        return text.withUnsafeBytes { CRC32.checksum($0) }
    }

    private static func append(_ level: BookLevel, sign: Int64, _ book: Book, to text: inout [UInt8]) {
        for (units, scale) in [
            (level.price.rawValue, book.priceScale), (level.size.rawValue * sign, book.sizeScale),
        ] {
            if !text.isEmpty { text.append(0x3A) }
            text.append(contentsOf: number(DecimalNumber(units: units, scale: scale)).utf8)
        }
    }

    /// A number as JavaScript writes it, of at most 18 digits.
    static func number(_ value: DecimalNumber) -> String {
        let exact = value.normalized
        let digits = String(exact.units.magnitude)
        // The power of ten of the first digit.
        let exponent = digits.utf8.count - 1 - exact.scale.places
        guard exact.units != 0, exponent < -6 else { return exact.description }
        let rest = digits.dropFirst()
        return (exact.units < 0 ? "-" : "") + digits.prefix(1) + (rest.isEmpty ? "" : ".\(rest)")
            + "e\(exponent)"
    }
}
