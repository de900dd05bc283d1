import Instruments
package import MarketState

/// Rows that are partitioned by time and kept equally long.
package enum PartitionKind: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// `market.trade`.
    case trades
    /// `market.candle` of one length.
    case candles(CandleInterval)

    /// All of them.
    package static let all: [PartitionKind] = [.trades] + CandleInterval.allCases.map { .candles($0) }

    /// `trade`, or `candle 15m`.
    package var description: String {
        switch self {
        case .trades: "trade"
        case .candles(let interval): "candle \(interval.rawValue)"
        }
    }

    /// Finds what a row of `market.partition` belongs to.
    init?(parent: String, seconds: Int32) {
        if parent == "trade" {
            self = .trades
        } else {
            guard parent == "candle", let interval = CandleInterval(seconds: Int64(seconds)) else {
                return nil
            }
            self = .candles(interval)
        }
    }

    /// The table's name without its schema.
    var parent: String {
        switch self {
        case .trades: "trade"
        case .candles: "candle"
        }
    }

    /// 0 for trades.
    var seconds: Int32 {
        switch self {
        case .trades: 0
        case .candles(let interval): interval.sqlValue
        }
    }

    /// What one partition spans, in nanoseconds.
    var span: Int64 {
        switch self {
        case .trades: 86_400_000_000_000
        case .candles(let interval): interval.partitionDays * 86_400_000_000_000
        }
    }

    /// Partitions that are made ahead of the newest data.
    var ahead: Int { span > 100 * 86_400_000_000_000 ? 1 : 3 }

    /// Orders trades first, then by length.
    package static func < (left: PartitionKind, right: PartitionKind) -> Bool { left.seconds < right.seconds }
}

/// One partition by its number: how many spans it is away from 1970-01-01.
struct PartitionNumber: Hashable, Comparable {
    let kind: PartitionKind
    let number: Int64

    init(_ kind: PartitionKind, number: Int64) {
        self.kind = kind
        self.number = number
    }

    init(_ kind: PartitionKind, at time: Timestamp) {
        let (quotient, remainder) = time.nanoseconds.quotientAndRemainder(dividingBy: kind.span)
        self.init(kind, number: remainder < 0 ? quotient - 1 : quotient)
    }

    /// The first instant that belongs to it; the ends of 64-bit time cut the outermost partitions.
    var from: Timestamp {
        let (product, overflow) = number.multipliedReportingOverflow(by: kind.span)
        return Timestamp(nanoseconds: overflow ? (number < 0 ? .min : .max) : product)
    }

    static func < (left: PartitionNumber, right: PartitionNumber) -> Bool {
        (left.kind, left.number) < (right.kind, right.number)
    }
}
