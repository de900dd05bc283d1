public import Instruments

/// How often a rule may fire.
public enum Repetition: Hashable, Sendable {
    /// Once; then it is done.
    case once
    /// Again and again: not before `cooldown` nanoseconds after the last firing have passed (at exactly that
    /// time it may), and not before the value moved back by `hysteresis`.
    case recurring(cooldown: Int64, hysteresis: DecimalNumber)

    /// What "recurring" means when no more is said.
    ///
    /// Nanoseconds.
    public static let hour: Int64 = 3_600_000_000_000
}

/// When a rule may fire, by the clock of a place.
public struct ActiveHours: Hashable, Sendable {
    /// Minutes after midnight, 0..<1440, from which on it may fire.
    public var from: Int
    /// Minutes after midnight, 1...1440, at which that ends; at or before `from` it ends on the next day.
    public var to: Int
    /// Monday is bit 0; a stretch past midnight belongs to the day on which it begins.
    public var days: UInt8
    /// The name of the time zone, such as `Europe/Berlin`.
    public var timeZone: String

    /// Every day of the week.
    public static let everyDay: UInt8 = 0x7F

    /// Describes active hours.
    public init(from: Int = 0, to: Int = 1_440, days: UInt8 = ActiveHours.everyDay, timeZone: String = "UTC")
    {
        self.from = from
        self.to = to
        self.days = days
        self.timeZone = timeZone
    }

    /// Whether a local time, in seconds since 1970 as the clock on the wall counts them, is within.
    public func contains(localSeconds: Int64) -> Bool {
        let days = localSeconds.floored(by: 86_400)
        let minute = Int((localSeconds - days * 86_400) / 60)
        if from < to { return minute >= from && minute < to && isOn(days) }
        // The part after midnight belongs to the day before.
        if minute >= from { return isOn(days) }
        return minute < to && isOn(days - 1)
    }

    /// 1970-01-01 was a Thursday, which is bit 3.
    private func isOn(_ day: Int64) -> Bool {
        let weekday = (day + 3) - (day + 3).floored(by: 7) * 7
        return days & (1 << UInt8(weekday)) != 0
    }
}

extension Int64 {
    /// The quotient rounded down; the divisor is positive.
    func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// Which messages are sent first.
public enum AlertPriority: String, Hashable, Sendable, CaseIterable {
    /// May wait and be gathered.
    case low
    /// As ordinary.
    case normal
    /// Before others.
    case high
}

/// What somebody wants to be told of, and how.
public struct AlertRule: Hashable, Sendable {
    /// Unique in its engine.
    public var id: RuleID
    /// Of which instrument; `nil` for conditions that are not about one.
    public var instrument: InstrumentID?
    /// What must happen.
    public var condition: AlertCondition
    /// How often.
    public var repetition: Repetition
    /// Whether it fires at once when the value already is where it is to go.
    public var whenAlready: Bool
    /// From this instant on it no longer fires.
    public var expires: Timestamp?
    /// Nanoseconds for which the condition must hold before it fires; 0 for at once.
    public var sustain: Int64
    /// When it may fire; `nil` for always.
    public var active: ActiveHours?
    /// Words for its owner.
    public var note: String
    /// For finding and grouping.
    public var tags: [String]
    /// Names of the channels to tell it by.
    public var channels: [String]
    /// How urgent.
    public var priority: AlertPriority

    /// Describes a rule that fires once.
    public init(
        id: RuleID, instrument: InstrumentID?, condition: AlertCondition, repetition: Repetition = .once
    ) {
        self.id = id
        self.instrument = instrument
        self.condition = condition
        self.repetition = repetition
        whenAlready = false
        sustain = 0
        note = ""
        tags = []
        channels = []
        priority = .normal
    }
}
