import ArgumentParser
import Instruments
import JSON
package import LedgerFiles
import Portfolio
import Shapes
import Statistics

extension AllocationKey: ExpressibleByArgument {}

struct PortfolioAllocationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocation", abstract: "How the value of what is held is spread.",
        discussion: """
            Categories are currency, stablecoin and coin. A venue is the exchange that a wallet is an \
            account at, by its kind or its name; any other wallet is self custody. Nothing is told while a \
            price is missing.
            """)

    @OptionGroup var options: LedgerOptions
    @Option(help: "asset, wallet, category or venue.") var by = AllocationKey.asset
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let loaded = try await options.load()
        _ = try loaded.wholeValuation()
        let shares = loaded.allocation(by: by)
        let text = MoneyText.rounded(in: loaded.report.base)
        try StandardOutput.say(
            shares, json: json,
            [
                Column(by.rawValue, text: \.name), Column("value", .right) { text.money($0.value) },
                Column("%", .right) { ($0.share * Amount(units: 100)).text(places: 2) },
            ])
    }
}

extension LoadedLedger {
    /// The valuation, with every price.
    ///
    /// - Throws: ``CommandFailure`` naming what has no price.
    func wholeValuation() throws -> Valuation {
        let valuation = valuation
        guard valuation.missingPrices.isEmpty else {
            let names = valuation.missingPrices.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(
                .failed, "no price in \(report.base) of \(names) at \(moment.plain): give it with --prices")
        }
        return valuation
    }
}

struct PortfolioTargetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "target", abstract: "Shows or sets the shares of the whole that you want.",
        discussion: "bitpal portfolio target main BTC=0.5 ETH=0.25: the rest is wanted in the base currency.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Argument(help: "ASSET=SHARE, each above 0 and at most 1; they replace those before.")
    var targets: [String] = []
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let shares = try Self.shares(targets)
        let client = try gateway.client()
        let path = "\(try await client.path(of: portfolio))/targets"
        let answer: JSONValue
        if shares.isEmpty {
            answer = try await client.get(path)
        } else {
            let wanted = shares.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                JSONValue.object([
                    "asset": .string($0.key.rawValue), "share": .string($0.value.description),
                ])
            }
            answer = try await client.send("PUT", path, json: .object(["targets": .array(wanted)]))
        }
        let rows = answer["targets"]?.elements ?? []
        try ItemRows.print(rows, json: json, [.member("asset"), .member("share", .right)])
    }

    static func shares(_ texts: [String]) throws -> [Asset: Amount] {
        var shares: [Asset: Amount] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let share = try? Amount(parsing: parts[1]),
                shares.updateValue(share, forKey: Asset(rawValue: parts[0])) == nil
            else {
                throw CommandFailure(
                    .usage, "a target is \"\(text)\"; write ASSET=SHARE such as BTC=0.5, each asset once")
            }
        }
        return shares
    }
}

struct PortfolioRebalanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebalance",
        abstract: "How far holdings are from their targets, and the fewest trades that restore them.")

    @OptionGroup var options: LedgerOptions
    @Option(help: "ASSET=SHARE; may be given again. Default: the portfolio's targets.")
    var target: [String] = []
    @Option(help: "Part of a trade's value that is paid as a fee, such as 0.001.") var fee = "0"
    @Option(help: "Trades below this value are left out.") var minimum = "0"
    @Option(help: "Assets that drift no further than this share are left alone, such as 0.02.")
    var tolerance = "0"
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        var limits = Rebalancing.Limits()
        limits.feeRate = try Self.amount(fee, "--fee")
        guard limits.feeRate < .one else {
            throw CommandFailure(.usage, "--fee is \"\(fee)\"; it must be below 1, such as 0.001")
        }
        limits.minimumValue = try Self.amount(minimum, "--minimum")
        limits.tolerance = try Self.amount(tolerance, "--tolerance")
        let targets = try await wanted()
        let loaded = try await options.load()
        let result = Rebalancing(
            try loaded.wholeValuation(), targets: targets, prices: loaded.prices, limits: limits)
        guard result.missingPrices.isEmpty else {
            let names = result.missingPrices.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.failed, "no price of \(names): give it with --prices")
        }
        if json { return try StandardOutput.say(lines: [result]) }
        try StandardOutput.say(
            result.drifts, json: false,
            [
                Column("asset", text: \.asset.rawValue), Column("share", .right) { $0.share.text(places: 4) },
                Column("target", .right) { $0.target.text(places: 4) },
                Column("drift", .right) { $0.drift.text(places: 4) },
            ])
        let text = MoneyText.rounded(in: loaded.report.base)
        try StandardOutput.say(
            result.trades, json: false,
            [
                Column("trade") { $0.isBuy ? "buy" : "sell" },
                Column("amount", .right, text: \.amount.description),
                Column("asset", text: \.asset.rawValue),
                Column("value", .right) { text.money($0.value) },
                Column("fee", .right) { text.money($0.fee) },
            ])
    }

    private func wanted() async throws -> [Asset: Amount] {
        if !target.isEmpty {
            let shares = try PortfolioTargetCommand.shares(target)
            if let fault = Rebalancing.fault(in: shares) {
                throw CommandFailure(.usage, "--target is wrong: \(fault)")
            }
            return shares
        }
        guard let name = options.name else {
            throw CommandFailure(.usage, "a file has no targets: give --target ASSET=SHARE")
        }
        let client = try options.gateway.client()
        let rows = try await client.get("\(client.path(of: name))/targets")["targets"]?.elements ?? []
        return try PortfolioTargetCommand.shares(rows.map { "\($0.text("asset"))=\($0.text("share"))" })
    }

    private static func amount(_ text: String, _ option: String) throws -> Amount {
        guard let amount = try? Amount(parsing: text), !amount.isNegative else {
            throw CommandFailure(
                .usage, "\(option) is \"\(text)\"; it must be a decimal of 0 or more, such as 0.001")
        }
        return amount
    }
}
