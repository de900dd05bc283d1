/// The mean of the last `period` values with weights 1, 2 … `period`, the newest the heaviest.
public struct WeightedMovingAverage: StreamingIndicator {
    private var window: RollingWindow

    /// - Precondition: `period` is positive.
    public init(period: Int) { window = RollingWindow(period) }

    /// Takes the next value; `nil` before there are `period`.
    public mutating func update(_ value: Double) -> Double? {
        window.append(value)
        guard window.isFull else { return nil }
        let count = window.capacity
        var sum = 0.0
        for index in 0..<count { sum += window[index] * Double(index + 1) }
        return sum / Double(count * (count + 1) / 2)
    }
}
