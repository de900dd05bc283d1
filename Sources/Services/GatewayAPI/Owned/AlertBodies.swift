import AlertStore
import Alerting
import GatewayFrame
import Instruments
import JSON
import Shapes
import Store
import Venues

/// A rule that somebody makes, as they say it: `Alerting` reads it, and refuses in its own words.
struct NewRule: WireInput {
    static let shape = InputShape(
        BodyDocument("NewRule", "A rule in the form of an export.", isOpen: false, RuleForm.new)
    ) { (json) throws(InputFault) in NewRule(json: try json.ruleObject()) }

    var json: JSONValue

    /// The rule, by a name of ours unless its own is a UUID.
    ///
    /// - Throws: `invalid-field`.
    func rule(_ id: RuleID) throws(Problem) -> AlertRule { try Self.rule(json.bytes, id) }

    /// The rule in these bytes, which stand at a place of a body such as `rules[0].`.
    ///
    /// - Throws: `invalid-field`.
    static func rule(_ bytes: [UInt8], _ id: RuleID, at place: String = "") throws(Problem) -> AlertRule {
        do {
            return try AlertRule(json: bytes, id: id, saying: VenueCatalogue.standard.saidFigures)
                .withKey(id)
        } catch {
            var fault = error
            fault.field = place + fault.field
            throw Problem(fault)
        }
    }
}

/// What is to be different about a rule.
struct RuleChange: WireInput {
    static let shape = InputShape(
        BodyDocument(
            "RuleChange", "Fields in place of those that the rule has; one that is null goes.", isOpen: false,
            example: ["note": "take profit"], RuleForm.change)
    ) { (json) throws(InputFault) in RuleChange(json: try json.ruleObject()) }

    var json: JSONValue

    func applied(to rule: AlertRule) throws(FieldFault) -> AlertRule {
        try rule.merging(json: json.bytes, saying: VenueCatalogue.standard.saidFigures)
    }
}

extension JSONValue {
    /// Itself, as a rule or a part of one.
    fileprivate func ruleObject() throws(InputFault) -> JSONValue {
        guard case .object = self else {
            throw .refused(FieldFault("", nil, accepted: "one object in the form of an export"))
        }
        return self
    }
}

/// Rules that are made together.
struct RuleImport: WireInput {
    static let shape = InputShape("RuleImport", Self.init(rules:isEnabled:)) {
        InputField("rules", rules, "All of them are made, or none.")
        InputField("enabled", .flag.otherwise(true, true), "Whether they are switched on.")
    }

    private static let rules = InputKind<[JSONValue]>(
        .array(.body(NewRule.self), 1...1_000), accepted: "an array of 1...1000 rules"
    ) { json in
        guard case .array(let rules) = json, (1...1_000).contains(rules.count) else { return nil }
        return rules
    }

    var rules: [JSONValue]
    var isEnabled: Bool

    /// The rules under new names unless their own are UUIDs.
    ///
    /// - Throws: `invalid-field` with the place of the first that is refused.
    func read(_ ids: [RuleID]) throws(Problem) -> [AlertRule] {
        var read: [AlertRule] = []
        for (index, id) in ids.enumerated() {
            read.append(try NewRule.rule(rules[index].sortedBytes, id, at: "rules[\(index)]."))
        }
        return read
    }
}

/// All rules of a user.
struct RuleExport: WireBody {
    static let shape = BodyShape<RuleExport>("RuleExport") { Field("rules", \.rules) }

    var rules: [WrittenJSON<RuleForm>]
}

/// Rules that are changed together.
struct RuleSelection: WireInput {
    static let shape = InputShape("RuleSelection", Self.init(ids:name:change:version:)) {
        InputField("ids", ids, "All of them are changed, or none.", example: [.text(Schema.sampleID)])
        InputField("action", .choice(AlertAction.Name.self), example: "disable")
        InputField(
            "change", .optional(.object(RuleChange.self)), "What is to be different; with \"edit\" only.")
        InputField(
            "version", .optional(.integer(in: 1...Int.max)),
            "Only if this version of each is in force; with \"edit\" only.")
    }

    // A text that names no rule is a rule that is not there.
    private static let ids = InputKind.list(.text)
        .map(accepted: "1...500 ids") { (1...500).contains($0.count) ? $0 : nil }
        .documented(.array(.text(), 1...500))

    var ids: [String]
    var action: AlertAction

    private init(
        ids: [String], name: AlertAction.Name, change: RuleChange?, version: Int?
    ) throws(InputFault) {
        self.ids = ids
        action = try AlertAction(name, change, expecting: version)
    }

    /// Each of them once.
    ///
    /// - Throws: `not-found` for what is no key.
    func keys() throws(Problem) -> [UniqueID] {
        var keys: [UniqueID] = []
        for text in ids {
            guard let key = UniqueID(text.lowercased()) else { throw .notFound("rule \(text.prefix(60))") }
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}

/// What can be done to several rules at once.
enum AlertAction: Sendable {
    case enable, disable, delete
    /// With the version that must be in force; `nil` for any.
    case edit(RuleChange, expecting: Int64?)

    /// As a body says it.
    enum Name: String, CaseIterable, Sendable {
        case enable, disable, delete, edit
    }

    /// - Throws: For a field that is missing, or that nobody would look at.
    fileprivate init(_ name: Name, _ change: RuleChange?, expecting version: Int?) throws(InputFault) {
        switch (name, change) {
        case (.edit, let change?):
            self = .edit(change, expecting: version.map { Int64($0) })
            return
        case (.edit, nil): throw .refused(FieldFault("change", nil, accepted: "an object"))
        case (.enable, nil): self = .enable
        case (.disable, nil): self = .disable
        case (.delete, nil): self = .delete
        case (.enable, _), (.disable, _), (.delete, _):
            throw .refused(FieldFault("change", "an object", accepted: "none but with \"edit\""))
        }
        if let version {
            throw .refused(FieldFault("version", "\(version)", accepted: "none but with \"edit\""))
        }
    }
}

/// What a rule can be.
enum AlertState: String, CaseIterable, Sendable {
    case armed, disabled, done
}
