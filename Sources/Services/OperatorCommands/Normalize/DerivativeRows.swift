import Instruments
import MarketData
import Shapes

/// All that the venue has said of the state of a derivative.
struct DerivativeRow: WireBody {
    static let shape = BodyShape<DerivativeRow>("NormalizedDerivative") {
        Field("symbol", \.origin.symbol, "In the venue's spelling.", example: "BTCUSDT")
        Field("mark_price", \.ticker.markPrice, as: .nullable(.decimal))
        Field("index_price", \.ticker.indexPrice, as: .nullable(.decimal))
        Field("funding_rate", \.ticker.fundingRate, "A fraction, for one interval.", as: .nullable(.decimal))
        Field("predicted_funding_rate", \.ticker.predictedFundingRate, as: .nullable(.decimal))
        Field("next_funding_time", \.ticker.nextFundingTime?.iso8601, as: .nullable(.time))
        Field("funding_interval_seconds", { $0.ticker.fundingIntervalSeconds.map { Int($0) } })
        Field("open_interest", \.ticker.openInterest, as: .nullable(.decimal))
        Field("open_interest_unit", \.ticker.openInterestUnit?.name)
        Field("venue", \.origin.venue.rawValue, example: .venue)
        Field("time", \.ticker.venueTime?.iso8601, as: .nullable(.time))
    }

    let ticker: DerivativeTicker
    let origin: RowOrigin
}

/// A position that the venue closes.
struct LiquidationRow: WireBody {
    static let shape = BodyShape<LiquidationRow>("NormalizedLiquidation") {
        Field("symbol", \.origin.symbol, "In the venue's spelling.", example: "BTCUSDT")
        Field("id", \.liquidation.id, "Null where the venue names none.")
        Field("side", \.liquidation.side.name, "Of its order.", as: .words(Side.allCases.map(\.name)))
        Field("price", \.liquidation.price)
        Field("amount", \.liquidation.size)
        Field("venue", \.origin.venue.rawValue, example: .venue)
        Field("time", \.liquidation.venueTime?.iso8601, as: .nullable(.time))
    }

    let liquidation: Liquidation
    let origin: RowOrigin
}
