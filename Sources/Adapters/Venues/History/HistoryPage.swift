public import Instruments

/// One request of a venue's history and what its answer is about.
public struct HistoryPage: Hashable, Sendable {
    /// Where to GET it.
    public let url: String
    /// The first start that it covers.
    public let from: Timestamp
    /// The first start that it does not cover.
    public let to: Timestamp
    /// The length of its candles in seconds.
    public let seconds: Int64
}

/// How often a venue may be asked for candles.
public struct HistoryPace: Hashable, Sendable {
    /// Units that may be used at once, at least `cost`.
    public let capacity: Int
    /// Nanoseconds after which one unit comes back.
    public let refillEvery: Int64
    /// Units that one page costs.
    public let cost: Int
}

extension HistoryPace {
    /// As many units at once as there are in a minute.
    init(perMinute units: Int, cost: Int) {
        self.init(capacity: units, refillEvery: 60_000_000_000 / Int64(units), cost: cost)
    }
}

/// Why a venue's answer has no candles.
public enum HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not what the venue documents.
    case malformed
    /// The venue asks for patience in the text of an answer.
    case busy(String)
    /// The venue refuses, in its words.
    case refused(String)

    /// One clause for a person.
    public var description: String {
        switch self {
        case .malformed: "the answer is not what the venue documents"
        case .busy(let text): "the venue asks for patience: \(text)"
        case .refused(let text): "the venue refuses: \(text)"
        }
    }
}
