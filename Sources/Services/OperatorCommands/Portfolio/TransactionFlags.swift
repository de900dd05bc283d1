import ArgumentParser
import JSON

/// The fields of a transaction, each as the column of our files has it.
///
/// An amount takes what follows as it is, so that a negative one is answered as such.
struct TransactionFlags: ParsableArguments {
    @Option(help: "When, such as 2024-12-31T12:00:00Z. Default: now.") var time: String?
    @Option(help: "buy, sell, swap, deposit, withdrawal, transfer, fee, staking, …") var kind: String?
    @Option(help: "Where the asset is.") var wallet: String?
    @Option(help: "Where a transfer goes.") var toWallet: String?
    @Option(help: "What is bought, sold, given or received, such as BTC.") var asset: String?
    @Option(parsing: .unconditional, help: "How much of it, a plain decimal.") var amount: String?
    @Option(help: "What was given or got for it, such as USD.") var counterAsset: String?
    @Option(parsing: .unconditional, help: "How much of that; of a receipt its fair value or basis.")
    var counterAmount: String?
    @Option(help: "What the fee was paid in.") var feeAsset: String?
    @Option(parsing: .unconditional, help: "The fee.") var feeAmount: String?
    @Option(help: "The source's own name for it, unique in the portfolio.") var externalID: String?
    @Option(help: "Anything.") var note: String?
    @Option(help: "Where its prices are from.") var priceSource: String?
    @Option(help: "Words to find it by, joined by semicolons.") var tags: String?
    @Option(help: "Lots that a disposal takes: external_id=amount, joined by semicolons.") var lots: String?
    @Flag(help: "Take an asset that no market of this installation trades.") var newAsset = false

    private static let lists = ["tags", "lots"]

    private var given: [(String, String?)] {
        [
            ("time", time), ("kind", kind), ("wallet", wallet), ("to_wallet", toWallet), ("asset", asset),
            ("amount", amount), ("counter_asset", counterAsset), ("counter_amount", counterAmount),
            ("fee_asset", feeAsset), ("fee_amount", feeAmount), ("external_id", externalID), ("note", note),
            ("price_source", priceSource), ("tags", tags), ("lots", lots),
        ]
    }

    var isEmpty: Bool { given.allSatisfy { $0.1 == nil } }

    /// The transaction that the flags make of one with these fields, as the gateway takes it.
    func body(over known: [String: String]) -> JSONValue {
        var members: JSONObject = [:]
        for (name, value) in given {
            guard let text = value ?? known[name], !text.isEmpty else { continue }
            let parts = text.split(separator: ";").map { JSONValue.string(String($0)) }
            members[name] = Self.lists.contains(name) ? .array(parts) : .string(text)
        }
        return .object(members)
    }

    /// The fields of a stored transaction, in the form of the flags.
    func fields(of row: JSONValue) -> [String: String] {
        var fields: [String: String] = [:]
        for (name, _) in given { fields[name] = row.text(name) }
        fields["tags"] = row.texts("tags", joinedBy: ";")
        fields["lots"] = (row["lots"]?.elements ?? [])
            .map { "\($0.text("external_id"))=\($0.text("amount"))" }.joined(separator: ";")
        return fields
    }

    /// Sends a transaction with the query that the flags make; a refusal names a flag.
    func sent(_ send: ([(String, String?)]) async throws -> JSONValue) async throws -> JSONValue {
        do {
            return try await send([("new_asset", newAsset ? "true" : nil)])
        } catch let failure as CommandFailure {
            throw failure.saying("--new-asset", for: "?new_asset=true")
        }
    }
}
