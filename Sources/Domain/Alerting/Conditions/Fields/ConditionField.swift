public import Instruments

/// One field of a condition: its name, what it may be, and how a person is asked for it.
public struct ConditionField: Sendable {
    /// What a field may be.
    public indirect enum Content: Sendable {
        /// An exact decimal.
        case decimal(DecimalLimit)
        /// A whole number.
        case whole(ClosedRange<Int>)
        /// A stretch of time, in nanoseconds.
        case duration(ClosedRange<Int64>)
        /// How long candles are.
        case interval
        /// One of a few words.
        case choice([String])
        /// A text of so many bytes, with what is accepted.
        case text(ClosedRange<Int>, accepted: String)
        /// The id of a portfolio.
        case portfolio
        /// Further fields, with what is accepted.
        case object([ConditionField], accepted: String)
    }

    /// In what a number is counted.
    public enum Unit: String, Sendable {
        /// In the asset that the instrument is quoted in.
        case quote
        /// In the unit of the instrument's sizes.
        case size
        /// In the portfolio's currency.
        case currency
        /// In hundredths.
        case percent
    }

    /// In the JSON.
    public var name: String
    /// What it may be.
    public var content: Content
    /// What it is where it is missing, as it is written; `nil` where it must be there.
    public var usual: String?
    /// Whether it may be missing and is nothing then.
    public var isOptional = false
    /// What a refusal accepts where it is missing, if that is not what it accepts of a wrong one.
    public var missing: String?
    /// A line for the API's document.
    public var note: String
    /// What a form begins with, where nothing is usual.
    public var suggested = ""
    /// In what it is counted; `nil` for a bare number.
    public var unit: Unit?
    /// Whether the sentence is another for each choice in it.
    public var picksSentence = false

    /// Declares a field.
    public init(
        _ name: String, _ content: Content, usual: String? = nil, isOptional: Bool = false,
        missing: String? = nil, note: String = "", suggested: String = "", unit: Unit? = nil,
        picksSentence: Bool = false
    ) {
        (self.name, self.content, self.usual, self.isOptional) = (name, content, usual, isOptional)
        (self.missing, self.note, self.suggested, self.unit) = (missing, note, suggested, unit)
        self.picksSentence = picksSentence
    }

    /// What is accepted where it is missing.
    var acceptedIfMissing: String {
        if let missing { return missing }
        return switch content {
        case .decimal(let limit): limit.missing
        case .whole(let range): "a whole number of \(range.lowerBound)...\(range.upperBound)"
        case .duration(let range):
            "\(RuleDuration.text(range.lowerBound))...\(RuleDuration.text(range.upperBound))"
        case .interval: RuleDuration.intervals.joined(separator: ", ")
        case .choice(let words): words.joined(separator: ", ")
        case .text(_, let accepted), .object(_, let accepted): accepted
        case .portfolio: "a text of 1...128 bytes"
        }
    }
}

/// Which decimals a field takes.
public struct DecimalLimit: Sendable {
    /// What is accepted, for one that is none or is out of range.
    public var accepted: String
    /// What is accepted, where there is none.
    public var missing: String
    /// Most decimal places, and what is accepted of one with more.
    public var places: (limit: Int, accepted: String)?
    /// Whether zeros that mean nothing are dropped.
    public var isNormalized = false
    /// Whether a number is in range.
    public var contains: @Sendable (DecimalNumber) -> Bool

    public static let any = DecimalLimit(accepted: "a decimal", missing: "a decimal") { _ in true }

    /// Those above zero.
    public static let positive = DecimalLimit(
        accepted: "a decimal above 0 such as \"61000.5\", of at most 18 places and 63 bits",
        missing: "a decimal above 0"
    ) { $0.units > 0 }

    /// Those above zero without many places, in the fewest of them.
    public static func factor(_ accepted: String = "a decimal of at most 4 places") -> DecimalLimit {
        var limit = DecimalLimit.positive
        limit.places = (4, accepted)
        limit.isNormalized = true
        return limit
    }

    /// Those between two whole numbers, both included.
    public static func within(_ range: ClosedRange<Int64>, _ accepted: String) -> DecimalLimit {
        let low = DecimalNumber(units: range.lowerBound, scale: .zero)
        let high = DecimalNumber(units: range.upperBound, scale: .zero)
        return DecimalLimit(accepted: accepted, missing: accepted) { number in
            !(number.normalized < low) && !(high < number.normalized)
        }
    }
}

/// Fields that several kinds have.
extension ConditionField {
    /// Which way a value must pass a level.
    public static let crosses = ConditionField(
        "crosses", .choice(CrossingDirection.allCases.map(\.rawValue)), picksSentence: true)

    /// A level of prices.
    public static let level = ConditionField("level", .decimal(.positive), unit: .quote)

    /// Whose closes.
    static let interval = ConditionField(
        "interval", .interval, note: "Of its candles: 1s, 1m, 5m, 15m, 30m, 1h, 4h, 1d or 7d.")

    /// So many candles.
    static func candles(_ name: String, _ usual: Int, from least: Int = 1) -> ConditionField {
        ConditionField(name, .whole(least...1_000), usual: String(usual), note: "Candles.")
    }

    /// One of an enumeration's words.
    public static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Choice.Type, usual: Choice? = nil, missing: String? = nil, note: String = "",
        picksSentence: Bool = false
    ) -> ConditionField {
        ConditionField(
            name, .choice(type.allCases.map(\.rawValue)), usual: usual?.rawValue, missing: missing,
            note: note, picksSentence: picksSentence)
    }
}

extension DecimalNumber {
    /// What stands in for a number until it is read.
    static let one = DecimalNumber(units: 1, scale: .zero)
}
