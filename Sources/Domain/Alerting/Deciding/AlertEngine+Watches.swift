import Instruments
import MarketData
import Statistics

/// A watch that found what it waited for.
struct WatchHit {
    var slot: UInt32
    var cause: Firing.Cause
    var series: SeriesKey?
    var price: DecimalNumber?
    var previous: DecimalNumber?
    var level: DecimalNumber?
    /// Where the watch lies in its market, if it has to begin again after firing.
    var restarts: Int?
}

extension AlertEngine {
    mutating func watchPrice(
        _ kind: PriceKind, _ reading: Reading, _ tick: Tick, _ market: Int, _ output: inout [AlertOutput]
    ) {
        let price = reading.exact
        var hits: [WatchHit] = []
        for index in markets[market].watches.indices {
            guard let (condition, move) = markets[market].watches[index].see(kind, price, at: tick.time)
            else { continue }
            hits.append(
                WatchHit(
                    slot: markets[market].watches[index].slot,
                    cause: .moved(within: condition.within, isPercent: condition.isPercent),
                    series: .price(markets[market].id, kind),
                    price: reading.said, previous: move.from, level: move.least, restarts: market))
        }
        for hit in hits { fire(hit, tick, into: &output) }
    }

    mutating func watchTrade(
        _ trade: Trade, _ tick: Tick, _ market: Int, _ output: inout [AlertOutput]
    ) {
        var hits: [WatchHit] = []
        let size = trade.size.decimal(trade.sizeScale)
        let price = trade.price.decimal(trade.priceScale)
        for index in markets[market].watches.indices {
            let slot = markets[market].watches[index].slot
            switch markets[market].watches[index].body {
            case .volume:
                guard let burst = markets[market].watches[index].see(size, at: tick.time) else { continue }
                hits.append(WatchHit(slot: slot, cause: burst.cause, price: price, level: burst.least))
            case .trade(let least, let side):
                guard side == nil || side == trade.side, !size.isEqual(to: least), least < size else {
                    continue
                }
                hits.append(WatchHit(slot: slot, cause: .largeTrade(size), price: price, level: least))
            default: continue
            }
        }
        for hit in hits { fire(hit, tick, into: &output) }
    }

    mutating func watchBook(
        _ quote: BookQuote, _ tick: Tick, _ market: Int, _ output: inout [AlertOutput]
    ) {
        var hits: [WatchHit] = []
        for index in markets[market].watches.indices {
            guard case .imbalance(var watch) = markets[market].watches[index].body else { continue }
            let sums = watch.update(bids: quote.bids, asks: quote.asks)
            markets[market].watches[index].body = .imbalance(watch)
            guard let sums else { continue }
            let cause = Firing.Cause.imbalance(
                bids: DecimalNumber(cutting: sums.bids, places: quote.sizeScale.places),
                asks: DecimalNumber(cutting: sums.asks, places: quote.sizeScale.places))
            hits.append(
                WatchHit(slot: markets[market].watches[index].slot, cause: cause, level: watch.level))
        }
        for hit in hits { fire(hit, tick, into: &output) }
    }

    mutating func watchCandle(
        _ candle: ClosedCandle, _ tick: Tick, _ market: Int, _ output: inout [AlertOutput]
    ) {
        var hits: [WatchHit] = []
        let price = candle.close.decimal(candle.priceScale)
        for index in markets[market].watches.indices {
            guard case .indicator(let interval, var signal) = markets[market].watches[index].body,
                interval == candle.interval
            else { continue }
            let words = signal.update(close: .init(price.units, places: price.scale.places))
            markets[market].watches[index].body = .indicator(interval: interval, signal)
            guard let words else { continue }
            hits.append(
                WatchHit(
                    slot: markets[market].watches[index].slot, cause: .indicator(words),
                    series: .close(markets[market].id, interval: interval), price: price))
        }
        for hit in hits { fire(hit, tick, into: &output) }
    }

    mutating func watchFeed(
        _ change: FeedChange, _ words: String, _ tick: Tick, _ market: Int, _ output: inout [AlertOutput]
    ) {
        let slots = markets[market].watches.filter { $0.body == .feed(change) }.map(\.slot)
        for slot in slots {
            fire(WatchHit(slot: slot, cause: .feed(change, words)), tick, into: &output)
        }
    }

    /// Fires a watch's rule unless its expiry, cooldown, hours or the firings of the last hour forbid it.
    mutating func fire(_ hit: WatchHit, _ tick: Tick, into output: inout [AlertOutput]) {
        let slot = hit.slot
        let options = table.options(of: slot)
        if expire(slot, options, tick, into: &output) { return }
        if let refusal = refusal(slot, options, tick) { return note(slot, refusal, nil, tick) }
        if let quiet = leaveOut(slot, options, tick, into: &output) {
            note(slot, quiet, nil, tick)
            return restart(hit)
        }
        commit(slot, tick)
        output.append(
            .fired(
                Firing(
                    rule: table[slot].id, epoch: table[slot].epoch, series: hit.series, cause: hit.cause,
                    price: hit.price, previous: hit.previous, level: hit.level, tradeID: tick.tradeID,
                    venueTime: tick.time, receivedTime: tick.received, sequence: tick.sequence,
                    lateBy: tick.lateBy)))
        note(slot, .fired, nil, tick)
        if case .once = options.repetition { return finish(slot) }
        restart(hit)
    }

    /// Lets a watch whose rule fired begin again, if it has to.
    private mutating func restart(_ hit: WatchHit) {
        guard let market = hit.restarts,
            let index = markets[market].watches.firstIndex(where: { $0.slot == hit.slot }),
            case .change(var watch) = markets[market].watches[index].body
        else { return }
        watch.restart()
        markets[market].watches[index].body = .change(watch)
    }
}
