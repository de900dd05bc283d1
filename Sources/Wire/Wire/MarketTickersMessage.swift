import Instruments
import MarketData

/// Some of a venue's markets, as they travel.
extension Bitpal_V1_MarketTickers {
    init(_ part: MarketTickerPart) {
        self.init()
        venue = part.venue.rawValue
        self.part = UInt32(clamping: part.number)
        partCount = UInt32(clamping: part.count)
        receivedTimeUnixNanos = part.receivedTime.nanoseconds
        tickers = part.tickers.map { Bitpal_V1_MarketTicker($0) }
        staleReason = part.stale
    }

    /// What it says.
    ///
    /// - Throws: ``WireError/invalidField(_:)``.
    func domain() throws(WireError) -> MarketTickerPart {
        guard !venue.isEmpty, !venue.contains(":") else { throw .invalidField("venue") }
        guard part < partCount else { throw .invalidField("part") }
        var rows: [MarketTicker] = []
        rows.reserveCapacity(tickers.count)
        for ticker in tickers { rows.append(try ticker.domain()) }
        var said = MarketTickerPart(
            venue: Venue(rawValue: venue), number: Int(part), count: Int(partCount),
            receivedTime: Timestamp(nanoseconds: receivedTimeUnixNanos), tickers: rows)
        said.stale = staleReason
        return said
    }
}

extension Bitpal_V1_MarketTicker {
    init(_ ticker: MarketTicker) {
        self.init()
        symbol = ticker.symbol
        let scale = ticker.commonScale
        priceScale = UInt32(scale.places)
        // The scale is one that holds the last price.
        lastPrice = (try? ticker.last.rescaled(to: scale).units) ?? 0
        if let units = try? ticker.bid?.rescaled(to: scale).units { bidPrice = units }
        if let units = try? ticker.ask?.rescaled(to: scale).units { askPrice = units }
        if let units = try? ticker.open?.rescaled(to: scale).units { openPrice = units }
        if let units = try? ticker.high?.rescaled(to: scale).units { highPrice = units }
        if let units = try? ticker.low?.rescaled(to: scale).units { lowPrice = units }
        baseVolume = ticker.baseVolume?.description ?? ""
        quoteVolume = ticker.quoteVolume?.description ?? ""
        changePercent = ticker.changePercent?.description ?? ""
        venueTimeUnixNanos = ticker.venueTime?.nanoseconds ?? 0
    }

    fileprivate func domain() throws(WireError) -> MarketTicker {
        guard !symbol.isEmpty else { throw .invalidField("symbol") }
        guard let scale = Scale(Int(priceScale)) else { throw .invalidField("price_scale") }
        guard lastPrice > 0 else { throw .invalidField("last_price") }
        func price(_ units: Int64) -> DecimalNumber { DecimalNumber(units: units, scale: scale).normalized }
        var ticker = MarketTicker(symbol: symbol, last: price(lastPrice))
        if hasBidPrice { ticker.bid = price(bidPrice) }
        if hasAskPrice { ticker.ask = price(askPrice) }
        if hasOpenPrice { ticker.open = price(openPrice) }
        if hasHighPrice { ticker.high = price(highPrice) }
        if hasLowPrice { ticker.low = price(lowPrice) }
        ticker.baseVolume = try amount(baseVolume, "base_volume")
        ticker.quoteVolume = try amount(quoteVolume, "quote_volume")
        if !changePercent.isEmpty {
            guard let percent = try? DecimalNumber(parsing: changePercent) else {
                throw .invalidField("change_percent")
            }
            ticker.changePercent = percent
        }
        if venueTimeUnixNanos != 0 { ticker.venueTime = Timestamp(nanoseconds: venueTimeUnixNanos) }
        return ticker
    }

    private func amount(_ text: String, _ name: StaticString) throws(WireError) -> Amount? {
        if text.isEmpty { return nil }
        guard let amount = try? Amount(parsing: text) else { throw .invalidField(name) }
        return amount
    }
}

extension MarketTicker {
    /// The coarsest scale that holds all of its prices; of a market whose prices need more than 63 bits
    /// together, that of the last one alone.
    fileprivate var commonScale: Scale {
        let prices = [last, bid, ask, open, high, low].compactMap { $0 }
        let finest = prices.map(\.scale).max() ?? last.scale
        let isFitting = prices.allSatisfy { (try? $0.rescaled(to: finest)) != nil }
        return isFitting ? finest : last.scale
    }
}
