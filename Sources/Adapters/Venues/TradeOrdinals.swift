import Instruments
import MarketData

/// Gives trades without an id one that is the same each time the same tape is read.
///
/// The id is the trade's time in microseconds, side, price, size and its ordinal among equals. Equals come
/// close together, so a short memory of distinct trades is enough.
struct TradeOrdinals: Sendable {
    private struct Key: Hashable, Sendable {
        var micros: Int64
        var side: Side
        var price: DecimalNumber
        var size: DecimalNumber
    }

    /// Distinct trades that are remembered.
    static let memory = 64

    private var keys: [Key] = []
    private var counts: [Int] = []
    private var oldest = 0

    /// An id for the next trade of the tape.
    mutating func id(time: Timestamp, side: Side, price: DecimalNumber, size: DecimalNumber) -> String {
        let key = Key(
            micros: time.nanoseconds / 1_000, side: side, price: price.normalized, size: size.normalized)
        let ordinal = next(key)
        let letter = side == .buy ? "b" : "s"
        return "~\(key.micros)-\(letter)-\(key.price)-\(key.size)-\(ordinal)"
    }

    private mutating func next(_ key: Key) -> Int {
        if let position = keys.firstIndex(of: key) {
            counts[position] += 1
            return counts[position]
        }
        if keys.count < TradeOrdinals.memory {
            keys.append(key)
            counts.append(0)
        } else {
            keys[oldest] = key
            counts[oldest] = 0
            oldest = (oldest + 1) % TradeOrdinals.memory
        }
        return 0
    }
}
