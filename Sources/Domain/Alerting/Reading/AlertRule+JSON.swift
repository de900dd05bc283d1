public import Instruments
import JSON

extension AlertRule {
    /// Reads a rule in the form of import and export: one JSON object.
    ///
    /// - Throws: ``FieldFault`` naming the field, what was given and what is accepted.
    public init(json text: String) throws(FieldFault) { try self.init(json: Array(text.utf8)) }

    /// Reads a rule in the form of import and export: one JSON object.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8.
    ///   - id: What the rule is called when the object has no `id`; without it that is a fault.
    ///   - saying: What venues say of derivatives; `nil` for a rule that was taken before.
    ///   - conditions: The kinds of conditions that it may have.
    /// - Throws: ``FieldFault`` naming the field, what was given and what is accepted.
    public init(
        json bytes: [UInt8], id: RuleID? = nil, saying: SaidFigures? = nil,
        conditions: ConditionCatalogue = .standard
    ) throws(FieldFault) {
        try self.init(try AlertRule.node(bytes), id: id, saying: saying, conditions)
    }

    /// The rule with the fields of a JSON object in place of its own, and without those that are null there.
    ///
    /// Only whole fields of the outer object: a condition is replaced, not mixed.
    ///
    /// - Parameters:
    ///   - patch: UTF-8.
    ///   - saying: As for ``init(json:id:saying:conditions:)``.
    /// - Returns: The rule as it is to be.
    /// - Throws: ``FieldFault`` naming the field, what was given and what is accepted; a change of `id` is
    ///   one.
    public func merging(json patch: [UInt8], saying: SaidFigures? = nil) throws(FieldFault) -> AlertRule {
        guard case .object(let changes) = try AlertRule.node(patch),
            case .object(var members) = try AlertRule.node(Array(json.utf8))
        else { throw FieldFault("", "no object", accepted: "a JSON object") }
        for change in changes { members[change.key] = change.value }
        let merged = try AlertRule(.object(members), id: nil, saying: saying, .standard)
        guard merged.id == id else {
            throw FieldFault("id", "\"\(merged.id)\"", accepted: "the id that it has, \(id)")
        }
        return merged
    }

    private static func node(_ bytes: [UInt8]) throws(FieldFault) -> JSONValue {
        do throws(JSONFault) {
            return try JSONValue(bytes[...], depthLimit: 16)
        } catch {
            throw FieldFault(
                "", "no JSON at byte \(error.place.offset) (\(error.reason))",
                accepted: "a JSON object")
        }
    }

    private init(
        _ node: JSONValue, id fallback: RuleID?, saying: SaidFigures?, _ conditions: ConditionCatalogue
    ) throws(FieldFault) {
        var fields = try FieldReader(node, path: "", accepted: "a JSON object")
        let words = "a text of 1...128 bytes without control characters"
        let given = try fields.text("id", words)
        guard let id = given.map({ RuleID($0) }) ?? fallback else { throw fields.fault("id", words) }
        guard let shape = fields.node("condition") else {
            throw fields.fault("condition", conditions.accepted)
        }
        let condition = try conditions.read(shape)
        let instrument = try AlertRule.instrument(&fields, of: condition, saying: saying)
        self.init(id: id, instrument: instrument, condition: condition)
        repetition = try AlertRule.repetition(&fields, of: condition)
        whenAlready = try fields.flag("when_already") ?? false
        expires = try AlertRule.instant(&fields, "expires")
        sustain = try fields.duration("for", 1...7 * RuleDuration.day) ?? 0
        active = try AlertRule.activeHours(&fields)
        note = try fields.text("note", "a text") ?? ""
        guard note.utf8.count <= 1_024 else { throw fields.fault("note", "a text of at most 1024 bytes") }
        tags = try fields.texts("tags")
        channels = try fields.texts("channels")
        priority = try fields.choice("priority", AlertPriority.self) ?? .normal
        try fields.finish()
        guard condition.hasLevel || (!whenAlready && sustain == 0) else {
            throw fields.fault(
                whenAlready ? "when_already" : "for",
                "nothing: only a condition with a level or a band can have it")
        }
    }

    private static func instrument(
        _ fields: inout FieldReader, of condition: AlertCondition, saying: SaidFigures?
    ) throws(FieldFault) -> InstrumentID? {
        let accepted = "<venue>:<symbol> such as \"binance-usdm:BTCUSDT\""
        let text = try fields.text("instrument", accepted)
        guard condition.needsInstrument else {
            guard text == nil else { throw fields.fault("instrument", "none for this condition") }
            return nil
        }
        guard let instrument = text.flatMap({ InstrumentID($0) }) else {
            throw fields.fault("instrument", accepted)
        }
        if instrument.venue == .index, condition.price != .index {
            throw fields.fault("instrument", "a venue's instrument: of an index only its price is known")
        }
        if let saying { try saying.check(condition, of: instrument.venue) }
        return instrument
    }

    private static func repetition(
        _ fields: inout FieldReader, of condition: AlertCondition
    ) throws(FieldFault) -> Repetition {
        guard let node = fields.node("repeat"), node != .string("once") else { return .once }
        guard case .object = node else {
            throw fields.fault("repeat", "\"once\" or {\"cooldown\": \"1h\", \"hysteresis\": \"10\"}")
        }
        var inner = try FieldReader(node, path: "repeat", accepted: "an object")
        let cooldown = try inner.duration("cooldown", 0...365 * RuleDuration.day) ?? Repetition.hour
        let accepted = "a decimal of 0 or more"
        let hysteresis =
            try inner.decimal("hysteresis", accepted) ?? DecimalNumber(units: 0, scale: .zero)
        guard hysteresis.units >= 0 else { throw inner.fault("hysteresis", accepted) }
        guard hysteresis.units == 0 || condition.hasLevel else {
            throw inner.fault("hysteresis", "none for this condition: it has no level to move back from")
        }
        try inner.finish()
        return .recurring(cooldown: cooldown, hysteresis: hysteresis)
    }

    private static func instant(_ fields: inout FieldReader, _ key: String) throws(FieldFault) -> Timestamp? {
        let accepted = "an instant in UTC such as \"2026-12-31T00:00:00Z\""
        guard let text = try fields.text(key, accepted) else { return nil }
        guard let time = Timestamp(iso8601: text) else { throw fields.fault(key, accepted) }
        return time
    }

    private static func activeHours(_ fields: inout FieldReader) throws(FieldFault) -> ActiveHours? {
        guard let node = fields.node("active") else { return nil }
        var inner = try FieldReader(
            node, path: "active", accepted: "an object of \"hours\", \"days\" and \"time_zone\"")
        var active = ActiveHours()
        if let text = try inner.text("hours", ActiveHours.hoursForm) {
            guard let hours = ActiveHours.hours(text) else {
                throw inner.fault("hours", ActiveHours.hoursForm)
            }
            active.from = hours.from
            active.to = hours.to
        }
        let days = try inner.texts("days")
        if !days.isEmpty {
            active.days = 0
            for day in days {
                guard let place = ActiveHours.dayNames.firstIndex(of: day) else {
                    throw inner.fault("days", "of \(ActiveHours.dayNames.joined(separator: ", "))")
                }
                active.days |= 1 << UInt8(place)
            }
        }
        active.timeZone = try inner.text("time_zone", "a name such as \"Europe/Berlin\"") ?? "UTC"
        try inner.finish()
        return active
    }
}

extension ActiveHours {
    static let dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    static let hoursForm = "two times of day such as \"08:00-22:00\", not the same"

    /// Reads `08:00-22:00`; the end may be midnight, as `24:00` or as `00:00`.
    static func hours(_ text: String) -> (from: Int, to: Int)? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let from = minutes(parts[0]), let to = minutes(parts[1]), from != to,
            from < 1_440
        else { return nil }
        return (from, to == 0 ? 1_440 : to)
    }

    static func clock(_ minutes: Int) -> String {
        let hour = minutes / 60
        let minute = minutes % 60
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60, hour * 60 + minute <= 1_440
        else { return nil }
        return hour * 60 + minute
    }
}
