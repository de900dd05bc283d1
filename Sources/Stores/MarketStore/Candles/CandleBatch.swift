package import Instruments
import MarketState

/// Candles of any instruments, of each at most one per length and start: the last one that was added.
package struct CandleBatch: Sendable {
    /// A batch of live candles needs one or two per length, a long backfill some more.
    static let maximumPartitions = 400

    private struct Key: Hashable {
        let instrument: Int
        let interval: CandleInterval
        let start: Timestamp
    }

    /// What the batch is about, in the order in which they came.
    package private(set) var instruments: [InstrumentID] = []
    private(set) var rows: [(instrument: Int, candle: CandleRow)] = []
    private var numbers: [InstrumentID: Int] = [:]
    private var places: [Key: Int] = [:]

    package init() {}

    /// Number of candles.
    package var count: Int { rows.count }
    /// True when there is nothing to store.
    package var isEmpty: Bool { rows.isEmpty }

    /// Adds a candle, in the place of an earlier one of the same interval.
    package mutating func append(_ candle: CandleRow, of instrument: InstrumentID) {
        let number = number(of: instrument)
        let key = Key(instrument: number, interval: candle.interval, start: candle.start)
        if let place = places[key] {
            rows[place].candle = candle
            return
        }
        places[key] = rows.count
        rows.append((number, candle))
    }

    private mutating func number(of instrument: InstrumentID) -> Int {
        if let number = numbers[instrument] { return number }
        numbers[instrument] = instruments.count
        instruments.append(instrument)
        return instruments.count - 1
    }

    /// The partitions that the candles lie in: of each one instant.
    var partitions: [PartitionNumber] {
        Set(rows.map { PartitionNumber(.candles($0.candle.interval), at: $0.candle.start) }).sorted()
    }
}
