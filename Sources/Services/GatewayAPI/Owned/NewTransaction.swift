import GatewayFrame
import Instruments
import JSON
import LedgerFiles
import Portfolio
import Shapes

/// A transaction as a client sends it, which the reader of our own files reads.
struct NewTransaction: WireInput {
    static let shape = InputShape(
        BodyDocument(
            "NewTransaction",
            "The columns of our own files. Amounts are decimals as strings; numbers are refused.",
            isOpen: false, fields),
        reading: { (json) throws(InputFault) in try NewTransaction(reading: json) })

    private static let fields = [
        FieldDocument(
            "time", .time, "With its zone; of up to nine places of a second.", example: "2026-01-02T00:00:00Z"
        ),
        FieldDocument("kind", .words(TransactionKind.allCases.map(\.rawValue)), example: "buy"),
        FieldDocument("wallet", .text(length: 1...128), "Where it happens.", example: "Cold"),
        optional("to_wallet", .text(length: 0...128), "Where a transfer goes; of no other kind."),
        FieldDocument("asset", .text(length: 1...64), example: "BTC"),
        FieldDocument("amount", .decimal, "Above zero, in the asset's own unit.", example: "0.25"),
        optional(
            "counter_asset", .text(length: 0...64),
            "What it is exchanged or valued in; the portfolio's currency where it is no exchange.",
            example: "USD"),
        optional(
            "counter_amount", .decimal, "Not negative, in the counter asset's own unit.", example: "15000"),
        optional("fee_asset", .text(length: 0...64)),
        optional("fee_amount", .decimal, "Not negative, in the fee asset's own unit."),
        optional(
            "external_id", .text(length: 0...512),
            "As its source names it: a second transaction with it and the same content is not added."),
        optional("note", .text(length: 0...4_096)),
        optional("price_source", .text(length: 0...512), "Where the counter amount comes from, in words."),
        optional("tags", .array(.text(length: 1...64), 0...64), "Words to find it by."),
        optional(
            "lots", .array(.text(), 0...4_096),
            "From which lots a disposal takes, each external_id=amount; the rule's unless said otherwise."),
    ]

    private static func optional(
        _ name: String, _ schema: Schema, _ text: String = "", example: DocumentNode? = nil
    ) -> FieldDocument {
        FieldDocument(name, schema, text, example: example, isRequired: false)
    }

    /// As it was sent.
    private let json: JSONValue

    /// Takes an object whose amounts are texts; the rest is read with the portfolio's currency.
    private init(reading json: JSONValue) throws(InputFault) {
        guard case .object(let members) = json else {
            throw .refused(FieldFault("", json.excerpt, accepted: "one transaction, an object"))
        }
        for field in ["amount", "counter_amount", "fee_amount"] {
            try Self.checkAmount(members[field], field)
        }
        self.json = json
    }

    /// Amounts are texts here, though our files take bare numbers, too: most clients have rounded a number
    /// before it leaves them.
    private static func checkAmount(_ value: JSONValue?, _ field: String) throws(InputFault) {
        switch value {
        case .number: break
        case .string(let text):
            guard text.contains(where: \.isWhitespace) else { return }
        default: return
        }
        throw .refused(
            FieldFault(
                field, value?.excerpt, accepted: "a decimal in quotes, without blanks, such as \"0.1\""))
    }

    /// What it says; `base` is the currency of a value whose `counter_asset` is missing.
    ///
    /// - Throws: `invalid-field`.
    func transaction(base: Asset) throws(Problem) -> Transaction {
        do {
            return try LedgerJSON.read([0x5B] + json.bytes + [0x5D], base: base).transactions[0]
        } catch {
            throw Problem(ofTransaction: error)
        }
    }
}

extension Problem {
    /// What is wrong with a transaction that came by itself: no line of a file.
    fileprivate init(ofTransaction fault: FileFault) {
        let name = fault.field.isEmpty ? "body" : fault.field
        self.init(.invalidField, "\(name): \(fault.reason)")
        field = name
        accepted = Self.acceptedInTransaction(fault.field)
    }

    private static func acceptedInTransaction(_ field: String) -> String? {
        switch field {
        case "time": "a time with its zone, such as \"2026-01-31T12:00:00Z\""
        case "kind": TransactionKind.allCases.map(\.rawValue).joined(separator: ", ")
        case "amount", "counter_amount", "fee_amount":
            "a decimal in quotes, not negative, with at most 120 digits on each side of the point"
        case "asset", "counter_asset", "fee_asset": "the name of an asset, such as \"BTC\""
        case "wallet", "to_wallet": "the name of a wallet"
        default: nil
        }
    }
}
