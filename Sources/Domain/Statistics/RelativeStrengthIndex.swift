/// How much of the recent movement was upwards, 0...100.
///
/// Source: J. Welles Wilder, "New Concepts in Technical Trading Systems", 1978; 0 where nothing moved at all,
/// as TA-Lib says.
public struct RelativeStrengthIndex: StreamingIndicator {
    /// Values.
    private let period: Int
    private var previous: Double?
    private var changes = 0
    private var gain = 0.0
    private var loss = 0.0

    /// - Precondition: `period` is at least 2.
    public init(period: Int = 14) {
        precondition(period > 1, "a relative strength needs a period of at least 2")
        self.period = period
    }

    /// Takes the next price; `nil` before there are `period` + 1.
    public mutating func update(_ price: Double) -> Double? {
        defer { previous = price }
        guard let previous else { return nil }
        let change = price - previous
        let length = Double(period)
        if changes < period {
            changes += 1
            add(change)
            guard changes == period else { return nil }
        } else {
            gain *= length - 1
            loss *= length - 1
            add(change)
        }
        gain /= length
        loss /= length
        let whole = gain + loss
        return whole.isNegligible ? 0 : 100 * (gain / whole)
    }

    private mutating func add(_ change: Double) {
        if change < 0 { loss -= change } else { gain += change }
    }
}

extension RelativeStrengthIndex: RestorableIndicator {
    func keep(in words: inout [UInt64]) {
        words.append(changes)
        words.append(previous != nil)
        for number in [previous ?? 0, gain, loss] { words.append(number) }
    }

    mutating func takeOver(_ words: inout IndicatorStateReader) -> Bool {
        guard let changes = words.count(upTo: period), let hasPrevious = words.flag(),
            let previous = words.number(), let gain = words.number(), let loss = words.number()
        else { return false }
        self.changes = changes
        self.previous = hasPrevious ? previous : nil
        (self.gain, self.loss) = (gain, loss)
        return true
    }
}
