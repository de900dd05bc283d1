import MarketStore

/// What is wrong with stored candles.
enum CandleDifference {
    /// How many candles are not as they are to be, and one of them; `nil` where all are.
    static func text(
        _ made: [StoredCandle: CandleRow], _ expected: [StoredCandle: CandleRow],
        isSame: (CandleRow, CandleRow) -> Bool
    ) -> String? {
        let other = expected.filter { key, row in made[key].map { !isSame($0, row) } ?? true }
        guard let one = other.first else { return nil }
        let row = made[one.key].map { "\($0)" } ?? "none"
        return "\(other.count) candles differ; \(one.key) is \(row) and was \(one.value)"
    }
}

extension CandleRow {
    /// Whether both are of the same trades, whatever else is known of them.
    func hasNumbers(of other: CandleRow) -> Bool {
        var other = other
        other.flags = flags
        return self == other
    }
}
