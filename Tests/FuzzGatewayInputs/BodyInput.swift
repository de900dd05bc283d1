import Accounts
import Instruments
import JSON
import LedgerFiles
import Portfolio

@testable import GatewayAPI

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
        readThings(json, bytes)
        _ = try? JSONInput.value(AnyField.self, from: json)
    }

    private static func depth(of json: JSONValue) -> Int {
        switch json {
        case .array(let values): 1 + (values.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.map { depth(of: $0.value) }.max() ?? 0)
        default: 0
        }
    }

    private static func readAccount(_ json: JSONValue) {
        _ = try? JSONInput.value(NewPasskeyBody.self, from: json)
        _ = try? JSONInput.value(ProofBody.self, from: json)
        if let body = try? JSONInput.value(PasskeyBody.self, from: json) {
            _ = try? PasskeyBody.bytes(body.response.signature, "signature")
        }
        if let body = try? JSONInput.value(SettingsBody.self, from: json) {
            var settings = UserSettings()
            try? body.apply(to: &settings)
        }
    }

    private static func readThings(_ json: JSONValue, _ bytes: [UInt8]) {
        if let body = try? JSONInput.value(LotSettingsBody.self, from: json) { _ = try? body.changes() }
        if let body = try? JSONInput.value(NewChannel.self, from: json) { _ = try? body.wish(body.secrets) }
        _ = try? JSONInput.value(ChannelChange.self, from: json)
        let base = Asset(rawValue: "USD")
        if let body = try? JSONInput.value(ImportBody.self, from: json) { _ = try? body.file(base: base) }
        let context = BlankRequest.context(body: bytes)
        if let object = try? Gateway.transactionBody(context),
            let row = try? Gateway.transaction(object, base: base)
        {
            precondition(!row.subject.amount.isNegative, "a transaction of less than nothing")
        }
    }
}

/// A field of each kind that a body can have.
private struct AnyField: Decodable {
    var text: String?
    var flag: Bool?
    var whole: Int?
    var tiny: Int8?
    var small: Int16?
    var middle: Int32?
    var large: Int64?
    var count: UInt?
    var byte: UInt8?
    var port: UInt16?
    var word: UInt32?
    var mask: UInt64?
    var binary: Double?
    var half: Float?
    var json: JSONValue?
    var texts: [String]?
    var numbers: [String: Double]?
    var inner: [AnyField]?
}
