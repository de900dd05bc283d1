public import Instruments
import Statistics

/// Which edge of a Bollinger band a close must leave it by.
public enum BandSide: String, Hashable, Sendable, CaseIterable {
    case upper
    case lower
    /// Any of the two.
    case either
}

/// The close leaves its Bollinger band.
struct BandsCondition: ConditionKind {
    /// In nanoseconds.
    var interval: Int64
    /// Candles.
    var period: Int
    var deviations: DecimalNumber
    var side: BandSide

    static let key = "bollinger"
    static let forms: [(name: String, example: BandsCondition)] = [
        (
            "bollinger",
            BandsCondition(
                interval: 60 * RuleDuration.minute, period: 20,
                deviations: DecimalNumber(units: 2, scale: .zero), side: .upper)
        )
    ]

    mutating func visit<Fields: FieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.duration(.interval, &interval)
        try fields.whole(.candles("period", 20, from: 2), &period)
        try fields.decimal(ConditionField("deviations", .decimal(.positive), usual: "2"), &deviations)
        try fields.choice(.choice("leaves", BandSide.self, usual: .either, picksSentence: true), &side)
    }

    private var direction: CrossingDirection {
        switch side {
        case .upper: .above
        case .lower: .below
        case .either: .either
        }
    }

    var input: ConditionInput { .closes(interval: interval) }

    var decision: ConditionDecision {
        .signal(
            .bollinger(period: period, deviations: deviations.signalled, direction.crossing),
            name: "Bollinger(\(period), \(deviations))", direction, level: nil)
    }

    var summary: String {
        "\(RuleDuration.text(interval)) Bollinger \(period), \(deviations), \(side.rawValue)"
    }
}

extension AlertCondition {
    /// The close leaves its Bollinger band; the interval in nanoseconds.
    public static func bollinger(
        interval: Int64, period: Int, deviations: DecimalNumber, _ side: BandSide
    ) -> AlertCondition {
        AlertCondition(
            BandsCondition(interval: interval, period: period, deviations: deviations, side: side))
    }
}
