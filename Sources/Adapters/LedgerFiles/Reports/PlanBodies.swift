import Instruments
package import Portfolio
package import Shapes

extension Rebalancing: WireBody {
    package static let shape = BodyShape<Rebalancing>("Rebalancing", "What would restore the targets.") {
        Field(
            "drifts", \.drifts,
            "Every asset that is held or wanted, and the base currency as the rest, so that both shares and "
                + "targets sum to 1; the furthest above its target first.")
        Field("trades", \.trades, "Against the base currency: sales first, the largest first.")
    }
}

extension Rebalancing.Drift: WireBody {
    package static let shape = BodyShape<Rebalancing.Drift>("Drift", "In parts of the whole.") {
        Field("asset", \.asset.rawValue, example: "BTC")
        Field("share", \.share, "As it is.", example: "0.6")
        Field("target", \.target, "As it is wanted.", example: "0.5")
        Field("drift", \.drift, "Share less target.", example: "0.1")
    }
}

extension Rebalancing.Trade: WireBody {
    package static let shape = BodyShape<Rebalancing.Trade>("RebalancingTrade") {
        Field("side", { $0.isBuy ? "buy" : "sell" }, as: .words(["buy", "sell"]), example: "sell")
        Field("asset", \.asset.rawValue, example: "BTC")
        Field("amount", \.amount, "Rounded down to what is traded of it.", example: "0.05")
        Field("value", \.value, "In the base currency, before the fee.", example: "3050")
        Field("fee", \.fee, "In the base currency.", example: "3.05")
    }
}

extension WhatIf: WireBody {
    package static let shape = BodyShape<WhatIf>("WhatIf", "Money is in the base currency.") {
        Field(
            "realized", \.realized, "What it would add to realized gains; null where a price is missing.",
            example: "100")
        Field(
            "disposals", { $0.newDisposals.map(WhatIfDisposal.init) }, "Those that it would make or change.")
        Field("balances", \.after.balances, "What each wallet would hold then.")
    }
}

/// A disposal that transactions would make.
private struct WhatIfDisposal: WireBody {
    static let shape = BodyShape<WhatIfDisposal>("WhatIfDisposal", "Money is in the base currency.") {
        Field("time", \.disposal.time.plain, as: .time, example: "2026-01-03T00:00:00Z")
        Field("wallet", \.disposal.wallet, example: "Cold")
        Field(all: \.disposal.subject)
        Field("proceeds", \.disposal.proceeds, "Less fees; null without a price.", example: "15100")
        Field("cost_basis", \.disposal.costBasis, example: "15000")
        Field("gain", \.disposal.gain, "Proceeds less cost; null without a price.", example: "100")
    }

    var disposal: Disposal
}

extension SharedView: WireBody {
    package static let shape = BodyShape<SharedView>("SharedView", "What a link shows.") {
        Field("allocation", \.parts, "Assets of one percent and more, the largest first.")
        Field(
            "return", \.timeWeightedReturn,
            "Since the beginning, time-weighted; null when it is not known.",
            example: ["from": "0", "to": "10"])
    }
}

extension SharedView.Part: WireBody {
    package static let shape = BodyShape<SharedView.Part>("SharedPart") {
        Field("asset", \.asset.rawValue, example: "BTC")
        Field("share", \.share, "Of the whole.")
    }
}

extension SharedView.Band: WireBody {
    package static let shape = BodyShape<SharedView.Band>(
        "PercentRange",
        "In percent, from the lower end up to the upper one, which is not part of it; null where it is open."
    ) {
        Field("from", { $0.from.map { Amount(units: Int64($0)) } }, example: "50")
        Field("to", { $0.to.map { Amount(units: Int64($0)) } }, example: "75")
    }
}
