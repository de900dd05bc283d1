import Instruments

/// How a rule's level is passed.
enum RuleShape: UInt8, Sendable {
    case above
    case below
    case either
    /// The record's level is the upper edge, the options' the lower.
    case band
    /// No level: a watch decides.
    case watch
}

/// What is decided from of one rule, in 48 bytes; what few rules have lies in ``RuleOptions``.
struct RuleRecord: Sendable {
    var id: RuleID
    var shape: RuleShape
    var flags = Flags()
    var levelScale: UInt8
    /// How often it fired.
    var epoch: UInt32 = 0
    var levelUnits: Int64
    /// When it fired last, by the venue.
    var lastFired = Timestamp.zero
    /// Which options; an index.
    var options: UInt32
    /// The series of a level, the market of a watch; an index.
    var place: UInt32

    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        /// Fired once or expired: it watches nothing any more.
        static let done = Flags(rawValue: 1)
        /// Must move back before it may fire again.
        static let disarmed = Flags(rawValue: 2)
        /// Its last crossing was upwards.
        static let upwards = Flags(rawValue: 4)
        /// The condition holds and its time has not passed.
        static let pending = Flags(rawValue: 8)
        /// Waits for the first value.
        static let waiting = Flags(rawValue: 16)
        /// Fired at least once since it was entered, so that its cooldown counts.
        static let fired = Flags(rawValue: 32)
    }

    var level: DecimalNumber {
        DecimalNumber(units: levelUnits, scale: Scale(rawValue: levelScale) ?? .zero)
    }

    var exactLevel: ExactValue { ExactValue(level) }
}

/// What rules have in common with others: kept once for all that are alike.
struct RuleOptions: Hashable, Sendable {
    var repetition: Repetition
    var whenAlready: Bool
    var expires: Timestamp?
    var sustain: Int64
    var active: ActiveHours?
    /// The lower edge of a band.
    var low: DecimalNumber?

    init(_ rule: AlertRule) {
        repetition = rule.repetition
        whenAlready = rule.whenAlready
        expires = rule.expires
        sustain = rule.sustain
        active = rule.active
        if case .band(let low, _) = rule.condition.decision { self.low = low }
    }

    var hysteresis: DecimalNumber? {
        guard case .recurring(_, let hysteresis) = repetition, hysteresis.units > 0 else { return nil }
        return hysteresis
    }

    var exactLow: ExactValue? { low.map { ExactValue($0) } }
}
