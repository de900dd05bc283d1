import GatewayStream
import Instruments
import LedgerFiles
import NIOCore
import PortfolioStore
import Wire

/// What routes show of the moment, as far as this process knows it from the bus.
struct LiveMarket: Sendable {
    /// A ticker; `nil` when nothing was heard of the instrument.
    var ticker: @Sendable (InstrumentID) -> TickerBody?
    /// The last price and the change of a day in percent, for small clients.
    var quote: @Sendable (InstrumentID) -> Quote?
    /// What a portfolio is worth, with a change of its transactions where that comes in time; `nil` when
    /// nobody values it now.
    var valuation: @Sendable (PortfolioID, Int64) async -> Bitpal_V1_PortfolioValuation?

    /// What a small client shows of an instrument.
    struct Quote: Sendable {
        var last: String?
        var changePercent: String?
        /// Why it is not of now; `nil` when it is.
        var stale: String?
    }
}

extension LiveMarket {
    /// Prices of the moment of what a portfolio holds; none while nobody values it.
    func prices(of portfolio: StoredPortfolio) async -> [LivePrice] {
        guard let known = await valuation(portfolio.id, portfolio.change) else { return [] }
        return known.freshPositions.compactMap { position in
            LivePrice(
                asset: position.asset, currency: known.base, price: position.price,
                time: Timestamp(nanoseconds: position.priceTimeUnixNanos), source: position.source)
        }
    }
}

extension LiveMarket {
    /// Asks a view of the bus.
    init(_ view: MarketView) {
        ticker = { id in
            view.ticker(id).map { TickerBody($0, view.condition) }
        }
        quote = { id in
            view.ticker(id).map { known in
                let body = TickerBody(known, view.condition)
                return Quote(last: body.last, changePercent: body.dayChangePercent, stale: body.stale)
            }
        }
        valuation = { id, change in await view.valuation(id.description, since: change) }
    }
}
