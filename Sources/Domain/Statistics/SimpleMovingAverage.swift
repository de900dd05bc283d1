/// The mean of the last `period` values.
///
/// Kept as a running sum, in the order of additions of TA-Lib's SMA, so that both agree to the last bit.
public struct SimpleMovingAverage: StreamingIndicator {
    private var window: RollingWindow
    private var sum = 0.0

    /// - Precondition: `period` is positive.
    public init(period: Int) { window = RollingWindow(period) }

    /// Takes the next value; `nil` before there are `period`.
    public mutating func update(_ value: Double) -> Double? {
        if window.isFull { sum -= window.first }
        sum += value
        window.append(value)
        return window.isFull ? sum / Double(window.capacity) : nil
    }
}

extension SimpleMovingAverage: RestorableIndicator {
    func keep(in words: inout [UInt64]) {
        words.append(sum)
        window.keep(in: &words)
    }

    mutating func takeOver(_ words: inout IndicatorStateReader) -> Bool {
        guard let sum = words.number() else { return false }
        self.sum = sum
        return window.takeOver(&words)
    }
}
