import Instruments

/// What the synthetic market is to know of a venue; one whose dialect's description has none takes no part.
struct SyntheticVenue: Sendable {
    /// What is traded.
    let instruments: [SyntheticInstrument]
    /// In which dialect it is said, with the depth of its books.
    let dialect: any Dialect
    /// Levels a side that a session is to subscribe to.
    let bookDepth: Int
    /// The venue's list of instruments; `nil` for one that the dialect makes of them.
    var list: [UInt8]?
    /// What it streams of each instrument.
    var kinds: [StreamKind] = [.book, .trade, .ticker]
    /// Puts what happens into messages; made of a seed and of when the market begins.
    let wording: @Sendable (_ seed: UInt64, _ started: Timestamp) -> any SyntheticProtocol
}

extension SyntheticVenue {
    /// Places of the instruments, each as often as it is lively.
    var turns: [Int] {
        instruments.indices.flatMap { [Int](repeating: $0, count: max(instruments[$0].liveliness, 1)) }
    }

    /// Trades of an instrument in an hour, as they usually are, at the standard interval.
    func usualTrades(of instrument: SyntheticInstrument) -> Double {
        let (seconds, attoseconds) = VenueSimulatorConfiguration.standardInterval.components
        let interval = Double(seconds) + Double(attoseconds) * 1e-18
        let share = Double(max(instrument.liveliness, 1)) / Double(turns.count)
        return 3_600 / interval * share * Self.tradeShare
    }

    /// How many of all events are trades, as counted.
    private static let tradeShare = 0.35
}
