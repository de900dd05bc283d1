/// By how much a value differs from the one `period` places before it, in percent.
///
/// Source: TA-Lib's ROC; 0 where the earlier value is 0.
public struct RateOfChange: StreamingIndicator {
    private var window: RollingWindow

    /// - Precondition: `period` is positive.
    public init(period: Int = 10) { window = RollingWindow(period + 1) }

    /// Takes the next value; `nil` before there are `period` + 1.
    public mutating func update(_ value: Double) -> Double? {
        window.append(value)
        guard window.isFull else { return nil }
        return window.first == 0 ? 0 : (value / window.first - 1) * 100
    }
}

/// The difference of a value from the one `period` places before it.
public struct Momentum: StreamingIndicator {
    private var window: RollingWindow

    /// - Precondition: `period` is positive.
    public init(period: Int = 10) { window = RollingWindow(period + 1) }

    /// Takes the next value; `nil` before there are `period` + 1.
    public mutating func update(_ value: Double) -> Double? {
        window.append(value)
        return window.isFull ? value - window.first : nil
    }
}
