import AccountStore
import Accounts
import Hummingbird
import Instruments
import JSON
import LedgerFiles
import Portfolio
import PortfolioStore
import Store

extension Gateway {
    func addPlanRoutes(to routes: RouteTable) {
        let start = "/v1/portfolios/{id}"
        routes.get(
            "\(start)/targets", .scope(.portfolioRead), weight: 5, query: ["fee", "minimum", "tolerance"]
        ) { _, context in
            try await targets(context)
        }
        routes.put("\(start)/targets", .scope(.portfolioWrite), query: ["fee", "minimum", "tolerance"]) {
            _, context in
            struct Body: Decodable {
                struct Target: Decodable {
                    var asset: String
                    var share: String
                }
                var targets: [Target]
            }
            let id = try context.portfolioID()
            var wanted: [Asset: Amount] = [:]
            for (index, target) in try context.json(Body.self).targets.enumerated() {
                let place = "targets[\(index)]"
                guard let share = try? Amount(parsing: target.share) else {
                    throw Problem.invalid(
                        "\(place).share", target.share, accepted: "a share above 0 and at most 1")
                }
                guard wanted.updateValue(share, forKey: Asset(rawValue: target.asset)) == nil else {
                    throw Problem.invalid("\(place).asset", target.asset, accepted: "each asset once")
                }
            }
            let shares = wanted
            try await own(context) { try $0.setTargets(shares, of: id, of: $1) }
            return try await targets(context)
        }
        routes.post("\(start)/what-if", .scope(.portfolioRead), weight: 10) { _, context in
            guard case .object(let members) = try JSONInput.read(Array(context.body.readableBytesView)),
                members.count == 1, case .array(let rows)? = members["transactions"], !rows.isEmpty
            else {
                throw Problem.invalid("body", nil, accepted: "{\"transactions\": […]} with one or more")
            }
            let loaded = try await ledger(context)
            let added: ImportedLedger
            do throws(FileFault) {
                added = try LedgerJSON.read(JSONValue.array(rows).sortedBytes, base: loaded.report.base)
            } catch {
                throw Problem(error, field: "transactions")
            }
            let result: WhatIf
            do throws(LedgerError) {
                result = try WhatIf(
                    loaded.report, adding: added.transactions, policy: loaded.policy, prices: loaded.prices)
            } catch {
                let what =
                    error.index < 0
                    ? "a transaction that is there already would not fit any more"
                    : "transactions[\(error.index)] would not fit"
                throw Problem(.conflict, "\(what): \(error)")
            }
            var line = JSONWriter()
            PlanJSON.write(result, to: &line)
            return OwnedAnswer.json(line.bytes)
        }
    }

    /// The shares that are wanted, how far holdings are from them, and the fewest trades that restore them.
    private func targets(_ context: GatewayContext) async throws -> Response {
        var limits = Rebalancing.Limits()
        limits.feeRate = try context.amount("fee")
        guard limits.feeRate < .one else {
            throw Problem.invalid(
                "fee", limits.feeRate.description, accepted: "a decimal below 1, such as 0.001")
        }
        limits.minimumValue = try context.amount("minimum")
        limits.tolerance = try context.amount("tolerance")
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
        return OwnedAnswer.object { line in
            line.list("targets", rows) { row, line in
                line.text("asset", row.asset.rawValue)
                line.amount("share", row.share)
            }
            line.key("rebalancing")
            if let result, result.missingPrices.isEmpty {
                PlanJSON.write(result, to: &line)
            } else {
                line.null()
            }
            line.texts(
                "missing_prices", (result?.missingPrices ?? valuation.missingPrices).map(\.rawValue))
        }
    }
}

extension GatewayContext {
    /// A decimal of 0 or more; 0 when it is missing.
    ///
    /// - Throws: `invalid-field`.
    fileprivate func amount(_ name: String) throws(Problem) -> Amount {
        guard let text = try query.text(name) else { return .zero }
        guard let amount = try? Amount(parsing: text), !amount.isNegative else {
            throw .invalid(name, text, accepted: "a decimal of 0 or more, such as 0.001")
        }
        return amount
    }
}
