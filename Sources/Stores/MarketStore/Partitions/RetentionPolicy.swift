import MarketState

/// How long data is kept, counted back from a venue's newest data of the same kind.
package struct RetentionPolicy: Hashable, Sendable {
    /// How long; what is not in it is kept for ever.
    private var spans: [PartitionKind: Duration]

    /// Trades 7 days, 1s candles 2 days, 1m candles a year, longer ones for ever.
    package static let standard: RetentionPolicy = {
        var policy = RetentionPolicy()
        policy[.trades] = .seconds(7 * 86_400)
        policy[.candles(.second)] = .seconds(2 * 86_400)
        policy[.candles(.minute)] = .seconds(366 * 86_400)
        return policy
    }()

    /// Keeps everything for ever.
    package init() { spans = [:] }

    /// How long a kind is kept; `nil` is for ever.
    ///
    /// Less than a day counts as a day.
    package subscript(kind: PartitionKind) -> Duration? {
        get { spans[kind] }
        set { spans[kind] = newValue.map { max($0, .seconds(86_400)) } }
    }

    /// The same in nanoseconds; what is longer than 292 years is for ever.
    func nanoseconds(_ kind: PartitionKind) -> Int64? {
        guard let span = spans[kind], span < .seconds(9_000_000_000) else { return nil }
        return span.components.seconds * 1_000_000_000 + span.components.attoseconds / 1_000_000_000
    }
}
