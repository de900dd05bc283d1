import ArgumentParser
import Instruments
import JSON

/// What a rule says: JSON, or flags for a rule on a price.
struct RuleFlags: ParsableArguments {
    @Option(help: "The rule, or the fields to change, as JSON in the form of import and export.")
    var rule: String?

    @Option(help: "Of which instrument, such as binance-usdm:BTCUSDT.")
    var instrument: String?

    @Option(help: "Which price: last, bid, ask, mid, mark or index. (default: last)")
    var price: String?

    @Option(parsing: .unconditional, help: "Fires when the price rises to this level.")
    var above: String?

    @Option(parsing: .unconditional, help: "Fires when the price falls to this level.")
    var below: String?

    @Option(parsing: .unconditional, help: "Fires when the price reaches this level from either side.")
    var either: String?

    @Option(parsing: .unconditional, help: "Fires when the price leaves the band from this level …")
    var low: String?

    @Option(parsing: .unconditional, help: "… to this one.")
    var high: String?

    @Flag(help: "Fires once; so it does unless it has a cooldown or hysteresis.")
    var once = false

    @Option(parsing: .unconditional, help: "Fires again, at the earliest after this time, such as 1h.")
    var cooldown: String?

    @Option(parsing: .unconditional, help: "Fires again only after the price moved back by so much.")
    var hysteresis: String?

    @Flag(help: "Fires at once when the price already is there.")
    var whenAlready = false

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: "Fires when it stayed there so long, such as 5m.")
    var sustain: String?

    @Option(help: "The instant from which on it no longer fires, such as 2026-12-31T00:00:00Z.")
    var expires: String?

    @Option(help: "Only at these times of day, such as 08:00-22:00.")
    var hours: String?

    @Option(help: "Only on these days, such as mon,tue,wed,thu,fri.")
    var days: String?

    @Option(help: "Whose clock --hours and --days go by, such as Europe/Berlin. (default: UTC)")
    var timeZone: String?

    @Option(help: "Words for you.")
    var note: String?

    @Option(name: .customLong("tag"), help: "For finding and grouping; may be given again.")
    var tags: [String] = []

    @Option(
        name: .customLong("channel"),
        help: "Where to tell it; may be given again. (default: all of your verified channels)")
    var channels: [String] = []

    @Option(help: "low, normal or high.")
    var priority: String?

    func validate() throws {
        let levels = [above, below, either].compactMap(\.self)
        guard levels.count <= 1 else {
            throw ValidationError("give one of --above, --below and --either, not several")
        }
        guard (low == nil) == (high == nil) else {
            throw ValidationError("--low and --high go together")
        }
        guard levels.isEmpty || low == nil else {
            throw ValidationError("give either --low and --high, or one of --above, --below and --either")
        }
        guard price == nil || !levels.isEmpty || low != nil else {
            throw ValidationError("--price needs --low and --high, or one of --above, --below and --either")
        }
        guard timeZone == nil || hours != nil || days != nil else {
            throw ValidationError("--time-zone needs --hours or --days")
        }
        guard !once || (cooldown == nil && hysteresis == nil) else {
            throw ValidationError("--once goes with neither --cooldown nor --hysteresis")
        }
        guard rule == nil || isEmptyBesideRule else {
            throw ValidationError("give either --rule JSON or the other flags")
        }
    }

    /// Whether nothing was given.
    var isEmpty: Bool { rule == nil && isEmptyBesideRule }

    private var isEmptyBesideRule: Bool {
        let texts = [
            instrument, price, above, below, either, low, high, cooldown, hysteresis, sustain, expires,
            hours, days, timeZone, note, priority,
        ]
        return texts.allSatisfy { $0 == nil } && !once && !whenAlready && tags.isEmpty && channels.isEmpty
    }

    /// The fields as JSON, for the one reader that knows what is right.
    ///
    /// - Throws: ``CommandFailure`` for what is no JSON.
    var json: JSONValue {
        get throws {
            guard let rule else { return .object(fields) }
            do throws(FieldFault) {
                return try RuleLines.rule(Array(rule.utf8))
            } catch {
                throw CommandFailure(.failed, error.description)
            }
        }
    }

    private var fields: JSONObject {
        var fields: JSONObject = [:]
        fields["instrument"] = Self.text(instrument)
        if let (crosses, level) = crossing {
            fields["condition"] = .object([
                "price": .string(price ?? "last"), "crosses": .string(crosses), "level": .string(level),
            ])
        }
        if let low, let high {
            let band: JSONObject = ["low": .string(low), "high": .string(high)]
            fields["condition"] = .object(["price": .string(price ?? "last"), "leaves": .object(band)])
        }
        fields["repeat"] = repetition
        if whenAlready { fields["when_already"] = .bool(true) }
        fields["for"] = Self.text(sustain)
        fields["expires"] = Self.text(expires)
        if hours != nil || days != nil {
            var active: JSONObject = [:]
            active["hours"] = Self.text(hours)
            active["days"] = Self.list(days.map { $0.split(separator: ",").map(String.init) } ?? [])
            active["time_zone"] = Self.text(timeZone)
            fields["active"] = .object(active)
        }
        fields["note"] = Self.text(note)
        fields["tags"] = Self.list(tags)
        fields["channels"] = Self.list(channels)
        fields["priority"] = Self.text(priority)
        return fields
    }

    private var repetition: JSONValue? {
        guard !once else { return .string("once") }
        guard cooldown != nil || hysteresis != nil else { return nil }
        var recurring: JSONObject = [:]
        recurring["cooldown"] = Self.text(cooldown)
        recurring["hysteresis"] = Self.text(hysteresis)
        return .object(recurring)
    }

    private var crossing: (String, String)? {
        if let above { return ("above", above) }
        if let below { return ("below", below) }
        return either.map { ("either", $0) }
    }

    private static func text(_ value: String?) -> JSONValue? { value.map { .string($0) } }

    private static func list(_ values: [String]) -> JSONValue? {
        values.isEmpty ? nil : .array(values.map { .string($0) })
    }
}
