import AccountStore
import Accounts
import GatewayFrame
import Instruments
import JSON
import LedgerFiles
import Portfolio
import PortfolioStore
import Shapes
import Store

private struct NewTargets: WireInput {
    static let shape = InputShape("NewTargets", Self.init(targets:)) {
        InputField(
            "targets", .list(.object(NewTarget.self)),
            "Each asset once; what they leave of the whole is wanted in the base currency.",
            example: [["asset": "BTC", "share": "0.5"]])
    }

    var targets: [NewTarget]
}

private struct NewTarget: WireInput {
    static let shape = InputShape("NewTarget", Self.init(asset:share:)) {
        InputField("asset", .text, example: "BTC")
        InputField("share", share, "Of the whole, above 0 and at most 1.", example: "0.5")
    }

    private static let share = InputKind.text.documented(.decimal).map(
        accepted: "a share above 0 and at most 1"
    ) { try? Amount(parsing: $0) }

    var asset: String
    var share: Amount
}

/// Transactions that somebody thinks of, as our own files have them.
private struct WhatIfTransactions: WireInput {
    static let shape = InputShape("WhatIfTransactions", Self.init(rows:)) {
        InputField("transactions", rows)
    }

    private static let rows = InputKind<[JSONValue]>(
        .array(.body(NewTransaction.self), 1...Int.max), accepted: "an array of one or more transactions"
    ) { json in
        guard case .array(let rows) = json, !rows.isEmpty else { return nil }
        return rows
    }

    var rows: [JSONValue]
}

/// What is wanted, and what would restore it.
private struct TargetsBody: WireBody {
    static let shape = BodyShape<TargetsBody>("Targets") {
        Field("targets", \.targets)
        Field("rebalancing", \.rebalancing, "Null without targets, and while a price is missing.")
        Field("missing_prices", \.missingPrices, "Assets that are held or wanted.", example: ["BTC"])
    }

    var targets: [PortfolioSettings.Target]
    var rebalancing: Rebalancing?
    var missingPrices: [String]
}

extension Gateway {
    private static let fee = Parameter(
        "fee", "Part of a trade's value that is paid as a fee.", Schema.decimal.with(default: "0"),
        example: "0.001"
    ) { (query) throws(Problem) in
        let fee = try query.amount("fee")
        guard fee < .one else {
            throw .invalid("fee", fee.description, accepted: "a decimal below 1, such as 0.001")
        }
        return fee
    }
    private static let minimum = Parameter(
        "minimum", "Trades below this value are left out.", Schema.decimal.with(default: "0"), example: "10"
    ) { (query) throws(Problem) in try query.amount("minimum") }
    private static let tolerance = Parameter(
        "tolerance", "Assets that drift no further are left alone.", Schema.decimal.with(default: "0"),
        example: "0.02"
    ) { (query) throws(Problem) in try query.amount("tolerance") }

    func addPlanRoutes(to routes: RouteTable) {
        let start = "/v1/portfolios/{id}"
        let limits: [any QueryParameter] = [Self.fee, Self.minimum, Self.tolerance]
        routes.get(
            "\(start)/targets", .scope(.portfolioRead),
            Operation(
                "targets", .portfolios,
                "The shares that are wanted, how far holdings are from them, and the trades that restore "
                    + "them.",
                problems: [.conflict]), weight: 5, query: limits
        ) { context in try await targets(context) }
        routes.put(
            "\(start)/targets", .scope(.portfolioWrite),
            Operation(
                "setTargets", .portfolios, "Replaces the shares that are wanted.", problems: [.conflict]),
            query: limits
        ) { (body: NewTargets, context) in
            let id = try context.portfolioID()
            let shares = try Self.shares(body.targets)
            try await own(context) { try $0.setTargets(shares, of: id, of: $1) }
            return try await targets(context)
        }
        routes.post(
            "\(start)/what-if", .scope(.portfolioRead),
            Operation(
                "whatIf", .portfolios, "What transactions would change, with nothing stored.",
                problems: [.conflict]), weight: 10
        ) { (body: WhatIfTransactions, context) in
            OK(try Self.whatIf(body.rows, try await ledger(context)))
        }
    }

    private static func shares(_ targets: [NewTarget]) throws(Problem) -> [Asset: Amount] {
        var shares: [Asset: Amount] = [:]
        for (index, target) in targets.enumerated() {
            guard shares.updateValue(target.share, forKey: Asset(rawValue: target.asset)) == nil else {
                throw .invalid("targets[\(index)].asset", target.asset, accepted: "each asset once")
            }
        }
        return shares
    }

    private static func whatIf(_ rows: [JSONValue], _ loaded: LoadedLedger) throws(Problem) -> WhatIf {
        let added: ImportedLedger
        do throws(FileFault) {
            added = try LedgerJSON.read(JSONValue.array(rows).sortedBytes, base: loaded.report.base)
        } catch {
            throw Problem(error, field: "transactions")
        }
        do throws(LedgerError) {
            return try WhatIf(
                loaded.report, adding: added.transactions, policy: loaded.policy, prices: loaded.prices)
        } catch {
            let what =
                error.index < 0
                ? "a transaction that is there already would not fit any more"
                : "transactions[\(error.index)] would not fit"
            throw Problem(.conflict, "\(what): \(error)")
        }
    }

    /// The shares that are wanted, how far holdings are from them, and the fewest trades that restore them.
    private func targets(_ context: GatewayContext) async throws -> OK<TargetsBody> {
        var limits = Rebalancing.Limits()
        limits.feeRate = try context.query[Self.fee]
        limits.minimumValue = try context.query[Self.minimum]
        limits.tolerance = try context.query[Self.tolerance]
        let id = try context.portfolioID()
        let rows = try await own(context) { session, user in
            _ = try session.portfolio(id, of: user)
            return try session.targets(of: id, by: user)
        }
        let wanted = Dictionary(rows.map { ($0.asset, $0.share) }, uniquingKeysWith: { first, _ in first })
        let loaded = try await ledger(context)
        let valuation = loaded.valuation
        // Without every price nobody knows the whole that shares are of.
        let result =
            rows.isEmpty || !valuation.missingPrices.isEmpty
            ? nil : Rebalancing(valuation, targets: wanted, prices: loaded.prices, limits: limits)
        return OK(
            TargetsBody(
                targets: rows.map { PortfolioSettings.Target(asset: $0.asset, share: $0.share) },
                rebalancing: result.flatMap { $0.missingPrices.isEmpty ? $0 : nil },
                missingPrices: (result?.missingPrices ?? valuation.missingPrices).map(\.rawValue)))
    }
}

extension RequestQuery {
    /// A decimal of 0 or more; 0 when it is missing.
    ///
    /// - Throws: `invalid-field`.
    fileprivate func amount(_ name: String) throws(Problem) -> Amount {
        guard let text = try text(name) else { return .zero }
        guard let amount = try? Amount(parsing: text), !amount.isNegative else {
            throw .invalid(name, text, accepted: "a decimal of 0 or more, such as 0.001")
        }
        return amount
    }
}
