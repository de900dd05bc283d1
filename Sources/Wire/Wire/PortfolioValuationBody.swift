import Instruments
package import Shapes

/// What a portfolio is worth, as it is shown; what nobody knows is null.
package struct PortfolioValuationBody: WireBody {
    package static let shape = BodyShape<PortfolioValuationBody>(
        "Valuation", "By the prices of the moment where portfolio-service runs, else by daily closes."
    ) {
        Field("portfolio", \.name, "As its owner calls it.", example: "Main")
        Field("id", \.valuation.portfolio, as: .text("uuid"))
        Field("base", \.valuation.base, "The currency of all values.", example: "USD")
        Field("time", { $0.valuation.timeUnixNanos.time }, as: .time, example: .text(exampleTime))
        Field("change", \.valuation.change, "The last change of the portfolio that counts.", example: 3)
        Field(
            "value", \.valuation.value.known, "Of all that is held; null while a price is missing.",
            as: .nullable(.decimal), example: "15250")
        Field(
            "known_value", \.valuation.knownValue.known, "Of what has a price.", as: .nullable(.decimal),
            example: "15250")
        Field("positions", \.valuation.positions)
        Field("missing", \.valuation.missing, "Assets without a price.", example: [])
        Field("stale", \.valuation.stale, "Assets that count by an old price.", example: [])
    }

    private let valuation: Bitpal_V1_PortfolioValuation
    private let name: String

    /// - Parameters:
    ///   - valuation: What it is worth.
    ///   - name: The portfolio's, as its owner calls it.
    package init(_ valuation: Bitpal_V1_PortfolioValuation, named name: String) {
        (self.valuation, self.name) = (valuation, name)
    }
}

private let exampleTime = "2026-11-21T12:00:00.000000000Z"

extension Bitpal_V1_PortfolioPosition: WireBody {
    package static let shape = BodyShape<Bitpal_V1_PortfolioPosition>("ValuedPosition") {
        Field("asset", \.asset, example: "BTC")
        Field("amount", \.amount, as: .decimal, example: "0.25")
        Field(
            "price", \.price.known, "Of one, in the base currency.", as: .nullable(.decimal),
            example: "61000")
        Field(
            "price_time", \.priceTime, "When the price was noted; null for the base currency's own.",
            as: .nullable(.time), example: .text(exampleTime))
        Field(
            "source", \.source.known, "Where the price is from: an index, an instrument or \"daily close\".",
            example: "index BTC-USD")
        Field(
            "origin", \.origin.known,
            "What stands behind the price: proven, ticker (a venue's word), aggregated; null where unknown.",
            example: "proven")
        Field("value", \.value.known, "In the base currency.", as: .nullable(.decimal), example: "15250")
        Field("stale", \.stale.known, "Why the price is not of now; null where it is.")
    }

    /// The base currency's own price is of no time.
    private var priceTime: String? {
        price.isEmpty || priceTimeUnixNanos == 0 ? nil : priceTimeUnixNanos.time
    }
}

extension String {
    /// The empty text is what nobody knows.
    fileprivate var known: String? { isEmpty ? nil : self }
}

extension Int64 {
    /// Nanoseconds since 1970 as a time.
    fileprivate var time: String { Timestamp(nanoseconds: self).iso8601(fractionDigits: 9) }
}

extension Bitpal_V1_PortfolioValuation {
    /// The positions whose price is of now.
    public var freshPositions: [Bitpal_V1_PortfolioPosition] {
        positions.filter { !$0.price.isEmpty && $0.stale.isEmpty && $0.asset != base }
    }
}
