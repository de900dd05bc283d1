import Instruments
package import Portfolio
package import Shapes

extension Holding: WireBody {
    package static let shape = BodyShape<Holding>("Holding") {
        Field("asset", \.asset.rawValue, example: "BTC")
        Field("amount", \.amount, example: "0.25")
    }
}

extension Balance: WireBody {
    package static let shape = BodyShape<Balance>("Balance", "What one wallet holds of one asset.") {
        Field("wallet", \.wallet, example: "Cold")
        Field(all: \.holding)
    }
}

/// What is held of one asset, over all wallets.
package struct PositionBody: WireBody {
    package static let shape = BodyShape<PositionBody>(
        "Position", "What is held of one asset, over all wallets; values are in the base currency."
    ) {
        Field(all: \.position.holding)
        Field(
            "price", \.position.price?.price, "Of one, in the base currency; null where none is known.",
            example: "61000")
        Field(
            "price_time", \.position.price?.time.plain, "When the price was noted.", as: .nullable(.time),
            example: "2026-11-21T12:00:00Z")
        Field(
            "source", \.source,
            "Where the price is from, where that is known: an index, \"daily close\" or \"reference rate\".",
            example: "daily close")
        Field("stale", \.position.isStale, "Whether the price is older than four days.", example: false)
        Field("value", \.position.value, "Amount × price; null without a price.", example: "15250")
        Field(
            "cost_basis", \.position.costBasis,
            "What the open lots cost; null for money, which costs itself.", example: "15000")
        Field("unrealized", \.position.unrealized, "Value less cost; null where one is.", example: "250")
    }

    let position: Valuation.Position
    let source: String?

    /// - Parameters:
    ///   - position: What is held.
    ///   - loaded: Whose it is, which knows where its price is from.
    package init(_ position: Valuation.Position, of loaded: LoadedLedger) {
        self.position = position
        source = loaded.source(of: position)
    }
}

extension AllocationShare: WireBody {
    package static let shape = BodyShape<AllocationShare>("AllocationShare") {
        Field("name", \.name, "The asset, wallet, category or venue.", example: "BTC")
        Field("value", \.value, "In the base currency.", example: "15250")
        Field("share", \.share, "Part of the whole, 0 to 1; all of them sum to 1.", example: "1")
    }
}

extension DailyHistory.Day: WireBody {
    package static let shape = BodyShape<DailyHistory.Day>(
        "PortfolioDay", "A day in UTC; values and flows are in the base currency."
    ) {
        Field("day", \.date, "The day that ends.", as: .text("date"), example: "2026-11-20")
        Field("value", \.value, "At its end; null where \"missing\" says why.", example: "15250")
        Field(
            "inflow", { $0.hasKnownFlows ? $0.inflow : nil },
            "What came in; null while its value is not known.", example: "0")
        Field(
            "outflow", { $0.hasKnownFlows ? $0.outflow : nil },
            "What left; null while its value is not known.", example: "0")
        Field("missing", { $0.missingPrices.map(\.rawValue) }, "Assets without a price.", example: [])
        Field(
            "stale", { $0.stalePrices.map(\.rawValue) },
            "Assets that count by their last known price, which is an old one.", example: [])
    }

    /// The day that ends, such as `2024-12-31`.
    package var date: String {
        String(end.adding(nanoseconds: -1).iso8601(fractionDigits: 0).prefix(10))
    }
}
