public import Instruments

extension AlertEngine {
    /// Says that nothing of a source can be believed from here on.
    ///
    /// Its rules neither fire nor are they taken back until ``prove(_:of:at:isComplete:into:)``. Of what is
    /// in doubt already the newest reason is told.
    public mutating func doubt(
        _ source: AlertSource, of market: MarketHandle, at time: Timestamp, because reason: String,
        into output: inout [AlertOutput]
    ) {
        var feed = markets[market.offset].feeds[source.place]
        let wasProven = feed.isProven
        if wasProven || feed.blindSince == nil { feed = Market.Feed(isProven: false, blindSince: time) }
        feed.reason = reason
        markets[market.offset].feeds[source.place] = feed
        guard wasProven else { return }
        let first = output.count
        // The feed is judged by its book: else one outage would be several.
        guard source == .book else { return }
        watchFeed(
            .stale, "\(source) unproven: \(reason)", Tick(time: time, received: time), market.offset, &output)
        AlertEngine.order(&output, from: first)
    }

    /// Says that a source can be believed from here on.
    ///
    /// `isComplete` says whether everything missed was given to `missed(…)`; if not, sums and windows begin
    /// again, since a part of them is not known. Levels keep the last value seen.
    public mutating func prove(
        _ source: AlertSource, of market: MarketHandle, at time: Timestamp, isComplete: Bool = false,
        into output: inout [AlertOutput]
    ) {
        let feed = markets[market.offset].feeds[source.place]
        guard !feed.isProven else { return }
        markets[market.offset].feeds[source.place] = Market.Feed(isProven: true)
        if !isComplete {
            for index in markets[market.offset].watches.indices
            where markets[market.offset].watches[index].source == source {
                markets[market.offset].watches[index].clear()
            }
        }
        guard let since = feed.blindSince else { return }
        if feed.isTold {
            output.append(.seesAgain(markets[market.offset].id, source, blindSince: since, at: time))
        }
        let first = output.count
        guard source == .book else { return }
        watchFeed(
            .resynced, "\(source) proven again", Tick(time: time, received: time), market.offset, &output)
        AlertEngine.order(&output, from: first)
    }

    /// Whether a source of an instrument may be believed.
    public func isProven(_ source: AlertSource, of market: MarketHandle) -> Bool {
        markets[market.offset].feeds[source.place].isProven
    }

    /// Whether anything was said of a source: that it may be believed, or that it may not.
    public func isJudged(_ source: AlertSource, of market: MarketHandle) -> Bool {
        let feed = markets[market.offset].feeds[source.place]
        return feed.isProven || feed.blindSince != nil
    }

    /// Lets time pass for one instrument: conditions that had to hold until now fire, rules whose time is
    /// over end, and who is blind for too long is told, once.
    public mutating func advance(
        _ market: MarketHandle, to time: Timestamp, into output: inout [AlertOutput]
    ) {
        endHolding(market, at: time, into: &output)
        tellBlind(market, at: time, into: &output)
    }

    /// Fires conditions of an instrument that had to hold until a time by the venue's clock, ends quiet
    /// periods that are over by then, and rules that expired a minute before it.
    public mutating func endHolding(
        _ market: MarketHandle, at time: Timestamp, into output: inout [AlertOutput]
    ) {
        let offset = market.offset
        let tick = Tick(time: time, received: time)
        let first = output.count
        for place in markets[offset].places where isProven(series[place].key) {
            guard time >= series[place].nextDeadline else { continue }
            fireDue(place, at: time, tick, into: &output)
            series[place].settle()
        }
        endQuiet(ofMarket: offset, at: time, into: &output)
        expireDue(offset, at: tick, into: &output)
        AlertEngine.order(&output, from: first)
    }

    /// Says which sources of an instrument that rules need have been blind for too long, by our clock; once.
    ///
    /// Ends rules that look at no source and expired a minute before. Rules that are not in the engine yet
    /// may wait for sources, too.
    public mutating func tellBlind(
        _ market: MarketHandle, at time: Timestamp, waiting: Set<AlertSource> = [],
        into output: inout [AlertOutput]
    ) {
        let offset = market.offset
        expireDue(at: Tick(time: time, received: time), into: &output)
        for source in AlertSource.allCases {
            let feed = markets[offset].feeds[source.place]
            guard !feed.isProven, !feed.isTold, let since = feed.blindSince,
                time.nanoseconds(since: since) >= limits.blindAfter,
                waiting.contains(source) || needs(source, offset)
            else { continue }
            markets[offset].feeds[source.place].isTold = true
            output.append(.blind(markets[offset].id, source, since: since, reason: feed.reason))
        }
    }

    /// Since when and why a source cannot be believed of which owners were told so; `nil` for any other.
    public func toldDoubt(
        _ source: AlertSource, of market: MarketHandle
    ) -> (since: Timestamp, reason: String)? {
        let feed = markets[market.offset].feeds[source.place]
        guard feed.isTold, !feed.isProven, let since = feed.blindSince else { return nil }
        return (since, feed.reason)
    }

    /// Lets time pass for all instruments, in the order in which they were made.
    public mutating func advance(to time: Timestamp, into output: inout [AlertOutput]) {
        for offset in markets.indices { advance(MarketHandle(offset: offset), to: time, into: &output) }
    }

    /// What is known of a time that was missed, before its source is proven again.
    ///
    /// Evaluated as the way last value, low, high, close if the close is not below the last value, else last
    /// value, high, low, close: of the two orders of the extremes, the one that passes only levels that were
    /// passed in either. Firings bear the time's end and are marked late. A condition that was to hold longer
    /// than the range is given up where the range left it. Without a last value the close arms.
    public mutating func missed(
        _ range: MissedRange, of key: SeriesKey, into output: inout [AlertOutput]
    ) {
        guard let place = seriesPlaces[key].map({ Int($0) }) else { return }
        let first = output.count
        let tick = Tick(
            time: range.until, received: range.found,
            lateBy: max(1, range.found.nanoseconds(since: range.until)))
        func reading(_ units: Int64) -> Reading { Reading(DecimalNumber(units: units, scale: range.scale)) }
        let close = reading(range.close)
        var way = [close]
        if series[place].hasValue {
            let rises = close.exact >= series[place].reading.exact
            way = [reading(rises ? range.low : range.high), reading(rises ? range.high : range.low), close]
        }
        for value in way { move(place, to: value, tick, firesDue: false, into: &output) }
        fireDue(place, at: range.until, tick, into: &output)
        series[place].settle()
        AlertEngine.order(&output, from: first)
    }

    private func needs(_ source: AlertSource, _ market: Int) -> Bool {
        if markets[market].watches.contains(where: { $0.source == source }) { return true }
        return markets[market].places.contains { place in
            series[place].key.source == source
                && series[place].rising.count + series[place].falling.count > 0
        }
    }
}
