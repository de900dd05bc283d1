import Instruments
import MarketData

/// How a venue's past candles are asked for and read.
package struct HistoryRoute: Sendable {
    /// The lengths that most venues have and that begin where ours do, in seconds.
    static let usualLengths: [Int64] = [60, 300, 900, 1_800, 3_600, 14_400, 86_400]

    /// The venue's lengths of candles in seconds, shortest first, among those that are kept.
    let lengths: [Int64]
    /// The most candles of one page.
    let pageSize: Int
    /// How many of the newest candles can be had at all; `nil` for all that there ever were.
    var reach: Int?
    /// How often pages may be asked for.
    let pace: HistoryPace
    /// The path and the query of a question.
    let address: @Sendable (HistoryQuery) -> String
    /// Reads an answer about candles of so many seconds.
    let read: @Sendable (inout JSONScanner, Int64) throws(ScanError) -> [HistoryCandle]
    /// Reads what the venue says instead of candles.
    let complaint: @Sendable (inout JSONScanner) throws(ScanError) -> String?
}

/// Which candles are wanted.
package struct HistoryQuery: Hashable, Sendable {
    /// In the venue's spelling.
    let symbol: String
    /// The length of a candle.
    let seconds: Int64
    /// The first start that is wanted.
    let from: Timestamp
    /// The first start that is not.
    let to: Timestamp
    /// The most candles of an answer.
    let limit: Int
}
