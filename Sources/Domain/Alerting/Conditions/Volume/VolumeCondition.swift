public import Instruments

/// So much traded within a time.
public enum VolumeCondition: Hashable, Sendable {
    /// At least this size, in the instrument's unit, within so many nanoseconds.
    case above(DecimalNumber, within: Int64)
    /// At least so many times the mean of the windows of the same length before, as many as `averageOf`.
    case times(DecimalNumber, within: Int64, averageOf: Int)
}

extension VolumeCondition: ConditionKind {
    /// In a condition's JSON.
    public static let key = "volume"
    /// For the API's document.
    public static let about = "Of trades within a time; above a size or times the mean."
    /// The time, of which both forms are.
    public static let readFirst: Set<String> = ["within"]
    /// By a size, and by what is usual.
    public static let forms: [(name: String, example: VolumeCondition)] = [
        (
            "volume",
            .above(DecimalNumber(cutting: 125, places: 1), within: 5 * RuleDuration.minute)
        ),
        (
            "volume_times",
            .times(DecimalNumber(units: 3, scale: .zero), within: RuleDuration.minute, averageOf: 20)
        ),
    ]

    /// Shows each field.
    public mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        var (number, within, count): (DecimalNumber, Int64, Int)
        var isAbove = false
        switch self {
        case .above(let size, let time): (number, within, count, isAbove) = (size, time, 20, true)
        case .times(let factor, let time, let windows): (number, within, count) = (factor, time, windows)
        }
        let time = ConditionField(
            "within", .duration(1_000_000_000...RuleDuration.day), note: "1s...1d.", suggested: "5m")
        guard fields.isGiven("times", now: !isAbove) else {
            try fields.decimal(
                ConditionField(
                    "above", .decimal(.positive), missing: "\"above\" or \"times\"", unit: .size), &number)
            try fields.duration(time, &within)
            return self = .above(number, within: within)
        }
        try fields.decimal(ConditionField("times", .decimal(.factor()), suggested: "3"), &number)
        try fields.duration(time, &within)
        try fields.whole(
            ConditionField(
                "average_of", .whole(1...1_000), usual: "20",
                note: "So many such times before, 20 as usual."), &count)
        self = .times(number, within: within, averageOf: count)
    }

    /// What is traded.
    public var input: ConditionInput { .trades }

    /// By the sizes of the time before.
    public var decision: ConditionDecision { .volume(self) }

    /// How much within what time.
    public var summary: String {
        switch self {
        case .above(let size, let within): "volume \(size) within \(RuleDuration.text(within))"
        case .times(let factor, let within, _):
            "volume \(factor) times the mean within \(RuleDuration.text(within))"
        }
    }
}

extension AlertCondition {
    /// So much is traded within a time.
    public static func volume(_ volume: VolumeCondition) -> AlertCondition { AlertCondition(volume) }
}
