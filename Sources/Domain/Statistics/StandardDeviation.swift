/// The standard deviation of the last `period` values as a whole population.
///
/// From the distances to the window's own mean, so that no digits are lost to a difference of large squares.
public struct StandardDeviation: StreamingIndicator {
    private var window: RollingWindow

    /// - Precondition: `period` is positive.
    public init(period: Int) { window = RollingWindow(period) }

    /// Takes the next value; `nil` before there are `period`.
    public mutating func update(_ value: Double) -> Double? {
        window.append(value)
        guard window.isFull else { return nil }
        let count = Double(window.capacity)
        var sum = 0.0
        for index in 0..<window.capacity { sum += window[index] }
        let mean = sum / count
        var squares = 0.0
        for index in 0..<window.capacity {
            let distance = window[index] - mean
            squares += distance * distance
        }
        return (squares / count).squareRoot()
    }
}

extension StandardDeviation: RestorableIndicator {
    func keep(in words: inout [UInt64]) { window.keep(in: &words) }

    mutating func takeOver(_ words: inout IndicatorStateReader) -> Bool { window.takeOver(&words) }
}
