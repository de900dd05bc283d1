import AccountStore
import Accounts
import Alerting
import Instruments
import JSON
import LedgerFiles
import Portfolio
import Shapes
import Store

@testable import GatewayAPI
@testable import GatewayFrame

/// Bodies of requests.
///
/// What is read as JSON is the same after it was written and read again, within the bound of its depth; then
/// every type of a body that can be named from here reads it, and one with a field of each kind.
enum BodyInput {
    static func read(_ bytes: [UInt8]) {
        guard let json = try? JSONInput.read(bytes) else { return }
        precondition((try? JSONInput.read(json.sortedBytes)) == json, "JSON changed on its way")
        precondition(depth(of: json) <= JSONInput.depthLimit, "JSON is deeper than its bound")
        readAccount(json)
        readThings(json)
        if let body = try? AnyField(json) {
            precondition((body.text?.count ?? 0) <= 64 && abs(body.few) <= 3, "a body beyond its limits")
        }
    }

    private static func depth(of json: JSONValue) -> Int {
        switch json {
        case .array(let values): 1 + (values.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.map { depth(of: $0.value) }.max() ?? 0)
        default: 0
        }
    }

    private static func readAccount(_ json: JSONValue) {
        if let body = try? NewPasskey(json) { checkBytes(body.response.attestationObject) }
        _ = try? ProofBody(json)
        if let body = try? PasskeyBody(json) { checkBytes(body.response.signature) }
        if let body = try? SettingsChange(json) {
            var settings = UserSettings()
            try? body.apply(to: &settings)
        }
    }

    /// What a passkey says is something, and bounded.
    private static func checkBytes(_ bytes: [UInt8]) {
        precondition((1...49_152).contains(bytes.count), "\(bytes.count) bytes of a passkey")
    }

    private static func readThings(_ json: JSONValue) {
        if let body = try? NewLotSettings(json) { _ = body.changes }
        let terminal = Identity(
            user: .localOperator, role: .operator, scopes: Scope.all(of: .operator), credential: .terminal)
        if let body = try? NewChannel(json) { _ = try? body.wish(body.secrets, by: terminal) }
        _ = try? ChannelChange(json)
        if let body = try? RuleSelection(json) { _ = try? body.keys() }
        let rule = RuleID(uuid: 0, 1)
        if let body = try? NewRule(json) { _ = try? body.rule(rule) }
        if let body = try? RuleImport(json) { _ = try? body.read(body.rules.map { _ in rule }) }
        let base = Asset(rawValue: "USD")
        if let body = try? ImportFile(json) { _ = try? body.read(base: base) }
        if let body = try? NewTransaction(json), let row = try? body.transaction(base: base) {
            precondition(!row.subject.amount.isNegative, "a transaction of less than nothing")
        }
    }
}

/// A field of each kind that a body can have.
private struct AnyField: WireInput {
    static let shape = InputShape(
        "AnyField", Self.init(text:flag:whole:few:binary:time:id:instrument:json:texts:numbers:inner:cleared:)
    ) {
        InputField("text", .optional(.text(length: 0...64)))
        InputField("flag", .optional(.flag))
        InputField("whole", .optional(.integer))
        InputField("few", .integer(in: -3...3).otherwise(0, 0))
        InputField("binary", .optional(.number))
        InputField("time", .optional(.time))
        InputField("id", .optional(.id))
        InputField("instrument", .optional(.instrument))
        InputField("json", .optional(.any()))
        InputField("texts", .optional(.list(.text, count: 0...9)))
        InputField("numbers", .optional(.members(of: .number)))
        InputField("inner", .optional(.list(.object(AnyField.self))))
        InputField("cleared", .clearable(.text))
    }

    var text: String?
    var flag: Bool?
    var whole: Int?
    var few: Int
    var binary: Double?
    var time: Timestamp?
    var id: UniqueID?
    var instrument: InstrumentID?
    var json: JSONValue?
    var texts: [String]?
    var numbers: [String: Double]?
    var inner: [AnyField]?
    var cleared: String??
}
