public import Instruments

/// Candles of one interval from trades in any order, every interval kept to the end.
///
/// What a file is aggregated with: numbers may have up to 38 digits, and identities may come twice. Memory
/// grows with the number of intervals and of distinct identities, not with the number of trades.
public struct FileCandles: Sendable {
    public let interval: CandleInterval
    /// Trades that were left out because their identity had been seen.
    public private(set) var duplicates = 0
    private var sums: [Int64: CandleSums<Int128>] = [:]
    private var identities = IdentitySet()

    public init(interval: CandleInterval) { self.interval = interval }

    /// Adds a trade; one whose identity was seen before changes nothing.
    ///
    /// - Parameters:
    ///   - trade: At any scales.
    ///   - identity: The venue's id as UTF-8; empty when there is none, and then the trade always counts.
    /// - Throws: ``CandleOverflow``; the candle is as before.
    public mutating func add(
        _ trade: CandleTrade<Int128>, identity: UnsafeRawBufferPointer
    ) throws(CandleOverflow) {
        if !identity.isEmpty, !identities.insert(identity) {
            duplicates += 1
            return
        }
        let start = interval.start(of: trade.time).nanoseconds
        if try sums[start]?.add(trade) == nil { sums[start] = CandleSums(trade) }
    }

    /// The candles with their first instants, earliest first.
    public var candles: [(start: Timestamp, sums: CandleSums<Int128>)] {
        sums.sorted { $0.key < $1.key }.map { (Timestamp(nanoseconds: $0.key), $0.value) }
    }
}
