import Alerting
import ArgumentParser
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
    var json: [UInt8] {
        if let rule { return Array(rule.utf8) }
        var line = JSONWriter()
        line.beginObject()
        line.given("instrument", instrument)
        if let (crosses, level) = crossing {
            line.key("condition")
            line.beginObject()
            line.given("price", price ?? "last")
            line.given("crosses", crosses)
            line.given("level", level)
            line.endObject()
        }
        if let low, let high {
            line.key("condition")
            line.beginObject()
            line.given("price", price ?? "last")
            line.key("leaves")
            line.beginObject()
            line.given("low", low)
            line.given("high", high)
            line.endObject()
            line.endObject()
        }
        if once { line.given("repeat", "once") }
        if cooldown != nil || hysteresis != nil {
            line.key("repeat")
            line.beginObject()
            line.given("cooldown", cooldown)
            line.given("hysteresis", hysteresis)
            line.endObject()
        }
        if whenAlready {
            line.key("when_already")
            line.bool(true)
        }
        line.given("for", sustain)
        line.given("expires", expires)
        if hours != nil || days != nil {
            line.key("active")
            line.beginObject()
            line.given("hours", hours)
            line.given("days", days.map { $0.split(separator: ",").map(String.init) } ?? [])
            line.given("time_zone", timeZone)
            line.endObject()
        }
        line.given("note", note)
        line.given("tags", tags)
        line.given("channels", channels)
        line.given("priority", priority)
        line.endObject()
        return line.bytes
    }

    private var crossing: (String, String)? {
        if let above { return ("above", above) }
        if let below { return ("below", below) }
        return either.map { ("either", $0) }
    }
}

extension JSONWriter {
    fileprivate mutating func given(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    fileprivate mutating func given(_ name: String, _ values: [String]) {
        guard !values.isEmpty else { return }
        key(name)
        beginArray()
        for value in values { string(value) }
        endArray()
    }
}
