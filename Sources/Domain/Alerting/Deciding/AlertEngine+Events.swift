public import Instruments
public import MarketData

extension AlertEngine {
    /// A public execution; ignored while the trade stream is not proven.
    ///
    /// One without a price or a size above zero is none, whoever says it: rows that were stored or published
    /// before sessions left them out still come.
    @inline(__always)
    public mutating func trade(
        _ trade: borrowing Trade, sequence: UInt64 = 0, of market: MarketHandle,
        into output: inout [AlertOutput]
    ) {
        guard trade.isExecution else { return }
        let place = markets[market.offset].prices[PriceKind.last.place]
        guard markets[market.offset].feeds[AlertSource.trades.place].isProven else { return }
        if place >= 0, markets[market.offset].watches.isEmpty,
            series[place].isQuiet(trade.price.rawValue, trade.priceScale, trade.venueTime)
        {
            return series[place].take(trade.price.rawValue, at: trade.venueTime)
        }
        decide(copy trade, lateBy: 0, sequence, of: market, into: &output)
    }

    /// A trade that was missed, in its order, before the stream is proven again.
    ///
    /// What it fires is marked late by the time from the trade to `found`: from when it was received, or, of
    /// one that was fetched afterwards, from when it happened, which the venue's clock says.
    ///
    /// - Parameters:
    ///   - trade: The trade.
    ///   - found: When it was found, by our clock.
    ///   - clockOffset: The venue's clock less ours, in nanoseconds.
    ///   - market: Whose trade.
    ///   - output: Gets what is decided.
    public mutating func missed(
        _ trade: Trade, found: Timestamp, clockOffset: Int64 = 0, of market: MarketHandle,
        into output: inout [AlertOutput]
    ) {
        guard trade.isExecution else { return }
        let came = trade.isBackfill ? trade.venueTime.adding(nanoseconds: -clockOffset) : trade.receivedTime
        let late = max(1, found.nanoseconds(since: came))
        decide(trade, lateBy: late, 0, of: market, into: &output)
    }

    /// The best of a book; ignored while the book is not proven.
    public mutating func quote(
        _ quote: BookQuote, of market: MarketHandle, into output: inout [AlertOutput]
    ) {
        let offset = market.offset
        guard markets[offset].feeds[AlertSource.book.place].isProven else { return }
        let first = output.count
        let tick = Tick(
            time: quote.venueTime ?? quote.receivedTime, received: quote.receivedTime,
            sequence: quote.sequence)
        let bid = quote.bid?.price.rawValue
        let ask = quote.ask?.price.rawValue
        if let bid { value(.bid, bid, quote.priceScale, tick, offset, &output) }
        if let ask { value(.ask, ask, quote.priceScale, tick, offset, &output) }
        if let bid, let ask {
            middle(bid, ask, quote.priceScale, tick, offset, &output)
            spread(bid, ask, quote.priceScale, tick, offset, &output)
        }
        if !markets[offset].watches.isEmpty { watchBook(quote, tick, offset, &output) }
        AlertEngine.order(&output, from: first)
    }

    /// The best levels of a book, for the rules that look at more than its best prices; ignored while the
    /// book is not proven.
    public mutating func levels(
        _ quote: BookQuote, of market: MarketHandle, into output: inout [AlertOutput]
    ) {
        guard markets[market.offset].feeds[AlertSource.book.place].isProven else { return }
        let first = output.count
        let tick = Tick(
            time: quote.venueTime ?? quote.receivedTime, received: quote.receivedTime,
            sequence: quote.sequence)
        watchBook(quote, tick, market.offset, &output)
        AlertEngine.order(&output, from: first)
    }

    /// A mark or index price; ignored while its source is not proven.
    ///
    /// What it fires is marked late by `lateBy` nanoseconds, if a value was seen before it.
    public mutating func reference(
        _ kind: PriceKind, _ price: Price, _ scale: Scale, at time: Timestamp, received: Timestamp,
        lateBy: Int64 = 0, of market: MarketHandle, into output: inout [AlertOutput]
    ) {
        guard markets[market.offset].feeds[kind.source.place].isProven else { return }
        let place = markets[market.offset].prices[kind.place]
        let isLate = place >= 0 && series[place].hasValue
        let tick = Tick(time: time, received: received, lateBy: isLate ? lateBy : 0)
        let first = output.count
        value(kind, price.rawValue, scale, tick, market.offset, &output)
        AlertEngine.order(&output, from: first)
    }

    /// A closed candle of an interval that ``intervals(of:)`` names, in the order of their starts.
    ///
    /// One that was missed is given with the time at which it was found, and before trades are proven again;
    /// what it fires is marked late.
    public mutating func close(
        _ candle: ClosedCandle, found: Timestamp? = nil, of market: MarketHandle,
        into output: inout [AlertOutput]
    ) {
        guard found != nil || markets[market.offset].feeds[AlertSource.trades.place].isProven else { return }
        let first = output.count
        let end = candle.start.adding(nanoseconds: candle.interval)
        let tick = Tick(
            time: end, received: candle.receivedTime,
            lateBy: found.map { max(1, $0.nanoseconds(since: end)) } ?? 0)
        for entry in markets[market.offset].closes where entry.interval == candle.interval {
            move(entry.series, to: candle.close.rawValue, candle.priceScale, tick, into: &output)
        }
        watchCandle(candle, tick, market.offset, &output)
        AlertEngine.order(&output, from: first)
    }

    /// A figure of a portfolio; ignored while its value is not proven.
    public mutating func portfolio(
        _ id: String, _ metric: PortfolioMetric, _ value: DecimalNumber, at time: Timestamp,
        into output: inout [AlertOutput]
    ) {
        let key = SeriesKey.portfolio(id: id, metric)
        guard let place = seriesPlaces[key], isProven(key) else { return }
        let first = output.count
        move(Int(place), to: value.units, value.scale, Tick(time: time, received: time), into: &output)
        AlertEngine.order(&output, from: first)
    }

    /// A figure of a derivative's state; ignored while its source is not proven.
    ///
    /// What it fires is marked late by `lateBy` nanoseconds, if a value was seen before it.
    public mutating func derivative(
        _ measure: DerivativeMeasure, _ value: DecimalNumber, _ tick: (time: Timestamp, received: Timestamp),
        lateBy: Int64 = 0, of market: MarketHandle, into output: inout [AlertOutput]
    ) {
        guard markets[market.offset].feeds[AlertSource.derivative.place].isProven,
            let place = markets[market.offset].derivative[measure]
        else { return }
        let first = output.count
        let tick = Tick(
            time: tick.time, received: tick.received, lateBy: series[place].hasValue ? lateBy : 0)
        move(place, to: value.units, value.scale, tick, into: &output)
        AlertEngine.order(&output, from: first)
    }

    /// Something that a venue did not list before.
    public mutating func listed(
        _ id: InstrumentID, base: Asset, quote: Asset, at time: Timestamp, received: Timestamp,
        into output: inout [AlertOutput]
    ) {
        guard let place = marketPlaces[.listings(of: id.venue)] else { return }
        let first = output.count
        for watch in markets[Int(place)].watches {
            guard case .listing(let wantedBase, let wantedQuote) = watch.body,
                wantedBase == nil || wantedBase == base.rawValue,
                wantedQuote == nil || wantedQuote == quote.rawValue
            else { continue }
            let hit = WatchHit(slot: watch.slot, cause: .listed(id))
            fire(hit, Tick(time: time, received: received), into: &output)
        }
        AlertEngine.order(&output, from: first)
    }

    /// Intervals in nanoseconds of the candles that rules of an instrument look at, ascending.
    public func intervals(of market: MarketHandle) -> [Int64] {
        var intervals = Set(markets[market.offset].closes.map(\.interval))
        for watch in markets[market.offset].watches {
            if case .indicator(let interval, _) = watch.body { intervals.insert(interval) }
        }
        return intervals.sorted()
    }

    /// How many levels a side a quote of an instrument needs besides the best.
    public func depth(of market: MarketHandle) -> Int {
        var depth = 0
        for watch in markets[market.offset].watches {
            if case .imbalance(let imbalance) = watch.body { depth = max(depth, imbalance.levels) }
        }
        return depth
    }

    // MARK: - Parts

    private mutating func decide(
        _ trade: Trade, lateBy: Int64, _ sequence: UInt64, of market: MarketHandle,
        into output: inout [AlertOutput]
    ) {
        let first = output.count
        let tick = Tick(
            time: trade.venueTime, received: trade.receivedTime, sequence: sequence,
            tradeID: trade.hasDerivedID ? nil : trade.id, lateBy: lateBy)
        value(.last, trade.price.rawValue, trade.priceScale, tick, market.offset, &output)
        if !markets[market.offset].watches.isEmpty { watchTrade(trade, tick, market.offset, &output) }
        AlertEngine.order(&output, from: first)
    }

    private mutating func value(
        _ kind: PriceKind, _ units: Int64, _ scale: Scale, _ tick: Tick, _ market: Int,
        _ output: inout [AlertOutput]
    ) {
        let place = markets[market].prices[kind.place]
        guard place >= 0 else { return }
        let hasWatchers = series[place].hasWatchers
        move(place, to: units, scale, tick, into: &output)
        guard hasWatchers else { return }
        watchPrice(kind, Reading(DecimalNumber(units: units, scale: scale)), tick, market, &output)
    }

    private mutating func middle(
        _ bid: Int64, _ ask: Int64, _ scale: Scale, _ tick: Tick, _ market: Int,
        _ output: inout [AlertOutput]
    ) {
        let place = markets[market].prices[PriceKind.mid.place]
        guard place >= 0 else { return }
        // The exact middle, with one more decimal place where that fits.
        let (sum, overflow) = bid.addingReportingOverflow(ask)
        let (units, isLong) = sum.multipliedReportingOverflow(by: 5)
        if !overflow, !isLong, let finer = Scale(scale.places + 1) {
            return value(.mid, units, finer, tick, market, &output)
        }
        let middle = Reading(ExactValue(middleOf: bid, ask, scale))
        let hasWatchers = series[place].hasWatchers
        move(place, to: middle, tick, into: &output)
        if hasWatchers { watchPrice(.mid, middle, tick, market, &output) }
    }

    private mutating func spread(
        _ bid: Int64, _ ask: Int64, _ scale: Scale, _ tick: Tick, _ market: Int,
        _ output: inout [AlertOutput]
    ) {
        let place = markets[market].spread
        guard place >= 0 else { return }
        let (units, overflow) = ask.subtractingReportingOverflow(bid)
        guard overflow else { return move(place, to: units, scale, tick, into: &output) }
        let low = ExactValue(DecimalNumber(units: bid, scale: scale))
        let high = ExactValue(DecimalNumber(units: ask, scale: scale))
        move(place, to: Reading(high - low), tick, into: &output)
    }
}
