import Instruments
import MarketData
import MarketState
import MarketStore
import Wire

/// What a venue says of all of its markets, in the place of what is not known by what is followed.
extension TickerBody {
    /// What stands behind what is told so far; `nil` where no price is.
    ///
    /// A last price is of our tape if the day knows one, best prices are of a proven book if there is one;
    /// what the venue says of itself is its ticker's, and all that a provider of aggregated prices says is
    /// that.
    func standing(of known: KnownTicker) -> PriceOrigin? {
        guard last != nil || bid != nil || ask != nil else { return nil }
        if known.instrument.venue.isAggregated { return .aggregated }
        if known.day?.value.hasLastPrice == true { return .proven }
        return known.top?.value.state == .live ? .proven : .ticker
    }

    /// Says by the venue's word what nothing better says: the price where nothing is followed, and the day
    /// until our own count covers it.
    mutating func complete(by market: ReceivedValue<MarketBoard.Entry>, _ condition: BusConnectionState) {
        let entry = market.value
        let doubt = entry.stale.isEmpty ? condition.doubt(about: market.producer) : entry.stale
        let isAlone = origin == nil
        // What is not of now completes nothing that is.
        guard isAlone || doubt == nil else { return }
        if isAlone {
            origin = PriceOrigin.ticker.rawValue
            (bid, ask) = (entry.ticker.bid?.description, entry.ticker.ask?.description)
            stale = doubt
        }
        if last == nil { last = entry.ticker.last.description }
        if incomplete != false { takeDay(of: entry.ticker) }
    }

    private mutating func takeDay(of ticker: MarketTicker) {
        // A venue that says less than we have counted says nothing of the day.
        guard ticker.open != nil || ticker.changePercent != nil || trades ?? 0 == 0 else { return }
        (open, high, low) = (ticker.open?.description, ticker.high?.description, ticker.low?.description)
        (volume, quoteVolume) = (ticker.baseVolume?.description, ticker.quoteVolume?.description)
        (change, changePercent) = (nil, ticker.changePercent?.description)
        let last = last.flatMap { try? DecimalNumber(parsing: $0) }
        if let open = ticker.open, let last, let moved = PriceChange(from: open, to: last) {
            (change, changePercent) = (moved.difference.description, moved.percent.description)
        }
        (trades, windowStart, windowEnd) = (nil, nil, nil)
        source = PriceOrigin.ticker.rawValue
        incomplete = false
    }
}
